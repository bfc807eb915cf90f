// Computes where each inline of a paragraph, heading or table cell is in the file.
//
// cmark-gfm's columns of inlines are wrong after tabs, escapes, entities and bare URLs, and its
// text nodes do not tell which characters were escaped. So we read the leaf's source a second time,
// guided by the tree that cmark made of it. The tree says which construct comes next, so nothing
// has to be searched: an emphasis must start with "*" or "_", then its children follow, then the
// same mark again.
//
//   source   AT&amp;T moves **9** [GB/s](fact:x)
//   tree     text "AT&T moves "   strong(text "9")   text " "   link(text "GB/s")
//   result   "AT" verbatim, "&" escaped (5 bytes), "T moves " verbatim, …
//
// Invariant: the replay consumes the leaf's source from its first byte to its last, or it fails as
// a whole. A position is therefore exact or explicitly unknown (InSource::unknown), never a guess.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/diagnostic/source.hpp"
#include "generator/core/markdown/markdown.hpp"

struct cmark_node;

namespace primer {

// The text from which cmark parsed a leaf's inlines, and where it is in the extract.
struct LeafText {
  std::string text;
  std::vector<Extract::Jump> jumps;  // from `text` to the extract's text; ascending
};

// Finds the source of a paragraph, heading or cell in the extract. `jumps` is empty if it was not
// found. `first` is the line (0-based) on which the leaf, or the cell's row, starts.
LeafText leaf_text(cmark_node* leaf, const Extract& extract, int first);

// The line (0-based) of a table's header row, which cmark gets wrong after a paragraph.
int header_line(cmark_node* table);

// Returns the children of a leaf with positions in the file. Texts are split so that each piece is
// verbatim or one run of escapes. If the source cannot be followed, returns the children unchanged,
// at `fallback` and with InSource::unknown.
std::vector<Node> place_inlines(std::vector<Node> children, const LeafText& leaf,
                                const Extract& extract, std::size_t fallback);

}  // namespace primer
