// The intrinsic size of an image, so that a page keeps its place free before it is loaded.
#pragma once

#include <optional>
#include <string_view>

namespace primer {

struct ImageSize {
  int width = 0, height = 0;  // CSS pixels, at least 1
};

// What a PNG's header says, or an SVG's width and height, or else its viewBox. Nothing when the
// bytes say no size in pixels.
std::optional<ImageSize> image_size(std::string_view bytes);

}  // namespace primer
