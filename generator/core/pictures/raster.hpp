// Decodes raster images. Only raster.cpp includes libpng, libjpeg-turbo and libwebp, so a program
// without these libraries just needs another raster.cpp.
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/core/pictures/image.hpp"

namespace primer {

inline constexpr unsigned long long most_raster_megapixels = 40;

// Fails if an image is too large to decode, or empty.
inline figures::Result<ImageSize> bounded_size(unsigned long long width,
                                               unsigned long long height) {
  constexpr unsigned long long longest = 65535;
  if (width == 0 || height == 0) return figures::Error("the image has no pixels");
  if (width <= longest && height <= longest && width * height <= most_raster_megapixels * 1'000'000)
    return ImageSize{static_cast<int>(width), static_cast<int>(height)};
  return figures::Error("the image has " + std::to_string(width) + " × " + std::to_string(height) +
                        " pixels, the limit is " + std::to_string(most_raster_megapixels) +
                        " million: make it smaller");
}

// Decode every pixel and return the size. Fail if the bytes are not a complete image of the format,
// or if it has more than most_raster_megapixels. Memory: up to about 300 MB, for one large image at
// a time.
figures::Result<ImageSize> decode_png(std::string_view bytes);
figures::Result<ImageSize> decode_jpeg(std::string_view bytes);
figures::Result<ImageSize> decode_webp(std::string_view bytes);

// Turns a JPEG with Exif orientation 2 to 8 upright, so that it needs no Exif data. Moves blocks
// instead of re-encoding, so it is lossless, except that partial blocks at the right and bottom
// edges are cut off.
figures::Result<std::string> upright_jpeg(std::string_view bytes, int orientation);

}  // namespace primer
