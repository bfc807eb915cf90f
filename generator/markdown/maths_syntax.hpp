// `$…$`, `` $`…`$ `` and `$$…$$` as inlines of cmark-gfm.
#pragma once

#include <cmark-gfm-extension_api.h>

#include <string_view>

namespace primer {

// What the literal of a formula's node begins with, by its delimiters; the rest is its TeX. No text
// can hold these. (The letters are not hexadecimal digits: those would belong to the escape.)
inline constexpr std::string_view dollars_mark = "\x02s";
inline constexpr std::string_view double_dollars_mark = "\x02w";
inline constexpr std::string_view backticks_mark = "\x02t";

// A new extension that the caller attaches to a parser and frees after it. A formula becomes a
// CMARK_NODE_CODE with a mark (a node of another type would be lost in table cells, which admit
// only the types that they know). Call under the parser's mutex only.
cmark_syntax_extension* new_maths_extension();

}  // namespace primer
