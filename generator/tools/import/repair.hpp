// Makes an imported chapter build. `primer check` reports what the book refuses and book.yaml cannot
// make a warning. Each such place is rewritten so that its text stays: a refused link becomes its
// text and its address, an invisible character is removed, and any other block is quoted as a block
// of text.
#pragma once

#include <string>
#include <vector>

#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

struct Repaired {
  std::string text;
  struct Change {
    std::string what, now;
    int line = 0;
  };
  std::vector<Change> changes;
};

// `errors` are those of this file.
Repaired repaired_chapter(const std::string& file, const std::string& text,
                          const std::vector<Diagnostic>& errors);

}  // namespace primer
