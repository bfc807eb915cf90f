// The bounds of `check --prose`, and what counts as a number without a source.
#include "generator/check/prose.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// Rule, line and place of every finding.
std::string found(const std::string& text, const ProseLimits& limits = {1000, 1000, 1000}) {
  const Source source("a.md", text);
  Diagnostics diagnostics;
  const auto node = parse_markdown(extract_lines(source, 1, source.line_count()), diagnostics);
  REQUIRE(node);
  check_prose(*node, source, diagnostics, limits);
  std::string out;
  for (const auto& d : diagnostics.sorted()) {
    out += std::string(info(d.rule).id) + ' ' + std::to_string(d.line) + ':' +
           std::to_string(d.column) + '+' + std::to_string(d.length) + '\n';
  }
  return out;
}

}  // namespace

TEST_CASE("prose: numbers with a unit have a source") {
  CHECK(found("It reads 3.35 TB/s, *36×* faster, in 4 ms.\n") ==
        "bare-number 1:10+9\nbare-number 1:22+3\nbare-number 1:38+4\n");
  CHECK(found("| a |\n|---|\n| 64 MiB |\n\n- 700 W.\n") ==
        "bare-number 3:3+6\nbare-number 5:3+5\n");
  // Counts, years, names, code, formulas, links that are checked.
  CHECK(found("Four rows, 12 layers, in 2017, an H100, FP8, a 70B model, `3 ms`, $3\\text{ ms}$, "
              "[3 TB/s](fact:x), [2 ms](<live: a>).\n") == "");
}

TEST_CASE("prose: sentences, paragraphs and sections") {
  CHECK(found("One two. Three four five.\n", {2, 100, 100}) == "long-sentences 1:1+1\n");
  CHECK(found("One two. Three four, e.g. five.\n", {5, 100, 100}) == "");
  CHECK(found("One two three.\n", {9, 2, 100}) == "long-paragraph 1:1+1\n");
  const std::string section = "## A\n\nOne two three.\n\n## B\n\nOne.\n";
  CHECK(found(section, {9, 9, 2}) == "long-section 1:1+2\n");
  CHECK(found("## A\n\nOne two three.\n\n```figure\nid: fig-x\n```\n", {9, 9, 2}) == "");
}
