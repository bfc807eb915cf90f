// Raster files taken apart: the parts that draw stay, everything else (Exif, colour profiles, comments,
// previews, bytes after the end) goes. Nothing is decoded here.
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

enum class RasterKind { none, png, jpeg, webp };

// By a file's first bytes.
RasterKind raster_kind(std::string_view bytes);

struct RasterFile {
  std::string bytes;    // the file again, of what is needed to draw it
  int orientation = 1;  // as Exif numbers it; 1: it is upright
};

// Errors: a file that ends too early, one that moves, one of a rare kind that browsers do not show.
figures::Result<RasterFile> strip_png(std::string_view bytes);
figures::Result<RasterFile> strip_jpeg(std::string_view bytes);
figures::Result<RasterFile> strip_webp(std::string_view bytes);

}  // namespace primer
