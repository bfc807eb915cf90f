// The examples of docs/reference/: each ````markdown block goes through the generator.
// tests/fixtures/reference/ has the expected output, one file per document, with the HTML or the
// errors of each example. A document may show the errors in a ```text block directly below an
// example.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

const std::filesystem::path source = PRIMER_SOURCE;

std::string read_text_file(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

void write_text_file(const std::filesystem::path& path, const std::string& text) {
  std::ofstream(path, std::ios::binary) << text;
}

// The output of the example: the page from its first line if it has front matter, otherwise the
// body. Drawings and the controls of models are left out, because other tests cover them.
std::string result_of(const std::string& example) {
  auto files = small_book::with(example);
  files["chapters/book.yaml"] += "as_of: 2026-11\n";
  std::string& claims = files["chapters/facts/claims.json"];
  claims.insert(claims.rfind('}'), R"(, "pim-peak": {"value": "1.2 TFLOP/s", "as_of": "2026-11",
    "status": "announced", "said": "2021-02", "by": "vendor", "sources": ["nv"],
    "read": "secondary"})");
  const bool whole = example.starts_with("---\n");
  if (whole) files["chapters/en/01-first.md"] = example;
  const auto built = small_book::build(files);
  if (!built.errors.empty()) return "```text\n" + built.errors + "```\n";
  std::string html = built.site.at("first/index.html");
  if (!whole) html.erase(0, html.find('\n') + 1);
  if (!html.ends_with('\n')) html += '\n';
  for (auto at = html.find("<svg"); at != html.npos; at = html.find("<svg", at + 1)) {
    html.replace(at, html.find("</svg>", at) + 6 - at, "<svg/>");
  }
  const auto controls = html.find("<div class=\"model-controls\"");
  if (controls != html.npos) {
    const auto end = html.find("<p class=\"model-summary\"", controls);
    html.replace(controls, end - controls, "<div class=\"model-controls\"/>\n");
  }
  return "```html\n" + html + "```\n";
}

struct Example {
  std::string text;
  std::string errors;              // the ```text block below it, or ""
  std::size_t begin = 0, end = 0;  // of that block in the document
};

std::vector<Example> examples_in(const std::string& document) {
  static const std::string open = "\n````markdown\n", close = "\n````\n", errors = "\n```text\n";
  std::vector<Example> all;
  for (auto at = document.find(open); at != document.npos; at = document.find(open, at)) {
    const auto begin = at + open.size();
    const auto end = document.find(close, begin);
    const auto after = end + close.size();
    Example example{document.substr(begin, end + 1 - begin), "", after, after};
    if (document.compare(after, errors.size(), errors) == 0) {
      example.end = document.find("\n```\n", after + errors.size() - 1) + 5;
      example.errors = document.substr(after + 1, example.end - after - 1);
    }
    all.push_back(std::move(example));
    at = end;
  }
  return all;
}

// Documents with examples, sorted by name.
std::vector<std::filesystem::path> documents() {
  std::vector<std::filesystem::path> all;
  for (const auto& entry : std::filesystem::directory_iterator(source / "docs/reference"))
    if (!examples_in(read_text_file(entry.path())).empty()) all.push_back(entry.path());
  std::ranges::sort(all);
  return all;
}

}  // namespace

TEST_CASE("examples: those of docs/reference give what their fixtures hold") {
  const bool update = std::getenv("UPDATE_GOLDENS") != nullptr;
  std::size_t count = 0;
  for (const auto& path : documents()) {
    const std::string document = read_text_file(path);
    const auto golden = source / "tests/fixtures/reference" / path.filename();
    std::string results, updated;
    std::size_t done = 0;
    for (const auto& example : examples_in(document)) {
      const std::string result = result_of(example.text);
      results += "````markdown\n" + example.text + "````\n\n" + result + '\n';
      updated += document.substr(done, example.begin - done);
      if (!example.errors.empty()) updated += '\n' + result;
      done = example.end;
      ++count;
      INFO(path.filename() << '\n' << example.text);
      if (!update && !example.errors.empty()) CHECK(result == example.errors);
    }
    updated += document.substr(done);
    if (update) {
      write_text_file(golden, results);
      write_text_file(path, updated);
    }
    INFO(path.filename());
    CHECK(read_text_file(golden) == results);
  }
  CHECK(count > 30);
}
