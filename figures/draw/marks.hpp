// Marks that repeat the meaning of a color or show something that no axis can: hatching, cells,
// frames.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "figures/base/geometry.hpp"
#include "figures/draw/svg.hpp"
#include "figures/draw/theme.hpp"

namespace figures {

// The color for an area with the same meaning as a line or a text in `colour`.
std::string_view area_colour(std::string_view colour, const Palette& palette);

// Parallel lines from bottom left to top right, clipped to `box`, as path data. One path needs no
// pattern with an id. `pitch` is the distance between lines along x, in px.
std::string hatching(const Box& box, double pitch);

// Draws lines in the color of the paper over an area of bytes, so that it differs from an area of
// compute without color, and over a teal area, which would otherwise equal ochre. Does nothing for
// other fills.
void hatch_area(Svg& svg, const Box& box, std::string_view fill, const Palette& palette);

}  // namespace figures
