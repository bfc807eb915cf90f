// What is wrong, where, and what would be right.
//
// Stages never print: they add Diagnostics to a list, each thread to its own, and main.cpp prints
// the sorted whole. Everything wrong is an error; a build with errors writes nothing.
//
// Whatever the input, they take little memory and little time: excerpts and sentences are cut, and
// of a file with many mistakes the first are kept and the rest is counted.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/rule.hpp"
#include "generator/diagnostic/severities.hpp"
#include "generator/diagnostic/source.hpp"

namespace primer {

enum class Format { text, json, github };

// Bytes of a file and what to write instead. Only where the place is exact.
struct Edit {
  std::size_t offset = 0, length = 0;
  std::string text;
};

struct Diagnostic {
  Rule rule = {};
  Severity severity = Severity::error;
  std::string file;     // relative to the book root; empty when it is about no file
  int line = 0;         // 1-based; 0: the file as a whole
  int column = 0;       // 1-based, in characters
  int length = 0;       // characters of the span, within its line; 0 is shown as one
  std::string excerpt;  // the source line; of a long one what is around the column (cut_text.hpp)
  int excerpt_column = 0;  // where the column is in it
  std::string message;     // one sentence, lower case, no full stop; shortened, as notes are
  std::vector<std::string> notes;
  std::string suggestion;                  // what to write instead, or empty
  std::optional<Edit> fix = std::nullopt;  // what `check --fix` does about it
  std::string page =
      {};  // file of the page that uses `file`, where it was found on one; set by found_on()
};

class Diagnostics {
 public:
  // Of each severity, what is kept; the rest is counted.
  static constexpr std::size_t most_of_file = 100;
  static constexpr std::size_t most = 1000;

  // From now on what is added is as severe as the book says.
  void judge_by(std::shared_ptr<const Severities> severities);

  // What these return may be changed until the next is added.
  Diagnostic& add(Diagnostic diagnostic);
  // An error that covers `length` bytes at `offset` of source (cut at the end of the line).
  Diagnostic& error(Rule rule, const Source& source, std::size_t offset, std::size_t length,
                    std::string message, std::string suggestion = {});
  Diagnostic& warning(Rule rule, const Source& source, std::size_t offset, std::size_t length,
                      std::string message, std::string suggestion = {});
  // An error about a file as a whole.
  Diagnostic& error(Rule rule, std::string file, std::string message);

  // A note to the error that was added last.
  void hint(std::string note);
  // What `check --fix` does about the error that was added last.
  void fix(Edit edit);
  void append(Diagnostics&& others);
  bool has_errors() const { return count(Severity::error) > 0; }
  // Whether any is about a file of this directory ("chapters/facts/").
  bool concerns(std::string_view directory) const;
  bool empty() const { return list_.empty(); }
  // Whether a file has so many that further ones are only counted: no need to think of suggestions.
  bool full(const std::string& file, Severity severity = Severity::error) const;
  // How many were added, kept or not.
  std::size_t count(Severity severity) const;
  // How many of each rule were added, kept or not.
  struct Tally {
    std::size_t errors = 0, warnings = 0;
    std::size_t& of(Severity severity) { return severity == Severity::error ? errors : warnings; }
    std::size_t of(Severity severity) const {
      return severity == Severity::error ? errors : warnings;
    }
  };
  std::map<Rule, Tally> by_rule() const;
  // All of them were found while this page was made, whatever file they are about.
  void found_on(const std::string& page);
  // Forgets what is about other files and was not found on a page of these files.
  void keep_only(const std::set<std::string>& files);
  // What is kept, by file, line, column, rule id, message; exact duplicates once. Behind the last
  // of a file stands, as Rule::more_errors, how many of it were not kept.
  std::vector<Diagnostic> sorted() const;

 private:
  struct OfFile {
    Tally kept, counted;
    std::map<Rule, Tally> rules;  // of what was only counted
  };

  void judge(Diagnostic& diagnostic) const;
  void settle();
  Diagnostic& at_place(Severity severity, Rule rule, const Source& source, std::size_t offset,
                       std::size_t length, std::string message, std::string suggestion);

  std::vector<Diagnostic> list_;
  std::shared_ptr<const Severities> severities_;
  bool settled_ = true;  // whether the last of the list is in the tallies, or has left the list
  Tally kept_;
  std::map<std::string, OfFile> files_;
};

// A note for whoever writes a unit that does not exist.
inline constexpr std::string_view usual_units =
    "units are such as TB/s, TFLOP/s, MiB, ns, W, pJ/B, $/h, GHz";

// The whole list in one of the three formats, sorted. Text ends with a line that counts them;
// JSON (docs/diagnostics.md) and GitHub's annotations carry the address of the rule's page, under
// the book's base URL. Whatever names of files and texts of the book stand in it, nothing of it controls
// a terminal: characters that would are written as "<U+001B>", in JSON as "\u001b".
std::string to_text(const Diagnostics& diagnostics, Format format,
                    const std::string& base_url = {});
// How many there are of each rule, a line each, the most frequent first; then all of them.
std::string to_counts(const Diagnostics& diagnostics);

}  // namespace primer
