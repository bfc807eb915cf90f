// Images of chapters as they are published. Everything that shows one (pages, the e-book) takes it from
// here: no byte gets out that primer did not read, decode and write itself.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/base/cache.hpp"
#include "generator/pictures/image_size.hpp"

namespace primer {

inline constexpr std::size_t most_raster_bytes = 4'000'000;

struct Image {
  std::string bytes;
  std::optional<ImageSize> size;
};

// ".svg, .png, .jpg, .jpeg or .webp": what an image's name ends in, in words.
extern const std::string_view image_endings;
// Why a file of that name is not an image of a chapter, with what to do about it; empty when it may be one.
std::string image_name_fault(std::string_view name);
// "image/png"; of a name without a fault.
std::string_view image_type(std::string_view name);

// The image of that name as it is published: SVG as clean_svg() says; PNG, JPEG and WebP decoded to
// prove them whole, without anything that does not draw, and upright. An error's place is one in `bytes`
// where it has a length. `cache`, or null, remembers by their content which files could be decoded.
figures::Result<Image> clean_image(std::string_view name, std::string_view bytes, Cache* cache);

}  // namespace primer
