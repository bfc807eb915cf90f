#include "generator/markdown/maths_syntax.hpp"

#include <chunk.h>
#include <cmark-gfm.h>

#include <cctype>
#include <string>
#include <string_view>

#include "figures/base/ascii.hpp"
#include "generator/markdown/formula.hpp"

namespace primer {
namespace {

using figures::is_space;

struct Found {
  std::string_view tex;
  std::size_t size = 0;  // with its delimiters; 0: no formula
  std::string_view mark = dollars_mark;
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

// text begins with "$`". No further than the longest formula: a text may hold the beginnings of a
// hundred thousand and the end of none.
Found backtick_form(std::string_view text) {
  text = text.substr(0, longest_formula + 5);
  const auto end = text.find("`$", 2);
  if (end == text.npos || end == 2) return {};
  return {text.substr(2, end - 2), end + 2, backticks_mark};
}

// text begins with "$$".
Found display_form(std::string_view text) {
  const auto end = text.find("$$", 2);
  if (end == text.npos || text.find_first_not_of(" \t\r\n", 2) == end) return {};
  return {text.substr(2, end - 2), end + 2, double_dollars_mark};
}

// text begins with "$". As GitHub reads it: no space inside the delimiters, no letter or digit
// after the closing one, no code in between.
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

}  // namespace primer
