// Checks that every word of a chapter's syntax tree is in its HTML.
//
// unread_lines.hpp finds lines that Markdown itself drops. This is the other half: it counts the
// words of the finished body, subtracts each word of the tree, and reports the first word per block
// for which none is left. A block with another diagnostic is skipped, because that one explains
// what is wrong. Formulas, citations and our fenced blocks are checked where they are written, so
// they are not counted.
#pragma once

#include <string_view>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {
// `html` is the rendered body of `document`, which was parsed from `source`.
// `html` is what was made of `document`, which was parsed from `source`.
void check_loss(const Node& document, std::string_view html, const Source& source,
                Diagnostics& diagnostics);

}  // namespace primer
