// Collects what is wrong with a book: the rule, the place, and a suggestion.
//
//   stage --> Diagnostics::error()/warning()  one list per thread, no lock
//         --> judge_by(): the book's own severities
//         --> append(), sorted() --> to_text(): text, JSON or GitHub annotations
//
// Stages never print. They add diagnostics to a list, and the command prints the sorted whole at
// the end. A build with errors writes nothing.
//
// Hostile input cannot make diagnostics slow or large: excerpts and messages are shortened, and a
// file keeps only its first `most_of_file` diagnostics of each severity. The rest are counted.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/core/diagnostic/rule.hpp"
#include "generator/core/diagnostic/source.hpp"

namespace primer {

// The severity of mistakes is up to the book (`severity` and `severity_of` in book.yaml). A book
// that was imported from another tool can turn errors into warnings until it has fixed them.

enum class Severity { error, warning };

// Whether a book may turn errors of this rule into warnings. It may if the page just lacks
// something or shows plain text instead. Other mistakes would make a page unsafe, false or
// impossible to render.
bool can_be_lowered(Rule rule);

class Severities {
 public:
  // `place` is "" for the whole book, a file, or a directory with a trailing slash.
  void set(const std::string& place, Rule rule, Severity severity);
  // The severity set for the innermost place that contains `file`; default: `usual`.
  Severity of(Rule rule, std::string_view file, Severity usual) const;

 private:
  std::map<Rule, std::map<std::string, Severity>> places_;
};

enum class Format { text, json, github };

// Replaces bytes of a file. Only for diagnostics whose position is exact.
struct Edit {
  std::size_t offset = 0, length = 0;
  std::string text;
};

struct Diagnostic {
  Rule rule = {};
  Severity severity = Severity::error;
  std::string file;        // relative to the book's root; empty: about no file
  int line = 0;            // 1-based; 0: the whole file
  int column = 0;          // 1-based, in characters
  int length = 0;          // characters of the span, within its line; 0 is shown as 1
  std::string excerpt;     // the source line; the part around `column` if it is long (cut_around)
  int excerpt_column = 0;  // position of `column` in `excerpt`, 1-based
  std::string message;     // one sentence, lower case, no full stop; shortened, like notes
  std::vector<std::string> notes;
  std::string suggestion;                  // replacement text, or empty
  std::optional<Edit> fix = std::nullopt;  // what `check --fix` applies
  std::string page = {};  // the page that uses `file`; set by found_on(), otherwise empty
};

class Diagnostics {
 public:
  // How many diagnostics are stored, of each severity: per file and in total. Others are only
  // counted.
  static constexpr std::size_t most_of_file = 100;
  static constexpr std::size_t most = 1000;

  // Applies the book's severities to everything added from now on.
  void judge_by(std::shared_ptr<const Severities> severities);

  // The returned reference is valid, and may be modified, until the next diagnostic is added.
  Diagnostic& add(Diagnostic diagnostic);
  // An error about `length` bytes at `offset` of `source`, cut at the end of the line.
  Diagnostic& error(Rule rule, const Source& source, std::size_t offset, std::size_t length,
                    std::string message, std::string suggestion = {});
  Diagnostic& warning(Rule rule, const Source& source, std::size_t offset, std::size_t length,
                      std::string message, std::string suggestion = {});
  // An error about a whole file.
  Diagnostic& error(Rule rule, std::string file, std::string message);

  // Adds a note to the last diagnostic.
  void hint(std::string note);
  // Sets the edit of the last diagnostic for `check --fix`.
  void fix(Edit edit);
  void append(Diagnostics&& others);
  bool has_errors() const { return count(Severity::error) > 0; }
  // Whether any diagnostic is about a file in this directory ("chapters/facts/").
  bool has_errors_in(std::string_view directory) const;
  bool empty() const { return list_.empty(); }
  // Whether further diagnostics of this file are only counted, so that callers can skip the search
  // for suggestions.
  bool full(const std::string& file, Severity severity = Severity::error) const;
  // How many were added, stored or not.
  std::size_t count(Severity severity) const;
  // How many of each rule were added, stored or not.
  struct Tally {
    std::size_t errors = 0, warnings = 0;
    std::size_t& of(Severity severity) { return severity == Severity::error ? errors : warnings; }
    std::size_t of(Severity severity) const {
      return severity == Severity::error ? errors : warnings;
    }
  };
  std::map<Rule, Tally> by_rule() const;
  // Sets Diagnostic::page of all diagnostics, whatever file they are about.
  void found_on(const std::string& page);
  // Removes diagnostics that are neither about one of these files nor found on one of their pages.
  void keep_only(const std::set<std::string>& files);
  // The stored diagnostics, by file, line, column, rule id and message, without exact duplicates.
  // If a file has more than were stored, its last one is a Rule::more_errors with their number.
  std::vector<Diagnostic> sorted() const;

 private:
  struct OfFile {
    Tally kept, counted;
    std::map<Rule, Tally> rules;  // of those that are only counted
  };

  void judge(Diagnostic& diagnostic) const;
  void settle();
  Diagnostic& at_place(Severity severity, Rule rule, const Source& source, std::size_t offset,
                       std::size_t length, std::string message, std::string suggestion);

  std::vector<Diagnostic> list_;
  std::shared_ptr<const Severities> severities_;
  // false: the last of list_ is not counted yet, because its severity may still change
  bool settled_ = true;
  Tally kept_;
  std::map<std::string, OfFile> files_;
};

// A note for unknown units.
inline constexpr std::string_view usual_units =
    "units are such as TB/s, TFLOP/s, MiB, ns, W, pJ/B, $/h, GHz";

// Formats the sorted list. Text ends with a line of totals. JSON (docs/reference/rules.md) and
// GitHub annotations include the address of the rule's page below `base_url`. File names and
// excerpts cannot control a terminal: control characters become "<U+001B>", or "\u001b" in JSON.
std::string to_text(const Diagnostics& diagnostics, Format format,
                    const std::string& base_url = {});
// One line per rule with its number of diagnostics, the most frequent first, then the totals.
std::string to_counts(const Diagnostics& diagnostics);

// The result of a stage: a value plus its diagnostics.

template <class T>
struct Made {
  std::optional<T> value;  // none: the diagnostics say why
  Diagnostics diagnostics;
};

// Returns the value and appends its diagnostics to `all`.
template <class T>
std::optional<T> take(Made<T> made, Diagnostics& all) {
  all.append(std::move(made.diagnostics));
  return std::move(made.value);
}

}  // namespace primer
