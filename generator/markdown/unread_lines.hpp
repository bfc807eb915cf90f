// Lines of a text that are in no block of its tree, and what they meant.
//
// cmark leaves out definitions of links and of notes without a word, whether anything uses them or
// not. We mark the lines of every leaf block; a line with letters that is not marked must be a
// definition that a link of the tree uses. Everything else would be on no page, so it is an error:
//
//   [x]: https://example.org "title"    unused-definition, unless a link leads there
//   [^a]: A note.                       unused-note (used ones are in the tree)
//   anything else                       lost-text
#pragma once

#include <vector>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {

// `read` says of each line of the extract whether a block of `document` has it.
void report_unread_lines(const Extract& extract, const std::vector<bool>& read,
                         const Node& document, Severity unused_notes, Diagnostics& diagnostics);

}  // namespace primer
