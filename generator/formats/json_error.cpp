#include "generator/formats/json_error.hpp"

#include <cctype>
#include <optional>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/formats/yaml_error.hpp"

namespace primer {
namespace {

// The bracket or quotation mark that is still open at `end`.
struct Open {
  std::size_t offset = 0;
  bool string = false;
};

std::optional<Open> open_at(std::string_view text, std::size_t end) {
  std::vector<std::size_t> brackets;
  for (std::size_t i = 0; i < end; ++i) {
    if (text[i] == '{' || text[i] == '[') brackets.push_back(i);
    if ((text[i] == '}' || text[i] == ']') && !brackets.empty()) brackets.pop_back();
    if (text[i] != '"') continue;
    const std::size_t length = quoted_length(text, i);
    if (length == 0 || i + length > end) return Open{i, true};
    i += length - 1;
  }
  if (brackets.empty()) return std::nullopt;
  return Open{brackets.back(), false};
}

// A whole token, or the end of the text, that stands where it cannot.
JsonSyntaxError explain_token(std::string_view text, std::size_t offset) {
  const auto open = open_at(text, offset);
  if (offset >= text.size()) {
    if (open) return {open->offset, "this bracket is never closed"};
    return {offset, "the JSON ends too early"};
  }
  const std::size_t before = offset == 0 ? text.npos : text.find_last_not_of(" \t\r\n", offset - 1);
  const char last = before == text.npos ? '\0' : text[before];
  const char next = text[offset];
  if (!open) {
    const bool first = before == text.npos;
    return {offset, first ? "JSON begins with { or [" : "there is more text after the JSON"};
  }
  if ((next == '}' || next == ']') && last == ',') {
    return {before, "there is no comma before a closing bracket"};
  }
  if (next == '\'') return {offset, "JSON has double quotation marks only"};
  if (next == '/' || next == '#') return {offset, "JSON has no comments"};
  const auto is_word = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; };
  const bool ended = last == '"' || last == '}' || last == ']' || is_word(last);
  const bool begins = next == '"' || next == '{' || next == '[' || is_word(next);
  if (ended && begins) {
    const bool same_line = text.substr(before, offset - before).find('\n') == text.npos;
    return {before, same_line ? "a comma or a colon is missing after this"
                              : "a comma is missing at the end of this line"};
  }
  if (next == '}' || next == ']') return {offset, "this bracket closes nothing"};
  return {offset, "this is not valid JSON"};
}

}  // namespace

JsonSyntaxError explain_json(std::string_view text, std::size_t offset) {
  if (trim(text).empty()) return {0, "the file is empty; an empty JSON file is {}"};
  offset = std::min(offset, text.size());
  const auto open = open_at(text, offset);
  if (open && open->string && quoted_length(text, open->offset) == 0) {
    return {open->offset, "this quotation mark is not closed in its line"};
  }
  if (open && open->string) {
    // The parser names the last byte of what it read: the quotation mark when all of it was wrong.
    const bool whole = offset + 1 == open->offset + quoted_length(text, open->offset);
    if (!whole) return {offset, "this is not an escape of JSON; a backslash is written \\\\"};
    return explain_token(text, open->offset);
  }
  return explain_token(text, offset);
}

}  // namespace primer
