// Formulas: finds TeX in Markdown, and checks that GitHub renders it like the site does.
//
//   `$…$`, `` $`…`$ ``, `$$…$$` --> cmark-gfm extension --> CMARK_NODE_CODE with a mark
//                                                       --> unlike_github(): what GitHub changes
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

struct cmark_syntax_extension;

namespace primer {

struct Formula {
  std::string tex;
  bool display = false;  // on separate lines
};

inline constexpr std::size_t longest_formula = 4096;  // bytes
// Limits for all formulas of a book, counting equal ones once, in bytes. Formulas beyond them are
// not converted.
inline constexpr std::size_t most_tex = 1'000'000, most_mathml = 64'000'000;

// The prefix of a formula's node, by its delimiters; the rest of the literal is TeX. No text can
// contain these bytes. (The letters are not hexadecimal digits, which would belong to the escape.)
inline constexpr std::string_view dollars_mark = "\x02s";
inline constexpr std::string_view double_dollars_mark = "\x02w";
inline constexpr std::string_view backticks_mark = "\x02t";

// Returns a new extension that the caller attaches to a parser and frees after it. A formula
// becomes a CMARK_NODE_CODE with a mark, because table cells drop nodes of types that they do not
// know. Call only while holding the parser's mutex.
cmark_syntax_extension* new_maths_extension();

// The delimiters of a formula. They decide what GitHub does to it.
//
// GitHub parses Markdown before it reads a formula between dollars, so it removes backslash
// escapes, emphasis and tags from the formula. Formulas between "$`" and "`$" and in ```math blocks
// are unchanged. In a table, a "|" ends the cell in every form.

enum class MathsForm { dollars, double_dollars, backticks, block };

// Whether the formula is on separate lines.
constexpr bool is_display(MathsForm form) {
  return form == MathsForm::double_dollars || form == MathsForm::block;
}

// A problem that this formula has on GitHub, with an offset in `tex`, and how to write it instead.
std::optional<figures::Error> unlike_github(std::string_view tex, MathsForm form, bool in_table);

// Finds a formula that neither GitHub nor the site recognizes, in plain text without its recognized
// formulas: "$…$" next to a letter or digit, or "$x" without an end.
std::optional<figures::Error> unread_formula(std::string_view text);

}  // namespace primer
