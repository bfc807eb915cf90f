#include "generator/core/markdown/formula.hpp"

#include <chunk.h>
#include <cmark-gfm-extension_api.h>
#include <cmark-gfm.h>

#include <algorithm>
#include <cctype>
#include <string>
#include <string_view>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
using figures::is_space;

struct Found {
  std::string_view tex;
  std::size_t size = 0;  // with its delimiters; 0: no formula
  std::string_view mark = dollars_mark;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// The text starts with "$`". The search is limited to the longest formula, because a text may have
// a hundred thousand starts and no end.
Found backtick_form(std::string_view text) {
  text = text.substr(0, longest_formula + 5);
  const auto end = text.find("`$", 2);
  if (end == text.npos || end == 2) return {};
  return {text.substr(2, end - 2), end + 2, backticks_mark};
}

// The text starts with "$$".
Found display_form(std::string_view text) {
  const auto end = text.find("$$", 2);
  if (end == text.npos || text.find_first_not_of(" \t\r\n", 2) == end) return {};
  return {text.substr(2, end - 2), end + 2, double_dollars_mark};
}

// The text starts with "$". As on GitHub, there is no space inside the delimiters, no letter or
// digit after the closing one, and no code in between.
Found dollar_form(std::string_view text) {
  if (text.size() < 3 || is_space(text[1]) || text[1] == '$') return {};
  for (std::size_t i = 1; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '`') {
      return {};
    } else if (text[i] == '$') {
      const bool closes = !is_space(text[i - 1]) && (i + 1 == text.size() || !is_word(text[i + 1]));
      if (closes) return {text.substr(1, i - 1), i + 1};
      return {};
    }
  }
  return {};
}

cmark_node* match(cmark_syntax_extension*, cmark_parser*, cmark_node*, unsigned char character,
                  cmark_inline_parser* inlines) {
  if (character != '$') return nullptr;
  const cmark_chunk* chunk = cmark_inline_parser_get_chunk(inlines);
  const std::string_view all(reinterpret_cast<const char*>(chunk->data),
                             static_cast<std::size_t>(chunk->len));
  const auto at = static_cast<std::size_t>(cmark_inline_parser_get_offset(inlines));
  if (at > 0 && is_word(all[at - 1])) return nullptr;
  const std::string_view text = all.substr(at);
  const Found found = text.starts_with("$`")   ? backtick_form(text)
                      : text.starts_with("$$") ? display_form(text)
                                               : dollar_form(text);
  if (found.size == 0) return nullptr;
  cmark_inline_parser_set_offset(inlines, static_cast<int>(at + found.size));
  cmark_node* node = cmark_node_new(CMARK_NODE_CODE);
  cmark_node_set_literal(node, (std::string(found.mark) + std::string(found.tex)).c_str());
  return node;
}

}  // namespace

cmark_syntax_extension* new_maths_extension() {
  cmark_syntax_extension* extension = cmark_syntax_extension_new("maths");
  cmark_mem* memory = cmark_get_default_mem_allocator();
  cmark_llist* characters =
      cmark_llist_append(memory, nullptr, reinterpret_cast<void*>(static_cast<intptr_t>('$')));
  cmark_syntax_extension_set_special_inline_chars(extension, characters);
  cmark_syntax_extension_set_match_inline_func(extension, match);
  return extension;
}

namespace {
using figures::Error;
using figures::is_digit;
using figures::is_letter;

constexpr std::string_view punctuation = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

bool is_word_to_github(char c) { return is_letter(c) || is_digit(c); }
bool is_space_to_github(char c) { return c == ' ' || c == '\n' || c == '\t'; }

// How to write the formula so that GitHub does not change it.
std::string whole(std::string_view tex, MathsForm form) {
  return is_display(form) ? "a ```math block" : "$`" + std::string(tex) + "`$";
}

// Replaces bars by commands: |x| by \lvert x\rvert, a single one by \mid.
std::string without_bars(std::string_view tex) {
  std::size_t bars = 0;
  for (const char c : tex) bars += c == '|';
  std::string written;
  bool opens = true;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    const bool doubled = tex[i] == '\\' && i + 1 < tex.size() && tex[i + 1] == '|';
    if (!doubled && tex[i] != '|') {
      written += tex[i];
      continue;
    }
    if (bars % 2 != 0) {
      written += doubled ? "\\parallel" : "\\mid";
    } else {
      written += std::string(opens ? "\\l" : "\\r") + (doubled ? "Vert" : "vert");
      opens = !opens;
    }
    i += doubled;
    if (i + 1 < tex.size() && is_letter(tex[i + 1])) written += ' ';
  }
  return written;
}

Error at(std::size_t offset, std::size_t length, std::string message, std::string suggestion) {
  return {std::move(message), offset, length, std::move(suggestion)};
}

// Whether GitHub may take the text for a tag: "<b" with a ">" later.
bool begins_tag(std::string_view text) {
  if (text.size() < 2 || text[0] != '<') return false;
  return (is_letter(text[1]) || text[1] == '/' || text[1] == '!' || text[1] == '?') &&
         text.find('>') != text.npos;
}

struct Emphasis {
  bool opens;
  bool closes;
};

// Whether the run of '*' or '_' from `first` to `last` can open or close emphasis by CommonMark's
// flanking rules. The dollars around the formula count as punctuation.
Emphasis emphasis_at(std::string_view tex, std::size_t first, std::size_t last) {
  const auto kind = [](char c) { return is_space_to_github(c) ? 0 : is_word_to_github(c) ? 2 : 1; };
  const int before = first == 0 ? 1 : kind(tex[first - 1]);
  const int behind = last == tex.size() ? 1 : kind(tex[last]);
  const bool left = behind == 2 || (behind == 1 && before != 2);
  const bool right = before == 2 || (before == 1 && behind != 2);
  if (tex[first] == '*') return {left, right};
  return {left && (!right || before == 1), right && (!left || behind == 1)};
}

std::optional<Error> emphasis_inside(std::string_view tex, MathsForm form) {
  std::optional<std::size_t> opener;
  for (std::size_t first = 0; first < tex.size(); ++first) {
    if (tex[first] != '*' && tex[first] != '_') continue;
    const std::size_t last = std::min(tex.find_first_not_of(tex[first], first), tex.size());
    const Emphasis run = emphasis_at(tex, first, last);
    if (tex[first] == '*' && (run.opens || run.closes)) {
      return at(first, last - first, "on GitHub \"*\" may begin or end emphasis",
                replace_all(std::string(tex), "*", "\\ast "));
    }
    if (tex[first] == '_' && run.closes && opener) {
      return at(*opener, last - *opener, "on GitHub \"_\" begins and ends emphasis here",
                whole(tex, form));
    }
    if (tex[first] == '_' && run.opens && !opener) opener = first;
    first = last - 1;
  }
  return std::nullopt;
}

std::optional<Error> markdown_inside(std::string_view tex, MathsForm form) {
  for (std::size_t i = 0; i < tex.size(); ++i) {
    if (tex[i] == '\\' && i + 1 < tex.size() && punctuation.find(tex[i + 1]) != punctuation.npos) {
      return at(
          i, 2,
          "GitHub drops the backslash of \"" + std::string(tex.substr(i, 2)) + "\" between dollars",
          whole(tex, form));
    }
    if (begins_tag(tex.substr(i))) {
      return at(i, 1, "GitHub may read \"<\" as the beginning of a tag", whole(tex, form));
    }
  }
  return emphasis_inside(tex, form);
}

// An unescaped percent sign, because TeX treats the rest of the line as a comment.
std::optional<Error> comment_inside(std::string_view tex, MathsForm form) {
  std::string escaped;
  std::optional<std::size_t> first;
  for (std::size_t i = 0; i < tex.size(); ++i) {
    if (tex[i] == '%') {
      if (!first) first = i;
      escaped += '\\';
    }
    escaped += tex[i];
    if (tex[i] == '\\' && i + 1 < tex.size()) escaped += tex[++i];
  }
  if (!first) return std::nullopt;
  const bool keeps = form == MathsForm::backticks || form == MathsForm::block;
  return at(*first, 1, "\"%\" begins a comment in TeX, so the rest of the line is lost",
            keeps ? "\\%" : whole(escaped, form));
}

// "12 34" outside a command's arguments: TeX drops the space, so the page would show 1234.
std::optional<Error> joined_digits(std::string_view tex) {
  for (std::size_t i = 0; i + 2 < tex.size(); ++i) {
    if (tex.substr(i).starts_with("\\text")) i = std::min(tex.find('}', i), tex.size());
    if (i >= tex.size() || !is_digit(tex[i]) || tex[i + 1] != ' ') continue;
    const std::size_t behind = tex.find_first_not_of(' ', i + 1);
    if (behind == tex.npos || !is_digit(tex[behind])) continue;
    std::size_t begin = i;
    while (begin > 0 && (is_digit(tex[begin - 1]) || tex[begin - 1] == '.')) --begin;
    const std::size_t before = begin == 0 ? tex.npos : tex.find_last_not_of(' ', begin - 1);
    const char mark = before == tex.npos ? ' ' : tex[before];
    if (is_letter(mark) || mark == '^' || mark == '_') continue;
    return at(begin, behind + 1 - begin,
              "TeX drops the space between these digits, so the page shows one number", {});
  }
  return std::nullopt;
}

}  // namespace

std::optional<Error> unlike_github(std::string_view tex, MathsForm form, bool in_table) {
  if (auto comment = comment_inside(tex, form)) return comment;
  if (auto joined = joined_digits(tex)) return joined;
  if (in_table && tex.find('|') != tex.npos) {
    return at(tex.find('|'), 1, "a bar ends the cell of a table on GitHub", without_bars(tex));
  }
  const bool whole_on_github = form == MathsForm::backticks || form == MathsForm::block;
  return whole_on_github ? std::nullopt : markdown_inside(tex, form);
}

std::optional<Error> unread_formula(std::string_view text) {
  for (std::size_t open = text.find('$'); open != text.npos; open = text.find('$', open + 1)) {
    if (open + 1 == text.size() || is_space_to_github(text[open + 1]) || text[open + 1] == '$')
      continue;
    const bool word_in_front = open > 0 && is_word_to_github(text[open - 1]);
    const bool tex = is_letter(text[open + 1]) || text[open + 1] == '\\';
    const std::size_t close = text.find('$', open + 1);
    if (close == text.npos) {
      if (!tex || word_in_front) return std::nullopt;
      return at(open, 1, "unclosed formula: the closing $ is missing or has a space before it", {});
    }
    const std::string_view inside = text.substr(open + 1, close - open - 1);
    // Words without TeX are amounts of money: "US$5 and US$10".
    const bool money =
        inside.find(' ') != inside.npos && inside.find_first_of("\\^_{=") == inside.npos;
    const bool closes = !is_space_to_github(text[close - 1]) && !money;
    const bool word_behind = close + 1 < text.size() && is_word_to_github(text[close + 1]);
    if (closes && (word_in_front || word_behind)) {
      return at(open, close + 1 - open, "a formula must not touch a letter or digit",
                whole(inside, MathsForm::dollars));
    }
  }
  return std::nullopt;
}

}  // namespace primer
