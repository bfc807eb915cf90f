// Compares a translation with its original, and `primer translate stamp`: writes the marks that say
// which version of the original a block translates (translation.hpp).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/index/translation.hpp"
#include "generator/core/load/book.hpp"

namespace primer {

// A block of a translation and its original, for display.

struct BlockPair {
  // unmarked: no mark says what it translates; extra: the original has no such block; missing: the
  // translation has none.
  enum class State { current, stale, unmarked, extra, missing };
  struct Lines {
    // Lines counted from 1, `end` is exclusive; 0: there is no such block.
    int first = 0, end = 0;
    std::string text;  // without blank lines at its end
  };
  State state = State::current;
  std::string kind;  // "a paragraph"
  Lines here, there;
};

// In the order of the translation; a missing block is where it would belong. No value after a
// diagnostic.
std::optional<std::vector<BlockPair>> block_pairs(const FileSystem& files, const std::string& file,
                                                  Diagnostics& diagnostics);

// A page as blocks.

struct BlockText {
  Source source;
  std::vector<TextBlock> blocks;
};

// No value if the page cannot be read, which `primer check` reports in full.
std::optional<BlockText> read_blocks(const FileSystem& files, const std::string& file,
                                     bool translation, Diagnostics& diagnostics);

struct TranslatedPage {
  BlockText here, there;  // the translation and the original
};

// No value after a diagnostic: `file` translates no page of the book, or one of the two cannot be
// read.
std::optional<TranslatedPage> read_translated_page(const FileSystem& files, const Book& book,
                                                   const std::string& file,
                                                   Diagnostics& diagnostics);

// The translation with marks for the present text of the original. With a line, marks the block
// that contains it or is the first above it. Without a line, marks all blocks, which must then have
// the same kinds in the same order as the original's. No value after a diagnostic.
std::optional<std::string> stamped(const FileSystem& files, const std::string& file,
                                   std::optional<int> line, Diagnostics& diagnostics);

// After numbers have been corrected: marks each block of a translation that was up to date and has
// changed together with its original. `before` and `after` are the book before and after the
// correction, which changed the files `changed`. Returns the new text of each translation with a
// new mark.
std::map<std::string, std::string> stamped_alike(const FileSystem& before, const FileSystem& after,
                                                 const std::set<std::string>& changed);

// Applies the fixes of diagnostics (fixed_files()) to `now` and marks the blocks that have changed
// alike since `before`. Returns the changed files and adds their names to `changed`, the files in
// which `now` differs from `before`.
std::map<std::string, std::string> fixed_alike(const FileSystem& before, const FileSystem& now,
                                               const std::vector<Diagnostic>& sorted,
                                               std::set<std::string>& changed);

}  // namespace primer
