// The color code of every figure: one hue for bandwidth, another for compute, a third for the
// reader's machine, and gray for the reference machine once the reader has measured. Teal and ochre
// are for other categories. The code is the same in all figures, and color is never the only
// difference: lines are labeled, points differ in shape, and areas of bytes are hatched.
#pragma once

#include <array>
#include <string_view>

namespace figures {

// css: colors are variables of the page's style sheet. The other themes have literal colors, for
// the e-book, feed, card and download; their text has a contrast of at least 4.5 with the paper (a
// test checks this).
enum class Theme { css, light, dark, print };

struct Palette {
  std::string_view ink, ink_soft, paper, rule, bandwidth, compute, reader, reference;
  std::string_view teal, ochre, grid;
  // Colors of areas. In the dark theme, an area would glare in the color of a line or a text.
  std::string_view bandwidth_bar, compute_bar;
};

// The reference is valid for the whole program.
const Palette& palette(Theme theme);

// The colors in the order of Palette, for tests and for the check of the page's style sheet.
std::array<std::string_view, 13> colours_of(const Palette& palette);

}  // namespace figures
