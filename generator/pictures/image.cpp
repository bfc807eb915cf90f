#include "generator/pictures/image.hpp"

#include <algorithm>
#include <utility>

#include "figures/base/ascii.hpp"
#include "generator/base/characters.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/text.hpp"
#include "generator/pictures/raster.hpp"
#include "generator/pictures/raster_file.hpp"
#include "generator/pictures/svg_image.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;

struct Ending {
  std::string_view ending, type, kind;  // the kind in words
  RasterKind raster;                    // none: a drawing
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
  return Error("it is no " + std::string(named.kind) + " file");
}

Result<RasterFile> stripped(RasterKind kind, std::string_view bytes) {
  auto file = kind == RasterKind::png    ? strip_png(bytes)
              : kind == RasterKind::jpeg ? strip_jpeg(bytes)
                                         : strip_webp(bytes);
  if (!file || file->orientation == 1 || kind == RasterKind::jpeg) return file;
  return Error("it is turned by its Exif data only: turn it in a picture editor and save it again");
}

// The sides; from the cache where these bytes were decoded before.
Result<ImageSize> decoded(RasterKind kind, std::string_view bytes, Cache* cache) {
  Packer key;
  key.add(std::string("an image that could be decoded"));
  key.add(digest(bytes));
  const auto known = cache ? cache->find(Cache::Kind::figure, key.bytes) : std::nullopt;
  if (known) {
    Unpacker unpacker(*known);
    std::uint64_t width = 0, height = 0;
    unpacker.take(width);
    unpacker.take(height);
    if (unpacker.whole()) return ImageSize{static_cast<int>(width), static_cast<int>(height)};
  }
  auto size = kind == RasterKind::png    ? decode_png(bytes)
              : kind == RasterKind::jpeg ? decode_jpeg(bytes)
                                         : decode_webp(bytes);
  if (!size || !cache) return size;
  Packer sides;
  sides.add(static_cast<std::uint64_t>(size->width));
  sides.add(static_cast<std::uint64_t>(size->height));
  cache->store(Cache::Kind::figure, key.bytes, std::move(sides.bytes));
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
  // Some file systems take "e" with an accent after it for the one letter that is both, and have one file for two.
  for (const char32_t c : code_points(name)) {
    if (c < 0x300 || c > 0x36F) continue;
    return "the name holds an accent that is a character of its own (U+0300 to U+036F): write the letter that has it, "
           "or one without";
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
