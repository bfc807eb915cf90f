// Marks that say what colour says once more, or say what no axis can: hatching, cells, frames.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "figures/base/geometry.hpp"
#include "figures/draw/svg.hpp"
#include "figures/draw/theme.hpp"

namespace figures {

// The colour of an area, given that of a line or a word of the same meaning.
std::string_view area_colour(std::string_view colour, const Palette& palette);

// Parallel lines from bottom left to top right, cut to `box`, as path data: one path, so that no
// pattern with an id is needed. `pitch` px from line to line, along x.
std::string hatching(const Box& box, double pitch);

// Lines in the colour of paper over an area of bytes, so that it differs from one of arithmetic
// without colour too, and over a teal one, which then differs from ochre; else nothing.
void hatch_area(Svg& svg, const Box& box, std::string_view fill, const Palette& palette);

}  // namespace figures
