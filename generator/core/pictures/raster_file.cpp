#include "generator/core/pictures/raster_file.hpp"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

constexpr std::string_view png_signature = "\x89PNG\r\n\x1a\n";

std::uint32_t byte_at(std::string_view bytes, std::size_t at) {
  return at < bytes.size() ? static_cast<unsigned char>(bytes[at]) : 0;
}

// Bytes beyond the end count as zero.
std::uint32_t big_endian(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = 0; i < count; ++i)
    value = value << 8 | byte_at(bytes, at + static_cast<std::size_t>(i));
  return value;
}

std::uint32_t little_endian(std::string_view bytes, std::size_t at, int count) {
  std::uint32_t value = 0;
  for (int i = count; i-- > 0;)
    value = value << 8 | byte_at(bytes, at + static_cast<std::size_t>(i));
  return value;
}

Error cut_off(const char* kind) {
  return Error(std::string("the ") + kind + " file is damaged or cut off: save it again");
}

// The orientation in the first directory of Exif data; 1 if it is missing or invalid.
int exif_orientation(std::string_view tiff) {
  if (tiff.starts_with(std::string_view("Exif\0\0", 6))) tiff.remove_prefix(6);
  const bool little = tiff.starts_with("II");
  if (!little && !tiff.starts_with("MM")) return 1;
  const auto number = [&](std::size_t at, int count) {
    return little ? little_endian(tiff, at, count) : big_endian(tiff, at, count);
  };
  const std::size_t directory = number(4, 4);
  if (directory >= tiff.size()) return 1;
  const std::uint32_t entries = number(directory, 2);
  for (std::uint32_t i = 0; i < entries; ++i) {
    const std::size_t entry = directory + 2 + std::size_t{12} * i;
    if (entry + 12 > tiff.size()) return 1;
    constexpr std::uint32_t orientation = 0x0112;
    if (number(entry, 2) != orientation) continue;
    const auto value = static_cast<int>(number(entry + 8, 2));
    return value >= 1 && value <= 8 ? value : 1;
  }
  return 1;
}

// The published form of a JPEG segment. Drops comments and application segments, except the two
// that affect colors (JFIF, Adobe), which lose their optional parts.
std::string kept_segment(std::uint32_t marker, std::string_view whole) {
  const std::string_view content = whole.substr(4);
  constexpr std::uint32_t app0 = 0xE0, app14 = 0xEE, app15 = 0xEF, comment = 0xFE;
  if (marker == app0 && content.starts_with(std::string_view("JFIF\0", 5)) &&
      content.size() >= 12) {
    return std::string("\xFF\xE0\0\x10", 4) + std::string(content.substr(0, 12)) +
           std::string(2, '\0');
  }
  if (marker == app14 && content.starts_with("Adobe") && content.size() >= 12) {
    return std::string("\xFF\xEE\0\x0E", 4) + std::string(content.substr(0, 12));
  }
  if ((marker >= app0 && marker <= app15) || marker == comment) return {};
  return std::string(whole);
}

// Where the entropy-coded data that starts at `at` ends: at the next marker that is not part of it.
std::size_t scan_end(std::string_view bytes, std::size_t at) {
  for (at = bytes.find('\xFF', at); at != bytes.npos; at = bytes.find('\xFF', at + 1)) {
    const std::uint32_t next = byte_at(bytes, at + 1);
    if (next != 0 && next != 0xFF && !(next >= 0xD0 && next <= 0xD7)) return at;
  }
  return bytes.size();
}

}  // namespace

RasterKind raster_kind(std::string_view bytes) {
  if (bytes.starts_with(png_signature)) return RasterKind::png;
  if (bytes.starts_with("\xFF\xD8\xFF")) return RasterKind::jpeg;
  if (bytes.starts_with("RIFF") && bytes.substr(0, 12).ends_with("WEBP")) return RasterKind::webp;
  return RasterKind::none;
}

Result<RasterFile> strip_png(std::string_view bytes) {
  RasterFile file{std::string(png_signature), 1};
  for (std::size_t at = png_signature.size();;) {
    const std::size_t length = big_endian(bytes, at, 4);
    if (at + 12 > bytes.size() || length > bytes.size() - at - 12) return cut_off("PNG");
    const std::string_view name = bytes.substr(at + 4, 4);
    if (is_one_of(name, {"acTL", "fcTL", "fdAT"}))
      return Error("animated PNG files are not supported: save a single frame");
    const bool drawn =
        is_one_of(name, {"IHDR", "PLTE", "IDAT", "IEND", "tRNS", "gAMA", "cHRM", "sRGB", "sBIT"});
    if (drawn) file.bytes += bytes.substr(at, length + 12);
    else if ((byte_at(name, 0) & 0x20) == 0)
      return Error("the PNG has an unknown chunk: save it again");
    if (name == "eXIf") file.orientation = exif_orientation(bytes.substr(at + 8, length));
    if (name == "IEND") return file;
    at += length + 12;
  }
}

Result<RasterFile> strip_jpeg(std::string_view bytes) {
  RasterFile file{std::string(bytes.substr(0, 2)), 1};
  constexpr std::uint32_t baseline = 0xC0, progressive = 0xC2, tables = 0xC4, scan = 0xDA,
                          end = 0xD9, app1 = 0xE1;
  for (std::size_t at = 2;;) {
    while (byte_at(bytes, at) == 0xFF && byte_at(bytes, at + 1) == 0xFF) ++at;  // padding
    if (byte_at(bytes, at) != 0xFF) return cut_off("JPEG");
    const std::uint32_t marker = byte_at(bytes, at + 1);
    if (marker == end) {
      file.bytes += bytes.substr(at, 2);
      return file;
    }
    const std::size_t length = big_endian(bytes, at + 2, 2);
    if (length < 2 || at + 2 + length > bytes.size()) return cut_off("JPEG");
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != tables;
    if (frame && (marker < baseline || marker > progressive)) {
      return Error("browsers do not show this kind of JPEG: save it as baseline or progressive");
    }
    const std::string_view whole = bytes.substr(at, length + 2);
    if (marker == app1 && whole.substr(4).starts_with(std::string_view("Exif\0\0", 6))) {
      file.orientation = exif_orientation(whole.substr(4));
    }
    file.bytes += kept_segment(marker, whole);
    at += length + 2;
    if (marker != scan) continue;
    const std::size_t behind = scan_end(bytes, at);
    file.bytes += bytes.substr(at, behind - at);
    at = behind;
  }
}

Result<RasterFile> strip_webp(std::string_view bytes) {
  const std::size_t size = little_endian(bytes, 4, 4);
  if (size < 4 || size + 8 > bytes.size()) return cut_off("WebP");
  const std::string_view all = bytes.substr(0, size + 8);
  RasterFile file;
  std::string head, drawn;
  bool alpha = false;
  for (std::size_t at = 12; at < all.size();) {
    const std::size_t length = little_endian(all, at + 4, 4);
    if (at + 8 > all.size() || length > all.size() - at - 8) return cut_off("WebP");
    const std::string_view name = all.substr(at, 4);
    const std::size_t whole = 8 + length + length % 2;
    if (is_one_of(name, {"ANIM", "ANMF"}))
      return Error("animated WebP files are not supported: save a single frame");
    if (name == "VP8X") head = all.substr(at, whole);
    if (name == "EXIF") file.orientation = exif_orientation(all.substr(at + 8, length));
    if (name == "ALPH") alpha = true;
    if (is_one_of(name, {"ALPH", "VP8 ", "VP8L"})) {
      drawn += all.substr(at, 8 + length);
      if (length % 2 != 0) drawn += '\0';
    }
    at += whole;
  }
  // Only transparency with lossy pixels needs the header of the extended format.
  if (!alpha) head.clear();
  constexpr char has_alpha = 0x10;
  if (head.size() > 8) head[8] = has_alpha;
  drawn = "WEBP" + head + drawn;
  file.bytes = "RIFF";
  for (int shift = 0; shift < 32; shift += 8)
    file.bytes += static_cast<char>(drawn.size() >> shift & 0xFF);
  file.bytes += drawn;
  return file;
}

}  // namespace primer
