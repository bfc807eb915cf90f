// The colour code of every figure: bandwidth one hue, compute another, the reader's machine a
// third, the reference machine grey once the reader's is there; teal and ochre for categories that
// are none of these. It never changes between figures, and it is never the only difference (lines
// are labelled, points differ in shape, areas of bytes are hatched).
#pragma once

#include <array>
#include <string_view>

namespace figures {

// css: colours as variables of the page's style sheet. The others carry resolved colours, for EPUB,
// feed, card and download; their text has a contrast of at least 4.5 with the paper (tested).
enum class Theme { css, light, dark, print };

struct Palette {
  std::string_view ink, ink_soft, paper, rule, bandwidth, compute, reader, reference;
  std::string_view teal, ochre, grid;
  // Of areas, which would glare in the dark where a line or a word does not.
  std::string_view bandwidth_bar, compute_bar;
};

// Static storage.
const Palette& palette(Theme theme);

// The colours in the order of Palette, for tests and for the page's style sheet check.
std::array<std::string_view, 13> colours_of(const Palette& palette);

}  // namespace figures
