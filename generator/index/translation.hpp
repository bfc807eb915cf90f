// A chapter in another language: which of its blocks translates which of the original's, and which of
// them the original has changed since.
//
// Above each block of a translation stands the mark of the block that it translates, a comment that
// GitHub does not show: `<!-- from 3f9a1c2b -->`, eight digits of the hash of the original's text. The
// front matter has the key `from` instead. So a block that is moved, split off or added says of
// itself what it knows, and the original's history is not needed.
#pragma once

#include <string>
#include <vector>

#include "generator/index/index.hpp"
#include "generator/index/late_source.hpp"

namespace primer {

// "<!-- from 3f9a1c2b -->"
std::string source_mark(const std::string& hash);

// The blocks at the top of a chapter, front matter first; a table's caption belongs to its table.
std::vector<TextBlock> text_blocks(const Node& document, const Source& source, int body_line);

// Whether there is something in a block to translate: not in formulas, code and rules.
bool has_words(const TextBlock& block);

// The same of a translation. Takes the marks out of the tree; reports a mark above no block.
std::vector<TextBlock> take_blocks(Node& document, const Source& source, const FrontMatter& front,
                                   Diagnostics& diagnostics);

// For each block of the translation the block of the original that it translates, or -1.
struct Pairing {
  std::vector<int> original;  // by the translation's block
  std::vector<bool> current;  // whether that block is still as it was
  std::vector<int> missing;   // blocks of the original that nothing here translates
};
Pairing pair_blocks(const std::vector<TextBlock>& translation,
                    const std::vector<TextBlock>& original);

// Gives the translation's headings the ids, and everything the numbers, of the original; notes what is
// stale, and which blocks of the original the page shows because they are not translated, and reports both as warnings.
void align(ChapterIndex& translation, const ChapterIndex& original, const LateSource& text,
           const LateSource& original_text, Diagnostics& diagnostics);

}  // namespace primer
