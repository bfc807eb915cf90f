#include "generator/core/pictures/image.hpp"

#include <string>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

std::string size_of(std::string_view width, std::string_view height, std::string_view box) {
  const auto size = primer::drawing_size(width, height, box);
  if (!size) return size.error().message;
  if (!size.value()) return "none";
  return std::to_string(size.value()->width) + "x" + std::to_string(size.value()->height);
}

}  // namespace

TEST_CASE("image size: what a drawing says") {
  CHECK(size_of("720", "405.5px", "") == "720x406");
  CHECK(size_of("", "", "0 0 300,150") == "300x150");
  CHECK(size_of("100%", "10em", "-5 -5 30 15") == "30x15");
  CHECK(size_of("72pt", "1in", "0 0 7 7") == "96x96");
  CHECK(size_of("25.4mm", "2.54cm", "") == "96x96");
  CHECK(size_of("", "", "") == "none");
  CHECK(size_of("3", "", "") == "none");
}

TEST_CASE("image size: what cannot be drawn") {
  for (const char* side : {"0", "-3", "nan", "inf", "1e999", "3 apples", "px"}) {
    INFO(side);
    CHECK(size_of(side, "5", "").find("is not a size that can be drawn") != std::string::npos);
  }
  CHECK(size_of("", "", "0 0 30") == "its viewBox has not four numbers");
  CHECK(size_of("", "", "0 0 30 0") == "its viewBox has no sides above 0");
  CHECK(size_of("", "", "0 0 1e9 1").starts_with("each side must have 1 to 65535 pixels"));
  CHECK(size_of("1000000", "1", "").starts_with("each side must have 1 to 65535 pixels"));
}

TEST_CASE("image size: a page says it") {
  auto files = small_book::with("![A dot](dot.svg)\n");
  files["chapters/en/dot.svg"] = "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 8 4\"/>";
  const auto built = small_book::build(files);
  CHECK(built.errors == "");
  CHECK(built.site.at("first/index.html")
            .find("alt=\"A dot\" loading=\"lazy\" width=\"8\" height=\"4\"/>") !=
        std::string::npos);
}
