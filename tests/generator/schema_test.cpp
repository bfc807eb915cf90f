// The published schemas are what primer checks with, and its words are about what they reject.
#include "generator/schema.hpp"

#include <filesystem>
#include <fstream>

#include "catch.hpp"
#include "generator/index.hpp"

using namespace primer;

namespace {

std::string says(const char* name, const std::string& yaml) {
  const Source source("a.yaml", yaml);
  Diagnostics diagnostics;
  const auto document = parse_yaml(extract_lines(source, 1, source.line_count()), diagnostics);
  REQUIRE(document);
  const bool good = conforms(name, "the whole", *document, source, diagnostics);
  CHECK(good == diagnostics.empty());
  std::string all;
  for (const auto& d : diagnostics.sorted()) {
    all += std::to_string(d.line) + ':' + std::to_string(d.column) + ' ' + d.message + '\n';
  }
  return all;
}

}  // namespace

TEST_CASE("schema: each published one is compiled in, and no other") {
  std::vector<std::string> files;
  for (const auto& entry : std::filesystem::directory_iterator(
           std::filesystem::path(PRIMER_SOURCE) / "site/static/schemas")) {
    files.push_back(entry.path().stem().string());
    INFO(files.back());
    CHECK(schema(files.back()) == nlohmann::json::parse(std::ifstream(entry.path())));
  }
  std::sort(files.begin(), files.end());
  CHECK(files == schema_names());
}

TEST_CASE("schema: a text in YAML may look like a number, a flag may not look like a text") {
  CHECK(says("front-matter", "title: 2024\nsummary: true\n") == "");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: 1\n  - b\n") == "");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: -1\n") ==
        "4:13 \"number\" must be at least 0\n");
  CHECK(says("book", "title: T\nchapters:\n  - slug: a\n    number: \"1\"\n") ==
        "4:13 \"number\" must be a whole number\n");
  CHECK(says("block-bench", "id: b\ntry: T.\nkernels: [a]\nquick: \"true\"\n") ==
        "4:8 \"quick\" must be true or false\n");
}

TEST_CASE("schema: texts of any length do not take the checker down") {
  CHECK(says("block-figure", "id: " + std::string(300'000, 'a') + "\nspec: s\ncaption: c\nalt: " +
                                 std::string(300'000, 'a') + "\n") == "");
  CHECK(says("block-figure", "id: " + std::string(300'000, '-') + "\nspec: s\ncaption: c\nalt: a\n")
            .find("is no id") != std::string::npos);
}
