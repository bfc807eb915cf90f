// Small pictures of digits, drawn by the book: ten glyphs of 5×7 dots, moved about on 8×8 pixels,
// brighter or darker, under noise. Seeded: the same pictures in every build.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace figures::models {

constexpr int digit_side = 8, digit_pixels = digit_side * digit_side, digit_kinds = 10;

struct Digit {
  std::array<float, digit_pixels> pixels{};  // row by row; about 0 is paper, about 1 ink
  int kind = 0;                              // 0 to 9
};

// `count` of them, the kinds in turn.
std::vector<Digit> draw_digits(int count, unsigned seed);

}  // namespace figures::models
