#include "generator/image_size.hpp"

#include <string>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

std::string size_of(std::string_view bytes) {
  const auto size = primer::image_size(bytes);
  return size ? std::to_string(size->width) + "x" + std::to_string(size->height) : "";
}

}  // namespace

TEST_CASE("image size: SVG") {
  CHECK(size_of("<?xml version='1.0'?>\n<svg width='720' height = \"405.5px\"/>") == "720x406");
  CHECK(size_of("<svg stroke-width=\"3\" viewBox=\"0 0 300,150\"></svg>") == "300x150");
  CHECK(size_of("<svg width=\"100%\" height=\"10em\" viewBox=\"-5 -5 30 15\"/>") == "30x15");
  for (const char* none : {"", "<svg", "<svg/>", "<svg viewBox=\"0 0 30\"/>", "<svg width=\"3",
                           "<svg width=\"0\" height=\"5\"/>", "<svg viewBox=\"0 0 1e9 1\"/>",
                           "<svg width=\"nan\" height=\"5\"/>", "<svg width", "text"}) {
    INFO(none);
    CHECK(size_of(none).empty());
  }
}

TEST_CASE("image size: PNG") {
  using namespace std::string_literals;
  const std::string png = "\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x02\xd0\0\0\x01\x90"s;
  CHECK(size_of(png) == "720x400");
  CHECK(size_of(png.substr(0, 23)).empty());
  CHECK(size_of("\x89PNG\r\n\x1a\n\0\0\0\rIDAT\0\0\x02\xd0\0\0\x01\x90"s).empty());
}

TEST_CASE("image size: a page says it") {
  auto files = small_book::with("![A dot](dot.svg)\n");
  files["chapters/en/dot.svg"] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 4\"/>";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(built.site.at("first/index.html").find(
            "alt=\"A dot\" loading=\"lazy\" width=\"8\" height=\"4\"/>") != std::string::npos);
}
