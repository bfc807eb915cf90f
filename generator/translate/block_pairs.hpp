// A translation beside its original, block by block, as an author reads them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

struct BlockPair {
  // unmarked: nothing says what it translates; extra: the original has no such block; missing: the translation has none.
  enum class State { current, stale, unmarked, extra, missing };
  struct Lines {
    int first = 0,
        end = 0;       // 1-based, the end is the line after the last; 0: there is no such block
    std::string text;  // without the blank lines at its end
  };
  State state = State::current;
  std::string kind;  // "a paragraph"
  Lines here, there;
};

// In the order of the translation; what it lacks stands where it would be. Nothing after a diagnostic.
std::optional<std::vector<BlockPair>> block_pairs(const FileSystem& files, const std::string& file,
                                                  Diagnostics& diagnostics);

}  // namespace primer
