// Pairs the blocks of a translation with those of the original, and finds out which of them have
// changed since they were translated.
//
//   <!-- from 3f9a1c2b -->     mark: 8 digits of the hash of the original block's text
//   A translated paragraph.
//
//   text_blocks(original), take_blocks(translation) --> pair_blocks() --> align()
//
// Each block of a translation has the mark of the block that it translates above it. The mark is a
// comment that GitHub does not show; front matter has the key `from` instead. So a block carries
// its own state when it is moved, split or added, and the history of the original is not needed.
#pragma once

#include <string>
#include <vector>

#include "generator/core/index/block_reference.hpp"
#include "generator/core/index/index.hpp"

namespace primer {

// "<!-- from 3f9a1c2b -->"
std::string source_mark(const std::string& hash);

// The top-level blocks of a chapter, front matter first. A table's caption belongs to the table.
std::vector<TextBlock> text_blocks(const Node& document, const Source& source, int body_line);

// Whether a block has anything to translate. Formulas, code and rules have nothing.
bool has_words(const TextBlock& block);

// The blocks of a translation. Removes the marks from the tree and reports marks without a block.
std::vector<TextBlock> take_blocks(Node& document, const Source& source, const FrontMatter& front,
                                   Diagnostics& diagnostics);

// Which block of the original each block of a translation translates.
struct Pairing {
  std::vector<int> original;  // per block of the translation, an index; -1: none
  std::vector<bool> current;  // per block of the translation: its original has not changed
  std::vector<int> missing;   // blocks of the original without a translation
};
Pairing pair_blocks(const std::vector<TextBlock>& translation,
                    const std::vector<TextBlock>& original);

// Gives the translation's headings the ids of the original, and all anchors its numbers. Finds
// stale blocks, and blocks that are not translated and that the page therefore shows in the
// original, and reports both as warnings. Sets ChapterIndex::notices and untranslated.
void align(ChapterIndex& translation, const ChapterIndex& original, const LateSource& text,
           const LateSource& original_text, Diagnostics& diagnostics);

}  // namespace primer
