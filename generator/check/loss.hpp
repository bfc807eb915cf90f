// Whether every word of a chapter's tree is in its HTML.
//
// Lines that Markdown itself leaves out are found when it is parsed (unread_lines.hpp). This is the
// other half: it counts the words of the finished body, takes each word of the tree away from that
// count, and reports the first one of a block for which none is left. A block that has a diagnostic
// of its own is skipped, because that names what is wrong with it. Formulas, citations and our own
// fenced blocks are not counted: they are checked where they are written.
#pragma once

#include <string_view>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {

// `html` is what was made of `document`, which was parsed from `source`.
void check_loss(const Node& document, std::string_view html, const Source& source,
                Diagnostics& diagnostics);

}  // namespace primer
