// Where in the file each inline of a paragraph, a heading or a table cell is written.
//
// cmark-gfm's columns of inlines are wrong after tabs, escapes, entities and bare addresses, and
// its text nodes do not say which of their characters were written as an escape. So we read the
// leaf's source a second time, along with the tree that cmark made of it. The tree says which
// construct comes next, so there is nothing to search for: an emphasis must begin with "*" or "_",
// then its children follow, then the same mark again.
//
//   source   AT&amp;T moves **9** [GB/s](fact:x)
//   tree     text "AT&T moves "   strong(text "9")   text " "   link(text "GB/s")
//   result   "AT" verbatim, "&" escaped (5 bytes), "T moves " verbatim, …
//
// Invariant: the replay consumes the leaf's source from its first byte to its last, or it fails as
// a whole. So places are exact or explicitly unknown (InSource::unknown), and never a guess.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/diagnostic/extract.hpp"
#include "generator/markdown/markdown.hpp"

struct cmark_node;

namespace primer {

// What cmark parsed a leaf's inlines from, and where that is in the extract.
struct LeafText {
  std::string text;
  std::vector<Extract::Jump> jumps;  // from the text to the extract's text; ascending
};

// Finds the source of a paragraph, heading or cell in the extract. Its `jumps` are empty where it
// was not found. `first` is the line (from 0) on which the leaf, or the cell's row, begins.
LeafText leaf_text(cmark_node* leaf, const Extract& extract, int first);

// The line (from 0) of a table's header row, which cmark gets wrong below a paragraph.
int header_line(cmark_node* table);

// The children of a leaf with their places in the file; texts are split so that each is verbatim or
// one escape. Where the source cannot be followed, the children come back as they were, placed at
// `fallback` and InSource::unknown.
std::vector<Node> place_inlines(std::vector<Node> children, const LeafText& leaf,
                                const Extract& extract, std::size_t fallback);

}  // namespace primer
