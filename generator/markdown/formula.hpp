// TeX in a chapter.
#pragma once

#include <cstddef>
#include <string>

namespace primer {

struct Formula {
  std::string tex;
  bool display = false;  // on lines of its own
};

inline constexpr std::size_t longest_formula = 4096;  // bytes
// Of all formulas of a book, each different one counted once, in bytes: what comes after is not converted.
inline constexpr std::size_t most_tex = 1'000'000, most_mathml = 64'000'000;

}  // namespace primer
