// Cleans the images of chapters for publication. Pages and the e-book take images only from here,
// so every published byte was parsed or decoded and then written by primer.
//
//   name, bytes --> SVG:             clean_svg()                     (svg_image.hpp)
//               --> PNG, JPEG, WebP: strip metadata, decode, upright (raster.hpp)
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/core/base/cache.hpp"

namespace primer {

// The intrinsic size of an image, with which a page reserves its space before it loads.

struct ImageSize {
  int width = 0, height = 0;  // CSS pixels, at least 1
};

// The size of a drawing by the attributes of its <svg>: width and height in any absolute unit,
// otherwise the viewBox. Returns nothing if they give no size ("100%" and no viewBox). Fails if a
// size is not a number, not above 0, or above 65,535 pixels.
figures::Result<std::optional<ImageSize>> drawing_size(std::string_view width,
                                                       std::string_view height,
                                                       std::string_view view_box);

inline constexpr std::size_t most_raster_bytes = 4'000'000;

struct Image {
  std::string bytes;
  std::optional<ImageSize> size;
};

// ".svg, .png, .jpg, .jpeg or .webp", for messages.
extern const std::string_view image_endings;
// Why a file with this name cannot be an image of a chapter, and what to do about it; empty if it
// can.
std::string image_name_fault(std::string_view name);
// The media type, "image/png". image_name_fault(name) must be empty.
std::string_view image_type(std::string_view name);

// Returns the published form of an image. SVG goes through clean_svg(). PNG, JPEG and WebP are
// decoded to prove that they are complete, lose everything that does not draw, and are turned
// upright. If an error has a length, its offset is in `bytes`. `cache` (may be null) remembers by
// content which files could be decoded.
figures::Result<Image> clean_image(std::string_view name, std::string_view bytes, Cache* cache);

// Strips raster files without decoding them: keeps the parts that draw and drops Exif, color
// profiles, comments, thumbnails and bytes after the end.

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
