// Raster images of chapters: decoded, split into parts and reassembled.
#include "generator/core/pictures/image.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include <map>

#include "catch.hpp"
#include "generator/core/pictures/raster.hpp"
#include "generator/host/disk_cache.hpp"
#include "small_book.hpp"

namespace {

std::string fixture(const std::string& name) {
  std::ostringstream bytes;
  bytes << std::ifstream(PRIMER_SOURCE "/tests/fixtures/images/" + name, std::ios::binary).rdbuf();
  return bytes.str();
}

// "32x16", or the error.
std::string shown(const std::string& name, const std::string& bytes) {
  const auto image = primer::clean_image(name, bytes, nullptr);
  if (!image) return image.error().message;
  return std::to_string(image->size->width) + "x" + std::to_string(image->size->height);
}

std::string published(const std::string& name, const std::string& bytes) {
  const auto image = primer::clean_image(name, bytes, nullptr);
  REQUIRE(image);
  return image->bytes;
}

bool holds(const std::string& text, std::string_view part) { return text.find(part) != text.npos; }

std::string with_number(std::string bytes, std::size_t at, std::uint32_t number) {
  for (std::size_t i = 0; i < 4; ++i)
    bytes[at + i] = static_cast<char>(number >> (24 - 8 * i) & 0xFF);
  return bytes;
}

std::uint32_t crc_of(std::string_view bytes) {
  std::uint32_t crc = ~0u;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int i = 0; i < 8; ++i) crc = crc >> 1 ^ (crc & 1 ? 0xEDB88320u : 0);
  }
  return ~crc;
}

// The PNG with another size in its header and a correct checksum.
std::string with_sides(std::string png, std::uint32_t width, std::uint32_t height) {
  png = with_number(with_number(std::move(png), 16, width), 20, height);
  return with_number(png, 29, crc_of(std::string_view(png).substr(12, 17)));
}

}  // namespace

TEST_CASE("image: nothing that does not draw is published") {
  const std::pair<const char*, const char*> files[] = {
      {"palette.png", "32x16"}, {"turned.jpg", "16x32"}, {"clear.webp", "32x16"}};
  for (const auto& [name, size] : files) {
    const std::string bytes = fixture(name);
    INFO(name);
    REQUIRE(holds(bytes, "SECRET"));
    CHECK(shown(name, bytes) == size);
    const std::string written = published(name, bytes);
    CHECK_FALSE(holds(written, "SECRET"));
    CHECK_FALSE(holds(written, "Exif"));
    CHECK(published(name, written) == written);
  }
  CHECK(holds(published("palette.png", fixture("palette.png")), "tRNS"));
  CHECK(holds(published("clear.webp", fixture("clear.webp")), "ALPH"));
}

TEST_CASE("image: a photograph is rotated as its camera recorded") {
  const std::string bytes = fixture("turned.jpg");
  const auto file = primer::strip_jpeg(bytes);
  REQUIRE(file);
  CHECK(file->orientation == 6);
  const auto lying = primer::decode_jpeg(file->bytes);
  CHECK(lying->width == 32);
  for (const int orientation : {2, 3, 4, 5, 6, 7, 8}) {
    const auto upright = primer::upright_jpeg(file->bytes, orientation);
    REQUIRE(upright);
    CHECK(primer::decode_jpeg(upright.value())->width == (orientation < 5 ? 32 : 16));
  }
  const auto quarter = primer::upright_jpeg(file->bytes, 6);
  const auto back = primer::upright_jpeg(quarter.value(), 8);
  const auto same = primer::upright_jpeg(file->bytes, 1);
  CHECK(back.value() == same.value());
}

TEST_CASE("image: a file that is cut off or changed anywhere is no image") {
  for (const char* name : {"palette.png", "turned.jpg", "clear.webp"}) {
    const std::string whole = published(name, fixture(name));
    INFO(name);
    // The last coded bytes of a JPEG may contain nothing but padding.
    const std::size_t spare = std::string(name) == "turned.jpg" ? 2 : 0;
    for (std::size_t size = 0; size + spare < whole.size(); size += 1 + size / 50) {
      INFO(size);
      CHECK_FALSE(primer::clean_image(name, std::string_view(whole).substr(0, size), nullptr));
    }
  }
  const std::string png = published("palette.png", fixture("palette.png"));
  for (std::size_t at = 0; at < png.size(); ++at) {
    std::string changed = png;
    changed[at] = static_cast<char>(changed[at] ^ 0x11);
    INFO(at);
    // A part whose type does not draw is left out.
    const bool renamed = at >= png.find("tRNS") && at < png.find("tRNS") + 4;
    const auto image = primer::clean_image("a.png", changed, nullptr);
    CHECK((renamed ? image && image->bytes.size() < png.size() : !image));
  }
}

TEST_CASE("image: a file that is not of its format") {
  const std::string png = fixture("palette.png"), jpeg = fixture("turned.jpg");
  CHECK(shown("a.png", "") == "it is not a PNG file");
  CHECK(shown("a.png", "<html><script>alert(1)</script></html>") == "it is not a PNG file");
  CHECK(shown("a.jpg", "hi") == "it is not a JPEG file");
  CHECK(shown("a.webp", "RIFF") == "it is not a WebP file");
  CHECK(shown("a.png", jpeg) == "it is a JPEG file: name it .jpg");
  CHECK(shown("a.jpeg", png) == "it is a PNG file: name it .png");
  CHECK(shown("a.svg", png) == "it is a PNG file: name it .png");
  CHECK(shown("a.png", png.substr(0, 8)) == "the PNG file is damaged or cut off: save it again");
}

TEST_CASE("image: limits") {
  const std::string png = fixture("palette.png");
  CHECK(shown("a.png", with_sides(png, 65000, 65000)) ==
        "the image has 65000 × 65000 pixels, the limit is 40 million: make it smaller");
  CHECK(shown("a.png", with_sides(png, 70000, 1)).starts_with("the image has 70000 × 1 pixels"));
  CHECK(shown("a.png", with_sides(png, 6000, 6000))
            .starts_with("the PNG file is damaged or cut off ("));
  CHECK(shown("a.png", png + std::string(4'000'000, 'x'))
            .ends_with("the limit is 4000000: make it smaller"));
}

TEST_CASE("image: pictures that move, and rare kinds") {
  const std::string png = fixture("palette.png");
  const std::string chunk = std::string("\0\0\0\0acTL", 8) + std::string(4, '\0');
  CHECK(shown("a.png", png.substr(0, 33) + chunk + png.substr(33)) ==
        "animated PNG files are not supported: save a single frame");
  std::string jpeg = fixture("turned.jpg");
  const auto frame = jpeg.find("\xFF\xC2");
  REQUIRE(frame != jpeg.npos);
  jpeg[frame + 1] = '\xC9';
  CHECK(shown("a.jpg", jpeg).starts_with("browsers do not show this kind of JPEG"));
}

TEST_CASE("image: names") {
  auto files = small_book::with("![A photo](Pic.PNG)\n");
  files["chapters/en/Pic.PNG"] = fixture("palette.png");
  CHECK(small_book::build(files).errors.find(
            "whose names end in lower case: name it \"Pic.png\" [bad-image]") != std::string::npos);
  CHECK(small_book::errors("![A photo](a.gif)\n")
            .find("images are SVG, PNG, JPEG or WebP files, whose names end in .svg") !=
        std::string::npos);
}

TEST_CASE("image: a name is a name, whatever it would mean in an address") {
  const std::string dot = "<svg xmlns=\"http://www.w3.org/2000/svg\"/>";
  for (const auto& [name, address] :
       std::map<std::string, std::string>{{"a?b.svg", "a%3Fb.svg"},
                                          {"a#b.svg", "a%23b.svg"},
                                          {"%2e%2e/a.svg", "%252e%252e/a.svg"},
                                          {"a%2fb.svg", "a%252fb.svg"}}) {
    INFO(name);
    auto files = small_book::with("![A dot](" + name + ")\n");
    files["chapters/en/" + name] = dot;
    const auto built = small_book::build(files);
    REQUIRE(built.errors == "");
    CHECK(built.site.contains("images/en/" + name));
    CHECK(built.site.at("first/index.html").find("src=\"../images/en/" + address + '"') !=
          std::string::npos);
  }
  // One file on some systems: "e" with a combining accent, and the precomposed letter.
  auto files = small_book::with("![A dot](e\u0301.svg) ![A dot](\u00e9.svg)\n");
  files["chapters/en/e\u0301.svg"] = files["chapters/en/\u00e9.svg"] = dot;
  const std::string errors = small_book::build(files).errors;
  CHECK(errors.find("the name contains a combining accent") != errors.npos);
  CHECK(errors.ends_with("1 error\n"));
}

TEST_CASE("image: pages and the e-book hold the published bytes") {
  auto files = small_book::with("![A photo](turned.jpg) ![A drop](clear.webp)\n");
  files["chapters/en/turned.jpg"] = fixture("turned.jpg");
  files["chapters/en/clear.webp"] = fixture("clear.webp");
  const primer::History history = {{"chapters/en/01-first.md",
                                    {"2026-01-01T00:00:00Z",
                                     "2026-01-01T00:00:00Z",
                                     {{"2026-01-01T00:00:00Z", "0123456789", "Photos"}}}}};
  const auto built = small_book::publish(files, history, true);
  REQUIRE(built.errors == "");
  CHECK(holds(
      built.site.at("first/index.html"),
      "src=\"../images/en/turned.jpg\" alt=\"A photo\" loading=\"lazy\" width=\"16\" height=\"32\"/>"));
  CHECK(built.site.at("images/en/turned.jpg") == published("turned.jpg", fixture("turned.jpg")));
  CHECK(built.site.at("images/en/clear.webp") == published("clear.webp", fixture("clear.webp")));
  for (const auto& [path, bytes] : built.site) {
    INFO(path);
    CHECK_FALSE(holds(bytes, "SECRET"));
  }
  files["chapters/en/turned.jpg"].resize(300);
  CHECK(
      small_book::build(files).errors ==
      "chapters/en/turned.jpg: error: the JPEG file is damaged or cut off: save it again [bad-image]\n"
      "  note: used at chapters/en/01-first.md:4\n1 error\n");
}

TEST_CASE("image: what was decoded is not decoded again") {
  const auto directory =
      std::filesystem::temp_directory_path() / ("primer_image_" + std::to_string(::getpid()));
  std::filesystem::remove_all(directory);
  {
    primer::DiskCache cache(directory, primer::digest("program"));
    const std::string png = fixture("palette.png");
    for (const std::size_t found : {0u, 1u, 2u}) {
      REQUIRE(primer::clean_image("a.png", png, &cache));
      CHECK(cache.tallies()[primer::Cache::Kind::figure].found == found);
    }
    // A change of metadata does not count, because the pixels are the same.
    REQUIRE(primer::clean_image("b.png", png + "more", &cache));
    CHECK(cache.tallies()[primer::Cache::Kind::figure].found == 3);
    CHECK_FALSE(primer::clean_image("a.png", png.substr(0, 200), &cache));
  }
  std::filesystem::remove_all(directory);
}
