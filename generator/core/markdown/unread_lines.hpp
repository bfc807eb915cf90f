// Reports lines of a text that are in no block of its tree, because they would silently be missing
// from the page.
//
// cmark removes definitions of links and notes, used or not. We mark the lines of every leaf block.
// An unmarked line with letters must be a definition that a link of the tree uses. Everything else
// is an error:
//
//   [x]: https://example.org "title"    unused-definition, unless a link leads there
//   [^a]: A note.                       unused-note (used ones are in the tree)
//   anything else                       lost-text
#pragma once

#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/markdown/markdown.hpp"

namespace primer {

// `read`: per line of the extract, whether a block of `document` covers it.
void report_unread_lines(const Extract& extract, const std::vector<bool>& read,
                         const Node& document, Severity unused_notes, Diagnostics& diagnostics);

}  // namespace primer
