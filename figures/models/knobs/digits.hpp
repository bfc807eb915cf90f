// Small images of digits: ten glyphs of 5×7 dots, shifted on 8×8 pixels, brighter or darker, with
// noise. The seed is fixed, so every build draws the same images.
#pragma once

#include <array>
#include <string>
#include <vector>

namespace figures::models {

constexpr int digit_side = 8, digit_pixels = digit_side * digit_side, digit_kinds = 10;

struct Digit {
  std::array<float, digit_pixels> pixels{};  // row by row; paper is about 0, ink about 1
  int kind = 0;                              // 0 to 9
};

// Draws `count` digits, from 0 to 9 in turn.
std::vector<Digit> draw_digits(int count, unsigned seed);

}  // namespace figures::models
