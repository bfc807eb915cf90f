// A page of a book and its translation, read as blocks.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/index/translation.hpp"
#include "generator/load/book.hpp"

namespace primer {

struct BlockText {
  Source source;
  std::vector<TextBlock> blocks;
};

// Nothing when the page cannot be read, which `primer check` reports in full.
std::optional<BlockText> read_blocks(const FileSystem& files, const std::string& file,
                                     bool translation, Diagnostics& diagnostics);

struct TranslatedPage {
  BlockText here, there;  // the translation, the original
};

// Nothing after a diagnostic: `file` translates no page of the book, or one of the two cannot be read.
std::optional<TranslatedPage> read_translated_page(const FileSystem& files, const Book& book,
                                                   const std::string& file,
                                                   Diagnostics& diagnostics);

}  // namespace primer
