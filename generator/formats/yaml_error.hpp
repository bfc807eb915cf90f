// What yaml-cpp could not read, in words of a writer, at the place that caused it: the parser names
// the token at which it gave up, which may be lines below, or the end of the text.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace primer {

struct YamlError {
  int line = 0, column = 0;  // 0-based in the text
  std::string message;
  std::string hint;  // what to write, or empty
};

struct YamlFailure {
  std::string_view message;  // the parser's
  int line = 0, column = 0;  // where it gave up, 0-based
  int last_line = -1;        // of the last value that it read; -1: of none
  bool last_quoted = false;  // whether that stood in quotation marks
  // The innermost "[" or "{" that is open.
  struct Bracket {
    int line = 0, column = 0;
  };
  std::optional<Bracket> bracket;
};

YamlError explain_yaml(std::string_view text, const YamlFailure& failure);

// Bytes from the quotation mark at `at` to the one that closes it, both included; 0 when the line
// ends before.
std::size_t quoted_length(std::string_view text, std::size_t at);

}  // namespace primer
