#include "generator/core/pictures/raster.hpp"

#include <png.h>
#include <turbojpeg.h>
#include <webp/decode.h>

#include <csetjmp>
#include <cstring>
#include <memory>
#include <mutex>
#include <vector>

namespace primer {
namespace {

using figures::Error;
using figures::Result;

const unsigned char* data_of(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

Error damaged(const char* kind, const char* why) {
  return Error(std::string("the ") + kind + " file is damaged or cut off (" + why +
               "): save it again");
}

// Locks while a large image is decoded, so that several threads do not need its memory at once.
std::unique_lock<std::mutex> turn_of(const ImageSize& size) {
  static std::mutex one_at_a_time;
  constexpr long long large = 4'000'000;
  if (static_cast<long long>(size.width) * size.height < large) return {};
  return std::unique_lock(one_at_a_time);
}

// State of libpng's callbacks. libpng reports an error by longjmp, which skips destructors, so no
// object that needs one may exist in the frames that it leaves.
struct PngReading {
  std::string_view rest;
  std::jmp_buf fail;
  char why[100] = "";
};

void png_read(png_structp png, png_bytep to, std::size_t size) {
  auto& reading = *static_cast<PngReading*>(png_get_io_ptr(png));
  if (reading.rest.size() < size) png_error(png, "it ends too early");
  std::memcpy(to, reading.rest.data(), size);
  reading.rest.remove_prefix(size);
}

[[noreturn]] void png_failed(png_structp png, png_const_charp why) {
  auto& reading = *static_cast<PngReading*>(png_get_error_ptr(png));
  std::strncpy(reading.why, why, sizeof reading.why - 1);
  std::longjmp(reading.fail, 1);
}

void png_ignored(png_structp, png_const_charp) {}

// Reads every row into the same buffer. Returns false on failure, with the reason in reading.why.
bool read_rows(png_structp png, png_infop about, PngReading& reading,
               std::vector<unsigned char>& row) {
  if (setjmp(reading.fail) != 0) return false;
  const int passes = png_set_interlace_handling(png);
  png_read_update_info(png, about);
  row.resize(png_get_rowbytes(png, about));
  const auto height = png_get_image_height(png, about);
  for (int pass = 0; pass < passes; ++pass) {
    for (png_uint_32 y = 0; y < height; ++y) png_read_row(png, row.data(), nullptr);
  }
  png_read_end(png, nullptr);
  return true;
}

bool read_head(png_structp png, png_infop about, PngReading& reading) {
  if (setjmp(reading.fail) != 0) return false;
  png_set_read_fn(png, &reading, png_read);
  png_set_crc_action(png, PNG_CRC_ERROR_QUIT, PNG_CRC_ERROR_QUIT);
  png_read_info(png, about);
  return true;
}

Result<ImageSize> decode(png_structp png, png_infop about, PngReading& reading) {
  if (!read_head(png, about, reading)) return damaged("PNG", reading.why);
  const auto size = bounded_size(png_get_image_width(png, about), png_get_image_height(png, about));
  if (!size) return size;
  std::vector<unsigned char> row;
  if (!read_rows(png, about, reading, row)) return damaged("PNG", reading.why);
  return size;
}

using JpegHandle = std::unique_ptr<void, int (*)(tjhandle)>;

struct JpegHead {
  int width = 0, height = 0, subsampling = 0, colours = 0;
};

Result<JpegHead> jpeg_head(tjhandle handle, std::string_view bytes) {
  JpegHead head;
  const int read = tjDecompressHeader3(handle, data_of(bytes), bytes.size(), &head.width,
                                       &head.height, &head.subsampling, &head.colours);
  if (read != 0) return damaged("JPEG", tjGetErrorStr2(handle));
  if (head.colours == TJCS_CMYK || head.colours == TJCS_YCCK) {
    return Error("the JPEG is in CMYK, for printing: save it as RGB");
  }
  return head;
}

}  // namespace

Result<ImageSize> decode_png(std::string_view bytes) {
  PngReading reading;
  reading.rest = bytes;
  png_structp png =
      png_create_read_struct(PNG_LIBPNG_VER_STRING, &reading, png_failed, png_ignored);
  png_infop about = png ? png_create_info_struct(png) : nullptr;
  auto decoded =
      about ? decode(png, about, reading) : Result<ImageSize>(Error("libpng is out of memory"));
  png_destroy_read_struct(&png, &about, nullptr);
  return decoded;
}

Result<ImageSize> decode_jpeg(std::string_view bytes) {
  const JpegHandle handle(tjInitDecompress(), tjDestroy);
  if (!handle) return Error("libjpeg-turbo is out of memory");
  const auto head = jpeg_head(handle.get(), bytes);
  if (!head) return head.error();
  const auto size =
      bounded_size(static_cast<unsigned>(head->width), static_cast<unsigned>(head->height));
  if (!size) return size;
  const auto turn = turn_of(*size);
  // Grey is enough, because decoding it also decodes the coefficients of the other channels.
  std::vector<unsigned char> pixels(static_cast<std::size_t>(head->width) *
                                    static_cast<std::size_t>(head->height));
  const int flags = TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS | TJFLAG_FASTDCT;
  const int read = tjDecompress2(handle.get(), data_of(bytes), bytes.size(), pixels.data(),
                                 head->width, 0, head->height, TJPF_GRAY, flags);
  if (read != 0) return damaged("JPEG", tjGetErrorStr2(handle.get()));
  return size;
}

Result<ImageSize> decode_webp(std::string_view bytes) {
  WebPBitstreamFeatures features;
  if (WebPGetFeatures(data_of(bytes), bytes.size(), &features) != VP8_STATUS_OK) {
    return damaged("WebP", "it has no header");
  }
  if (features.has_animation)
    return Error("animated WebP files are not supported: save a single frame");
  const auto size =
      bounded_size(static_cast<unsigned>(features.width), static_cast<unsigned>(features.height));
  if (!size) return size;
  const auto turn = turn_of(*size);
  int width = 0, height = 0;
  const std::unique_ptr<std::uint8_t, void (*)(void*)> pixels(
      WebPDecodeRGBA(data_of(bytes), bytes.size(), &width, &height), WebPFree);
  if (!pixels) return damaged("WebP", "its pixels cannot be decoded");
  return size;
}

Result<std::string> upright_jpeg(std::string_view bytes, int orientation) {
  // By Exif orientation: the transformation that turns the image upright.
  constexpr TJXOP turns[] = {TJXOP_NONE,   TJXOP_NONE,       TJXOP_HFLIP,
                             TJXOP_ROT180, TJXOP_VFLIP,      TJXOP_TRANSPOSE,
                             TJXOP_ROT90,  TJXOP_TRANSVERSE, TJXOP_ROT270};
  const JpegHandle handle(tjInitTransform(), tjDestroy);
  if (!handle) return Error("libjpeg-turbo is out of memory");
  tjtransform transform{};
  transform.op = turns[orientation >= 0 && orientation <= 8 ? orientation : 0];
  transform.options = TJXOPT_TRIM | TJXOPT_COPYNONE;
  unsigned char* turned = nullptr;
  unsigned long size = 0;
  const int done = tjTransform(handle.get(), data_of(bytes), bytes.size(), 1, &turned, &size,
                               &transform, TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS);
  const std::unique_ptr<unsigned char, void (*)(unsigned char*)> kept(turned, tjFree);
  if (done != 0) return damaged("JPEG", tjGetErrorStr2(handle.get()));
  return std::string(reinterpret_cast<const char*>(turned), size);
}

}  // namespace primer
