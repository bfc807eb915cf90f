// What decodes raster images. Behind this header stand libpng, libjpeg-turbo and libwebp; nothing else
// includes theirs, so that a program without them needs another raster.cpp and no more.
#pragma once

#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/pictures/image_size.hpp"

namespace primer {

inline constexpr std::size_t most_raster_pixels = 40'000'000;

// Each decodes every pixel, and gives the sides. An error when the bytes are not a whole image of the kind, or
// one of more than most_raster_pixels. Memory: at most some 300 MB, of one large image at a time.
figures::Result<ImageSize> decode_png(std::string_view bytes);
figures::Result<ImageSize> decode_jpeg(std::string_view bytes);
figures::Result<ImageSize> decode_webp(std::string_view bytes);

// A JPEG that is shown upright without the orientation of its Exif data (2 to 8, as Exif numbers them).
// Its blocks are turned, not coded again; a last row or column of blocks that is not whole is cut off.
figures::Result<std::string> upright_jpeg(std::string_view bytes, int orientation);

}  // namespace primer
