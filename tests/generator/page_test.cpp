// Markdown in, HTML out: tests/fixtures/pages/<name>.md and .html.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "small_book.hpp"

namespace fs = std::filesystem;

namespace {

std::string read(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

}  // namespace

// With UPDATE_GOLDENS set, what comes out becomes what is expected: read the diff.
TEST_CASE("page: each fixture gives its HTML") {
  const bool update = std::getenv("UPDATE_GOLDENS") != nullptr;
  std::vector<fs::path> fixtures;
  for (const auto& entry : fs::directory_iterator(PRIMER_SOURCE "/tests/fixtures/pages")) {
    if (entry.path().extension() == ".md") fixtures.push_back(entry.path());
  }
  std::sort(fixtures.begin(), fixtures.end());
  REQUIRE(!fixtures.empty());
  for (const auto& fixture : fixtures) {
    const fs::path expected = fs::path(fixture).replace_extension(".html");
    const std::string html = small_book::html(read(fixture));
    INFO(fixture.filename().string());
    if (update) std::ofstream(expected, std::ios::binary) << html;
    CHECK(html == read(expected));
  }
}

TEST_CASE("page: one, two and eight threads give the same bytes") {
  small_book::Files files = small_book::with("");
  std::string list = "title: Many\nlanguage: en\nchapters:\n";
  for (int i = 0; i < 60; ++i) {
    const std::string slug = "c" + std::to_string(i);
    list += "  - slug: " + slug + '\n';
    std::string text = "---\ntitle: Chapter\n---\n";
    // `$` and `~~` on every page: what two parsers at once would spoil.
    for (int k = 0; k < 40; ++k) text += "So $`a_" + slug + "*b*c`$ is ~~not~~ [x](fact:none)[^1].\n\n";
    text = text.substr(0, text.size());
    for (auto at = text.find("[x](fact:none)"); at != text.npos; at = text.find("[x](fact:none)")) {
      text.replace(at, 14, "[989 TFLOP/s](fact:h100-sxm.peak.bf16)");
    }
    files["chapters/en/" + slug + ".md"] = text + "[^1]: A note.\n";
  }
  files["chapters/book.yaml"] = list;
  const auto one = small_book::build(files, 1);
  CHECK(one.errors.empty());
  CHECK(one.site.size() > 60);
  CHECK(one.site == small_book::build(files, 2).site);
  CHECK(one.site == small_book::build(files, 8).site);
}

TEST_CASE("page: the site has what every site has") {
  const auto built = small_book::build(small_book::with("Text.\n"));
  CHECK(built.errors.empty());
  CHECK(built.site.contains("index.html"));
  CHECK(built.site.contains(".nojekyll"));
  CHECK(built.site.at("404.html") == "<a href=\"/\">home</a>");
  CHECK(built.site.at("second/index.html").starts_with("<title>Second · Small</title>"));
}
