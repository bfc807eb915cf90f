// Implements raster.hpp without decoders. It reads the size of an image from its header and leaves
// it to `primer build` to check the rest. Images that a build has decoded are in the cache
// (clean_image()).
#include <cstdint>
#include <initializer_list>

#include "generator/core/pictures/raster.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

// Reads bytes at these offsets as a big-endian number. Beyond the end they are zero.
unsigned number_at(std::string_view bytes, std::initializer_list<std::size_t> places) {
  unsigned value = 0;
  for (const std::size_t at : places)
    value = value << 8 | (at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0);
  return value;
}

}  // namespace

Result<ImageSize> decode_png(std::string_view bytes) {
  return bounded_size(number_at(bytes, {16, 17, 18, 19}), number_at(bytes, {20, 21, 22, 23}));
}

// strip_jpeg() has already checked that every segment is complete and that frames have these kinds.
Result<ImageSize> decode_jpeg(std::string_view bytes) {
  for (std::size_t at = 2; at + 4 < bytes.size();) {
    const unsigned marker = number_at(bytes, {at + 1});
    if (marker >= 0xC0 && marker <= 0xC2)
      return bounded_size(number_at(bytes, {at + 7, at + 8}), number_at(bytes, {at + 5, at + 6}));
    at += 2 + static_cast<std::size_t>(number_at(bytes, {at + 2, at + 3}));
  }
  return Error("the JPEG file is damaged or cut off (it has no header): save it again");
}

Result<ImageSize> decode_webp(std::string_view bytes) {
  const std::string_view name = bytes.substr(0, 16).substr(std::min<std::size_t>(12, bytes.size()));
  constexpr unsigned side = 0x3FFF;
  if (name == "VP8X") {
    return bounded_size(number_at(bytes, {26, 25, 24}) + 1, number_at(bytes, {29, 28, 27}) + 1);
  }
  if (name == "VP8 ") {
    return bounded_size(number_at(bytes, {27, 26}) & side, number_at(bytes, {29, 28}) & side);
  }
  if (name == "VP8L") {
    const unsigned bits = number_at(bytes, {24, 23, 22, 21});
    return bounded_size((bits & side) + 1, (bits >> 14 & side) + 1);
  }
  return Error("the WebP file is damaged or cut off (it has no header): save it again");
}

Result<std::string> upright_jpeg(std::string_view, int) {
  return Error("only its Exif data rotate it: rotate it in an image editor and save it again");
}

}  // namespace primer
