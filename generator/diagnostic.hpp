// What is wrong, where, and what would be right.
//
// Stages never print: they add Diagnostics to a list, each thread to its own, and main.cpp prints
// the sorted whole. Everything wrong is an error; a build with errors writes nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/rule.hpp"
#include "generator/source.hpp"

namespace primer {

enum class Severity { error, warning };
enum class Format { text, json, github };

struct Diagnostic {
  Rule rule = {};
  Severity severity = Severity::error;
  std::string file;      // relative to the book root; empty when it is about no file
  int line = 0;          // 1-based; 0: the file as a whole
  int column = 0;        // 1-based, in characters
  int length = 0;        // characters of the span, within its line; 0 is shown as one
  std::string excerpt;   // the source line
  std::string message;   // one sentence, lower case, no full stop
  std::vector<std::string> notes;
  std::string suggestion;  // what to write instead, or empty
};

class Diagnostics {
 public:
  Diagnostic& add(Diagnostic diagnostic);
  // An error that covers `length` bytes at `offset` of source (cut at the end of the line).
  Diagnostic& error(Rule rule, const Source& source, std::size_t offset, std::size_t length,
                    std::string message, std::string suggestion = {});
  // An error about a file as a whole.
  Diagnostic& error(Rule rule, std::string file, std::string message);

  // A note to the error that was added last.
  void hint(std::string note);
  void append(Diagnostics&& others);
  bool has_errors() const;
  // Whether any is about a file of this directory ("chapters/facts/").
  bool concerns(std::string_view directory) const;
  bool empty() const { return list_.empty(); }
  // By file, line, column, rule id, message; exact duplicates once.
  std::vector<Diagnostic> sorted() const;

 private:
  std::vector<Diagnostic> list_;
};

// A note for whoever writes a unit that does not exist.
inline constexpr std::string_view usual_units =
    "units are such as TB/s, TFLOP/s, MiB, ns, W, pJ/B, $/h, GHz";

// The whole list in one of the three formats, sorted. Text ends with a line that counts them;
// JSON (docs/diagnostics.md) and GitHub's annotations carry the address of the rule's page, under
// the book's base URL. Whatever names of files and texts of the book stand in it, nothing of it controls
// a terminal: characters that would are written as "<U+001B>", in JSON as "\u001b".
std::string to_text(const Diagnostics& diagnostics, Format format, const std::string& base_url = {});

}  // namespace primer
