// raster.hpp without the libraries that decode: the sides are read from an image's head, and whether the rest is whole is for
// the build to say. Pictures that the book's own build has decoded are found in the cache (clean_image()).
#include <cstdint>
#include <initializer_list>

#include "generator/pictures/raster.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

// Bytes at these places, the most significant first; beyond the end there are zeros.
int number_at(std::string_view bytes, std::initializer_list<std::size_t> places) {
  std::uint32_t value = 0;
  for (const std::size_t at : places)
    value = value << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0);
  return static_cast<int>(value);
}

Result<ImageSize> bounded(int width, int height) {
  constexpr int longest = 65535;
  const auto pixels =
      static_cast<unsigned long long>(width) * static_cast<unsigned long long>(height);
  if (width <= 0 || height <= 0) return Error("the image has no pixels");
  if (width <= longest && height <= longest && pixels <= most_raster_pixels)
    return ImageSize{width, height};
  return Error("the image has " + std::to_string(width) + " × " + std::to_string(height) +
               " pixels, the limit is 40 million: make it smaller");
}

}  // namespace

Result<ImageSize> decode_png(std::string_view bytes) {
  return bounded(number_at(bytes, {16, 17, 18, 19}), number_at(bytes, {20, 21, 22, 23}));
}

// strip_jpeg() has found every segment to be whole, and frames of these kinds alone.
Result<ImageSize> decode_jpeg(std::string_view bytes) {
  for (std::size_t at = 2; at + 4 < bytes.size();) {
    const int marker = number_at(bytes, {at + 1});
    if (marker >= 0xC0 && marker <= 0xC2)
      return bounded(number_at(bytes, {at + 7, at + 8}), number_at(bytes, {at + 5, at + 6}));
    at += 2 + static_cast<std::size_t>(number_at(bytes, {at + 2, at + 3}));
  }
  return Error("the JPEG file is damaged or cut off (it has no head): save it again");
}

Result<ImageSize> decode_webp(std::string_view bytes) {
  const std::string_view name = bytes.substr(0, 16).substr(std::min<std::size_t>(12, bytes.size()));
  constexpr int side = 0x3FFF;
  if (name == "VP8X") {
    return bounded(number_at(bytes, {26, 25, 24}) + 1, number_at(bytes, {29, 28, 27}) + 1);
  }
  if (name == "VP8 ") {
    return bounded(number_at(bytes, {27, 26}) & side, number_at(bytes, {29, 28}) & side);
  }
  if (name == "VP8L") {
    const int bits = number_at(bytes, {24, 23, 22, 21});
    return bounded((bits & side) + 1, (bits >> 14 & side) + 1);
  }
  return Error("the WebP file is damaged or cut off (it has no head): save it again");
}

Result<std::string> upright_jpeg(std::string_view, int) {
  return Error("it is turned by its Exif data only: turn it in a picture editor and save it again");
}

}  // namespace primer
