#include "figures/models/knobs/digits.hpp"

#include "figures/models/random.hpp"

namespace figures::models {
namespace {

constexpr int glyph_rows = 7, glyph_columns = 5;
constexpr double noise = 0.25;  // standard deviation

constexpr const char* glyphs[digit_kinds] = {
    " ### "
    "#   #"
    "#  ##"
    "# # #"
    "##  #"
    "#   #"
    " ### ",
    "  #  "
    " ##  "
    "  #  "
    "  #  "
    "  #  "
    "  #  "
    " ### ",
    " ### "
    "#   #"
    "    #"
    "   # "
    "  #  "
    " #   "
    "#####",
    " ### "
    "#   #"
    "    #"
    "  ## "
    "    #"
    "#   #"
    " ### ",
    "   # "
    "  ## "
    " # # "
    "#  # "
    "#####"
    "   # "
    "   # ",
    "#####"
    "#    "
    "#### "
    "    #"
    "    #"
    "#   #"
    " ### ",
    "  ## "
    " #   "
    "#    "
    "#### "
    "#   #"
    "#   #"
    " ### ",
    "#####"
    "    #"
    "   # "
    "  #  "
    "  #  "
    " #   "
    " #   ",
    " ### "
    "#   #"
    "#   #"
    " ### "
    "#   #"
    "#   #"
    " ### ",
    " ### "
    "#   #"
    "#   #"
    " ####"
    "    #"
    "   # "
    " ##  "};

Digit draw_digit(int kind, Random& random) {
  Digit digit;
  digit.kind = kind;
  const int right = random.below(digit_side - glyph_columns + 1);
  const int down = random.below(digit_side - glyph_rows + 1);
  const double ink = 0.6 + 0.8 * random.share();
  for (int row = 0; row < digit_side; ++row)
    for (int column = 0; column < digit_side; ++column) {
      const int y = row - down, x = column - right;
      const bool on = y >= 0 && y < glyph_rows && x >= 0 && x < glyph_columns &&
                      glyphs[kind][y * glyph_columns + x] == '#';
      digit.pixels[row * digit_side + column] =
          static_cast<float>((on ? ink : 0) + noise * random.bell());
    }
  return digit;
}

}  // namespace

std::vector<Digit> draw_digits(int count, unsigned seed) {
  Random random(seed);
  std::vector<Digit> digits;
  digits.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) digits.push_back(draw_digit(i % digit_kinds, random));
  return digits;
}

}  // namespace figures::models
