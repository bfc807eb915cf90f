#include "generator/core/pictures/image.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/pictures/raster.hpp"
#include "generator/core/pictures/raster_file.hpp"
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
using figures::Error;
using figures::Result;

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
