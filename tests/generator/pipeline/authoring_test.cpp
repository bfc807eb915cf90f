// docs/authoring.md is the test: each ````markdown block goes through the generator, and the ```html
// block below it (```text for errors) is what must come out, byte for byte.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "catch.hpp"
#include "small_book.hpp"

namespace {

const std::string document = PRIMER_SOURCE "/docs/authoring.md";

std::string read_document() {
  std::ostringstream text;
  text << std::ifstream(document, std::ios::binary).rdbuf();
  return text.str();
}

// What the example gives: the page from its first line on when it brings a front matter, else the
// body. Drawings and the controls of models are left out: they are
// tested where they are made.
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
  std::string source, expected;
  std::size_t begin = 0, end = 0;  // of what is expected, in the document
};

// Behind each example a result, with one empty line between; an example without one expects "".
std::vector<Example> examples_in(const std::string& text) {
  static const std::string open = "\n````markdown\n", close = "\n````\n";
  std::vector<Example> all;
  for (auto at = text.find(open); at != text.npos; at = text.find(open, at)) {
    const auto begin = at + open.size();
    const auto end = text.find(close, begin);
    Example example{text.substr(begin, end + 1 - begin), "", end + close.size(),
                    end + close.size()};
    for (const char* kind : {"\n```html\n", "\n```text\n"}) {
      if (!std::string_view(text).substr(example.begin).starts_with(kind)) continue;
      example.end = text.find("\n```\n", example.begin + 1) + 5;
      example.expected = text.substr(example.begin + 1, example.end - example.begin - 1);
    }
    all.push_back(std::move(example));
    at = end;
  }
  return all;
}

}  // namespace

TEST_CASE("authoring: each example of docs/authoring.md gives the result below it") {
  const std::string text = read_document();
  const auto examples = examples_in(text);
  REQUIRE(examples.size() > 30);
  std::string updated;
  std::size_t done = 0;
  for (const auto& example : examples) {
    const std::string result = result_of(example.source);
    updated += text.substr(done, example.begin - done) + '\n' + result;
    done = example.end;
    INFO(example.source);
    if (!std::getenv("UPDATE_GOLDENS")) CHECK(result == example.expected);
  }
  if (std::getenv("UPDATE_GOLDENS")) {
    std::ofstream(document, std::ios::binary) << updated << text.substr(done);
  }
}
