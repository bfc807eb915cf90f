#include "generator/check/wording.hpp"

#include <cctype>
#include <optional>
#include <string>
#include <string_view>

#include "generator/base/text.hpp"
#include "generator/markdown/anchor_kind.hpp"

namespace primer {
namespace {

constexpr char hidden = '|';  // stands for a byte that is no text; no word goes through it

void hide(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t i = from; i < std::min(to, text.size()); ++i) text[i] = hidden;
}

// Where what begins at `at` with `open` ends, behind `close`; nothing for what does not end in the line.
std::optional<std::size_t> end_of(std::string_view line, std::size_t at, std::string_view open,
                                  std::string_view close) {
  if (!line.substr(at).starts_with(open)) return std::nullopt;
  const auto end = line.find(close, at + open.size());
  return end == line.npos ? std::nullopt : std::optional(end + close.size());
}

// "](<calc: …>)" before "](…)": an expression has parentheses of its own.
constexpr std::string_view no_text[][2] = {
    {"<!--", "-->"}, {"](<", ">)"}, {"](", ")"}, {"`", "`"}, {"$", "$"}};

void hide_in_line(std::string& text, std::size_t from, std::size_t to) {
  for (std::size_t at = from; at < to; ++at) {
    const std::string_view line = std::string_view(text).substr(0, to);
    for (const auto& [open, close] : no_text) {
      const auto end = end_of(line, at, open, close);
      if (!end) continue;
      hide(text, at, *end);
      at = *end - 1;
      break;
    }
  }
}

// The text of a chapter's file with every byte in its place; what is no text is hidden.
std::string only_text(std::string_view source) {
  constexpr std::string_view fence = "```";
  std::string text(source);
  bool inside = false, code = false;
  for (std::size_t from = 0; from < text.size();) {
    const std::size_t to = std::min(text.find('\n', from), text.size());
    const std::string_view line = std::string_view(source).substr(from, to - from);
    if (line.starts_with(fence)) {
      inside = !inside;
      code = inside && !own_block(trim(line.substr(fence.size())));
      hide(text, from, to);
    } else if (code) {
      hide(text, from, to);
    } else {
      hide_in_line(text, from, to);
    }
    from = to + 1;
  }
  return text;
}

bool is_blank(char c) { return c == ' ' || c == '\n'; }

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Letters with a mark (U+00C0 to U+00FF) have this first byte; quotation marks and dashes do not.
constexpr char marked_letter = '\xC3';

bool begins_word(std::string_view text, std::size_t at) {
  const bool behind_mark = at > 1 && text[at - 2] == marked_letter;
  return at == 0 || (!is_letter(text[at - 1]) && !behind_mark);
}

bool ends_word(std::string_view text, std::size_t at) {
  return at >= text.size() || (!is_letter(text[at]) && text[at] != marked_letter);
}

// Behind the word that stands at `at`; a space in it is any blanks.
std::optional<std::size_t> match(std::string_view text, std::size_t at, std::string_view word) {
  const std::size_t start = at;
  for (const char c : word) {
    if (at >= text.size()) return std::nullopt;
    const bool capital =
        at == start && text[at] == static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
    const bool same = c == ' ' ? is_blank(text[at]) : text[at] == c || capital;
    if (!same) return std::nullopt;
    ++at;
    while (c == ' ' && at < text.size() && is_blank(text[at])) ++at;
  }
  return ends_word(text, at) ? std::optional(at) : std::nullopt;
}

}  // namespace

void check_wording(const Source& source, const std::vector<AvoidedWord>& words,
                   Diagnostics& diagnostics) {
  if (words.empty()) return;
  const std::string text = only_text(source.text());
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (is_blank(text[at]) || text[at] == hidden || !begins_word(text, at)) continue;
    for (const auto& word : words) {
      const auto end = match(text, at, word.word);
      if (!end) continue;
      diagnostics.warning(Rule::avoided_word, source, at, *end - at,
                          "the word for " + in_quotes(word.english) + " is another", word.instead);
      if (!word.why.empty()) diagnostics.hint(word.why);
      break;
    }
  }
}

}  // namespace primer
