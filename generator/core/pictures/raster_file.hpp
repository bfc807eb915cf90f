// Strips raster files without decoding them: keeps the parts that draw and drops Exif, color
// profiles, comments, thumbnails and bytes after the end.
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace primer {

enum class RasterKind { none, png, jpeg, webp };

// Detects the format by the first bytes.
RasterKind raster_kind(std::string_view bytes);

struct RasterFile {
  std::string bytes;    // the stripped file
  int orientation = 1;  // Exif orientation; 1: upright
};

// Fail if the file is truncated, is animated, or has a rare variant that browsers do not show.
figures::Result<RasterFile> strip_png(std::string_view bytes);
figures::Result<RasterFile> strip_jpeg(std::string_view bytes);
figures::Result<RasterFile> strip_webp(std::string_view bytes);

}  // namespace primer
