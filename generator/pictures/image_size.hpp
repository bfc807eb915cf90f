// The intrinsic size of an image, so that a page keeps its place free before it is loaded.
#pragma once

#include <optional>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

struct ImageSize {
  int width = 0, height = 0;  // CSS pixels, at least 1
};

// Of a drawing, by the attributes of its <svg>: width and height in any absolute unit, or else its
// viewBox. Nothing when they say none ("100%" and no viewBox). An error when they cannot be drawn: no
// numbers, not above 0, or beyond 65,535 pixels.
figures::Result<std::optional<ImageSize>> drawing_size(std::string_view width,
                                                       std::string_view height,
                                                       std::string_view view_box);

}  // namespace primer
