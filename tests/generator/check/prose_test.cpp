// The limits of `check --prose`, and which numbers it reports as having no source.
#include "generator/core/check/prose.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// Rule, line and place of every diagnostic.
std::string found(const std::string& text, const ProseLimits& limits = {1000, 1000, 1000, 1000}) {
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
  // Counts, years, names, code, formulas, checked links.
  CHECK(found("Four rows, 12 layers, in 2017, an H100, FP8, a 70B model, `3 ms`, $3\\text{ ms}$, "
              "[3 TB/s](fact:x), [2 ms](<live: a>).\n") == "");
}

TEST_CASE("prose: sentences, paragraphs and sections") {
  CHECK(found("One two. Three four five.\n", {2, 100, 100}) == "long-sentence 1:1+1\n");
  CHECK(found("One two. Three four, e.g. five.\n", {5, 100, 100}) == "");
  CHECK(found("One two three.\n", {9, 2, 100}) == "long-paragraph 1:1+1\n");
  const std::string section = "## A\n\nOne two three.\n\n## B\n\nOne.\n";
  CHECK(found(section, {9, 9, 2}) == "long-section 1:1+2\n");
  CHECK(found("## A\n\nOne two three.\n\n```figure\nid: fig-x\n```\n", {9, 9, 2}) == "");
}

TEST_CASE("prose: where a number begins and where its unit ends") {
  const auto one = [](const std::string& text) { return found(text + "\n"); };
  CHECK(one("3 ms") == "bare-number 1:1+4\n");
  CHECK(one("a 3 ms") == "bare-number 1:3+4\n");
  CHECK(one("(3 ms)") == "bare-number 1:2+4\n");
  CHECK(one("x3 ms") == "");
  CHECK(one("1-3 ms") == "");
  CHECK(one("x.3 ms") == "");
  CHECK(one("3,000 GB/s") == "bare-number 1:1+10\n");
  CHECK(one("3.5 GB/s.") == "bare-number 1:1+8\n");
  CHECK(one("3 GB/ and") == "bare-number 1:1+4\n");
  CHECK(one("3. ms") == "");
  CHECK(one("at 3, ms") == "");
  CHECK(one("70B") == "");
  CHECK(one("70 B") == "bare-number 1:1+4\n");
  CHECK(one("70\u00a0B") == "bare-number 1:1+4\n");
  CHECK(one("36×") == "bare-number 1:1+3\n");
  CHECK(one("8 %") == "");
  CHECK(one("5") == "");
  CHECK(one("5 ") == "");
  CHECK(one("3 ms and 4 ms") == "bare-number 1:1+4\nbare-number 1:10+4\n");
}

TEST_CASE("prose: links that lead out hold numbers, those of the book have a source") {
  CHECK(found("[3 TB/s](https://example.org)\n") == "bare-number 1:2+6\n");
  CHECK(found("[3 TB/s](#there)\n") == "");
  CHECK(found("## At 3 TB/s\n") == "bare-number 1:7+6\n");
}

TEST_CASE("prose: a limit itself is allowed, and a figure lets a section be long") {
  CHECK(found("One two three.\n", {3, 3, 3}) == "");
  CHECK(found("One two three.\n", {2, 3, 3}) == "long-sentence 1:1+1\n");
  CHECK(found("One two three.\n", {3, 2, 3}) == "long-paragraph 1:1+1\n");
  CHECK(found("One two three.\n", {3, 3, 2}) == "long-section 1:1+1\n");
  CHECK(found("One two three.\n\nOne two three four.\n", {3, 9, 99}) == "long-sentence 3:1+1\n");
  const std::string shown = "```figure\nid: fig-x\n```\n";
  CHECK(found("## A\n\nOne two three.\n\n```cpp\nx\n```\n", {9, 9, 2}) == "long-section 1:1+2\n");
  CHECK(found("## A\n\n" + shown + "\n## B\n\nOne two three.\n", {9, 9, 2}) ==
        "long-section 7:1+2\n");
  CHECK(found("## A\n\nOne two.\n\n### B\n\nOne two.\n", {9, 9, 3}) == "long-section 1:1+2\n");
  CHECK(found("- One two three.\n\n> Four.\n", {9, 9, 3}) == "long-section 1:1+1\n");
}

TEST_CASE("prose: linked numbers of a sentence are counted") {
  const std::string two = "It reads [3 TB/s](fact:x), *[2×](<calc: 2>)* as much";
  CHECK(found(two + ".\n", {99, 99, 99, 2}) == "");
  CHECK(found(two + " in [1 s](live:x).\n", {99, 99, 99, 2}) == "crowded-sentence 1:1+1\n");
  CHECK(found(two + ". Then [1 s](claim:x).\n", {99, 99, 99, 2}) == "");
  CHECK(found(two + ", [see](#there).\n", {99, 99, 99, 2}) == "");
}

TEST_CASE("prose: phrases that readers stumble over") {
  CHECK(found("What limits it is memory.\n") == "odd-phrase 1:1+1\n");
  CHECK(found("What limits it? Whatever it is.\n") == "");
  CHECK(found("## A\n\nIt reads.\n\nIt writes.\n") == "odd-phrase 3:1+1\n");
  CHECK(found("It reads.\n\n## A\n\nItems are read.\n") == "");
  CHECK(found("It fits from [1 GiB](fact:x) on.\n") == "odd-phrase 1:1+1\n");
  CHECK(found("A chip from NVIDIA on a board.\n") == "");
  const auto trap = [](const std::string& text) {
    return found("```worked\nid: q-a\ntrap: " + text + "\n```\n");
  };
  CHECK(trap("848 divides by eight.") == "odd-phrase 1:1+1\n");
  CHECK(trap(">-\n  848 divides by eight.") == "odd-phrase 1:1+1\n");
  CHECK(trap("\"[8](fact:x) is wrong.\"") == "odd-phrase 1:1+1\n");
  CHECK(trap(">-\n  If you got 848, you divided by eight.") == "");
}

TEST_CASE("prose: where a sentence ends") {
  const auto longest = [](const std::string& text) {
    for (int words = 1;; ++words)
      if (found(text + "\n", {words, 1000, 1000}) == "") return words;
  };
  CHECK(longest("One two three. Four five six! Seven eight nine? Ten.") == 3);
  CHECK(longest("One two three?) Four five six.\" Seven.") == 3);
  CHECK(longest("One two, e.g. three four.") == 5);
  CHECK(longest("One two.three four") == 3);
  CHECK(longest("One two.) three four.") == 4);
  CHECK(longest("One. Two three four") == 3);
  CHECK(longest("One two three four") == 4);
  CHECK(longest("One two ... three four") == 4);
}
