#include "generator/formats/yaml_error.hpp"

#include <algorithm>
#include <vector>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view pair_hint =
    "a line of YAML is \"key: value\"; a text that goes on is "
    "indented below its key";

std::string_view content_of(std::string_view line) {
  const std::string_view content = trim(line);
  return content.starts_with('#') ? std::string_view() : content;
}

int indent_of(std::string_view line) {
  return static_cast<int>(std::min(line.find_first_not_of(" \t"), line.size()));
}

bool has_key(std::string_view content) {
  return content.ends_with(':') || content.find(": ") != content.npos || content == "-" ||
         content.starts_with("- ");
}

// The first line that is neither a key nor a list's item, between the last value and the failure.
std::optional<int> keyless_line(const std::vector<std::string_view>& lines, int first, int last) {
  for (int i = std::max(0, first); i <= last && i < static_cast<int>(lines.size()); ++i) {
    const auto content = content_of(lines[static_cast<std::size_t>(i)]);
    if (!content.empty() && !has_key(content)) return i;
  }
  return std::nullopt;
}

YamlError about_line(const std::vector<std::string_view>& lines, int line, std::string message,
                     std::string_view hint) {
  const auto index = static_cast<std::size_t>(line);
  const int column = index < lines.size() ? indent_of(lines[index]) : 0;
  return {line, column, std::move(message), std::string(hint)};
}

YamlError bad_pair(const std::vector<std::string_view>& lines, const YamlFailure& failure) {
  if (failure.last_line == failure.line) {
    return {failure.line, failure.column, "a value that holds \": \" needs quotation marks",
            "write key: \"value: with a colon\""};
  }
  const auto keyless = keyless_line(lines, failure.last_line + 1, failure.line);
  if (!keyless) {
    return about_line(lines, failure.line, "this line is indented differently from the keys above",
                      pair_hint);
  }
  const auto content = content_of(lines[static_cast<std::size_t>(*keyless)]);
  const std::size_t colon = content.find(':');
  if (colon == content.npos) return about_line(lines, *keyless, "this line has no key", pair_hint);
  YamlError error = about_line(lines, *keyless, "a space is missing after the colon", "");
  error.column += static_cast<int>(colon);
  return error;
}

YamlError bad_indent(const std::vector<std::string_view>& lines, const YamlFailure& failure) {
  if (failure.last_quoted && failure.last_line == failure.line) {
    return {failure.line, failure.column, "there is text after the closing quotation mark",
            "inside '…' a quotation mark is written twice, inside \"…\" as \\\""};
  }
  return about_line(lines, failure.line, "this line is indented differently from those above",
                    "keys of one map, and items of one list, begin in the same column");
}

}  // namespace

YamlError explain_yaml(std::string_view text, const YamlFailure& failure) {
  const auto lines = split_lines(text);
  const std::string_view message = failure.message;
  const auto says = [&](std::string_view part) { return message.find(part) != message.npos; };
  const auto here = [&](std::string words, std::string_view hint = {}) {
    return YamlError{failure.line, failure.column, std::move(words), std::string(hint)};
  };
  const auto index = static_cast<std::size_t>(std::max(0, failure.line));
  const std::string_view line = index < lines.size() ? lines[index] : std::string_view();
  const auto tab = line.substr(0, line.find_first_not_of(" \t")).find('\t');
  if (tab != line.npos) {
    return {failure.line, static_cast<int>(tab), "YAML is indented with spaces, not with tabs", ""};
  }
  if (says("flow not found") && failure.bracket) {
    const bool kernel = line.find('{') != line.npos && line.find('"') == line.npos;
    return {failure.bracket->line, failure.bracket->column, "this bracket is never closed",
            kernel ? "in a list, a value that holds { needs quotation marks: [\"a{n=1}\"]" : ""};
  }
  if (says("illegal map value")) return bad_pair(lines, failure);
  if (says("end of map not found") || says("end of sequence not found")) {
    return bad_indent(lines, failure);
  }
  if (says("unknown token")) {
    return here("a value that begins with this character needs quotation marks");
  }
  if (says("illegal block entry")) {
    return here("a list begins below its key, or is written [a, b]",
                "a value that begins with \"- \" needs quotation marks");
  }
  if (says("illegal flow end")) return here("this bracket closes nothing");
  if (says("unknown escape character")) {
    return here("between double quotation marks this is not an escape",
                "write \\\\ for a backslash, or put the text in single quotation marks");
  }
  if (says("anchor is not defined")) {
    return here("aliases are not allowed", "a value that begins with * needs quotation marks");
  }
  return here("this is not valid YAML: " + std::string(message));
}

std::size_t quoted_length(std::string_view text, std::size_t at) {
  const char quote = text[at];
  for (std::size_t i = at + 1; i < text.size() && text[i] != '\n'; ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
    } else if (text[i] == quote) {
      if (quote == '"' || i + 1 >= text.size() || text[i + 1] != quote) return i + 1 - at;
      ++i;
    }
  }
  return 0;
}

}  // namespace primer
