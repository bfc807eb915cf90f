#include "generator/core/pictures/image.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <system_error>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/pictures/raster.hpp"
#include "generator/core/pictures/svg_image.hpp"

namespace primer {
namespace {
using figures::Error;
using figures::Result;
using figures::Status;

constexpr double largest = 65535;

std::optional<ImageSize> sized(double width, double height) {
  const auto fits = [](double side) { return side >= 0.5 && side <= largest; };
  if (!fits(width) || !fits(height)) return std::nullopt;
  return ImageSize{static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height))};
}

// Removes a number, with spaces and commas around it, from the start of `text`.
std::optional<double> take_number(std::string_view& text) {
  constexpr std::string_view separators = " \t\r\n,";
  const auto strip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  };
  strip();
  double value = 0;
  const auto [end, failure] = read_real(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  strip();
  return value;
}

// "720", "720px" or "61.5pt" in pixels. Nothing for "100%" and "2em", which depend on the context.
Result<std::optional<double>> pixels(std::string_view text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},    {"px", 1},         {"pt", 96 / 72.0},  {"pc", 16},
      {"in", 96}, {"cm", 96 / 2.54}, {"mm", 9.6 / 2.54}, {"Q", 2.4 / 2.54}};
  std::string_view rest = text;
  const auto value = take_number(rest);
  if (value && *value > 0) {
    for (const auto& [unit, length] : units) {
      if (rest == unit) return std::optional(*value * length);
    }
    if (rest == "%" || rest == "em" || rest == "ex") return std::optional<double>();
  }
  if (text == "auto") return std::optional<double>();
  return Error("its width or height, " + in_quotes(text.substr(0, 40)) +
               ", is not a size that can be drawn");
}

// The width and height of a viewBox.
Result<std::pair<double, double>> box_sides(std::string_view box) {
  double numbers[4] = {};
  for (double& number : numbers) {
    const auto value = take_number(box);
    if (!value) return Error("its viewBox has not four numbers");
    number = *value;
  }
  if (!box.empty() || numbers[2] <= 0 || numbers[3] <= 0)
    return Error("its viewBox has no sides above 0");
  return std::pair(numbers[2], numbers[3]);
}

}  // namespace

Result<std::optional<ImageSize>> drawing_size(std::string_view width, std::string_view height,
                                              std::string_view view_box) {
  std::optional<double> sides[2];
  for (const int i : {0, 1}) {
    const std::string_view text = i == 0 ? width : height;
    if (text.empty()) continue;
    const auto side = pixels(text);
    if (!side) return side.error();
    sides[i] = side.value();
  }
  std::optional<std::pair<double, double>> box;
  if (!view_box.empty()) {
    const auto of_box = box_sides(view_box);
    if (!of_box) return of_box.error();
    box = of_box.value();
  }
  if (sides[0] && sides[1]) box = std::pair(*sides[0], *sides[1]);
  if (!box) return std::optional<ImageSize>();
  const auto size = sized(box->first, box->second);
  if (!size && (width.empty() || height.empty() || (sides[0] && sides[1]))) {
    return Error("each side must have 1 to 65535 pixels");
  }
  return size;
}

namespace {

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

namespace {

struct Ending {
  std::string_view ending, type, kind;  // `kind` for messages
  RasterKind raster;                    // none: an SVG drawing
};
constexpr Ending endings[] = {
    {".svg", "image/svg+xml", "SVG", RasterKind::none},
    {".png", "image/png", "PNG", RasterKind::png},
    {".jpg", "image/jpeg", "JPEG", RasterKind::jpeg},
    {".jpeg", "image/jpeg", "JPEG", RasterKind::jpeg},
    {".webp", "image/webp", "WebP", RasterKind::webp},
};

const Ending* ending_of(std::string_view name) {
  const auto found = std::find_if(std::begin(endings), std::end(endings),
                                  [&](const Ending& one) { return name.ends_with(one.ending); });
  return found == std::end(endings) ? nullptr : found;
}

Error other_kind(const Ending& named, RasterKind found) {
  for (const auto& one : endings) {
    if (found != RasterKind::none && one.raster == found) {
      return Error("it is a " + std::string(one.kind) + " file: name it " +
                   std::string(one.ending));
    }
  }
  return Error("it is not a " + std::string(named.kind) + " file");
}

Result<RasterFile> stripped(RasterKind kind, std::string_view bytes) {
  auto file = kind == RasterKind::png    ? strip_png(bytes)
              : kind == RasterKind::jpeg ? strip_jpeg(bytes)
                                         : strip_webp(bytes);
  if (!file || file->orientation == 1 || kind == RasterKind::jpeg) return file;
  return Error("only its Exif data rotate it: rotate it in an image editor and save it again");
}

// The size; from the cache if these bytes were decoded before.
Result<ImageSize> decoded(RasterKind kind, std::string_view bytes, Cache* cache) {
  const std::string key = pack("an image that could be decoded", digest(bytes));
  const auto known = cache ? cache->find(Cache::Kind::figure, key) : std::nullopt;
  if (ImageSize sides; known && unpack(*known, sides.width, sides.height)) return sides;
  auto size = kind == RasterKind::png    ? decode_png(bytes)
              : kind == RasterKind::jpeg ? decode_jpeg(bytes)
                                         : decode_webp(bytes);
  if (size && cache) cache->store(Cache::Kind::figure, key, pack(size->width, size->height));
  return size;
}

Result<Image> clean_raster(const Ending& named, std::string_view bytes, Cache* cache) {
  if (bytes.size() > most_raster_bytes) {
    return Error("it has " + std::to_string(bytes.size()) + " bytes, the limit is " +
                 std::to_string(most_raster_bytes) + ": make it smaller");
  }
  if (raster_kind(bytes) != named.raster) return other_kind(named, raster_kind(bytes));
  auto file = stripped(named.raster, bytes);
  if (!file) return file.error();
  const auto size = decoded(named.raster, file->bytes, cache);
  if (!size) return size.error();
  if (file->orientation == 1) return Image{std::move(file->bytes), *size};
  auto upright = upright_jpeg(file->bytes, file->orientation);
  if (!upright) return upright.error();
  const auto turned = decoded(named.raster, upright.value(), cache);
  if (!turned) return turned.error();
  return Image{std::move(upright.value()), *turned};
}

}  // namespace

const std::string_view image_endings = ".svg, .png, .jpg, .jpeg or .webp";

std::string image_name_fault(std::string_view name) {
  // Some file systems treat "e" plus a combining accent and the precomposed letter as one name.
  for (const char32_t c : code_points(name)) {
    if (c < 0x300 || c > 0x36F) continue;
    return "the name contains a combining accent (U+0300 to U+036F): use the accented letter, or "
           "one without an accent";
  }
  if (ending_of(name)) return {};
  const Ending* meant = ending_of(figures::lower(name));
  const std::string kinds = "images are SVG, PNG, JPEG or WebP files";
  if (!meant) return kinds + ", whose names end in " + std::string(image_endings);
  const std::string renamed =
      std::string(name.substr(0, name.size() - meant->ending.size())) + std::string(meant->ending);
  return kinds + ", whose names end in lower case: name it " +
         in_quotes(renamed.substr(renamed.rfind('/') + 1));
}

std::string_view image_type(std::string_view name) { return ending_of(name)->type; }

Result<Image> clean_image(std::string_view name, std::string_view bytes, Cache* cache) {
  const Ending* ending = ending_of(name);
  if (!ending) return Error(image_name_fault(name));
  if (ending->raster != RasterKind::none) return clean_raster(*ending, bytes, cache);
  if (raster_kind(bytes) != RasterKind::none) return other_kind(*ending, raster_kind(bytes));
  auto drawing = clean_svg(bytes);
  if (!drawing) return drawing.error();
  return Image{std::move(drawing->bytes), drawing->size};
}

}  // namespace primer
