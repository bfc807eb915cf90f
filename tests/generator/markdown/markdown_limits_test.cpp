// Text that is rejected before cmark-gfm sees it, exactly above its limits.
#include "generator/core/markdown/markdown.hpp"

#include "catch.hpp"

using namespace primer;

namespace {

// The rule that rejects the text, and its line; "" if there is none.
std::string refused_by(const std::string& text, const Limits& limits) {
  const Source source("a.md", text);
  Diagnostics diagnostics;
  const bool within =
      within_limits(extract_lines(source, 1, source.line_count()), limits, diagnostics);
  const auto found = diagnostics.sorted();
  CHECK(within == found.empty());
  return found.empty() ? ""
                       : std::string(info(found[0].rule).id) + ":" + std::to_string(found[0].line);
}

Limits of_depth(int depth) {
  Limits limits;
  limits.depth = depth;
  return limits;
}
Limits of_cells(std::size_t cells) {
  Limits limits;
  limits.table_cells = cells;
  return limits;
}

}  // namespace

TEST_CASE("markdown limits: a text's size", "[limits]") {
  Limits limits;
  limits.file_size = 4;
  CHECK(refused_by("abc\n", limits) == "");
  CHECK(refused_by("abcd\n", limits) == "file-too-large:1");
}

TEST_CASE("markdown limits: blocks that a line opens inside each other", "[limits]") {
  CHECK(refused_by("> > > a\n", of_depth(3)) == "");
  CHECK(refused_by("a\n> > > > a\n", of_depth(3)) == "nesting-too-deep:2");
  CHECK(refused_by("- - - - a\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("1. a\n", of_depth(1)) != "");
  CHECK(refused_by("\t>\t>\ta\n", of_depth(2)) == "");
  // Rules and underlines are runs of one character.
  CHECK(refused_by("--------\n", of_depth(3)) == "");
  CHECK(refused_by("  ++++++\n", of_depth(3)) == "");
  CHECK(refused_by("********\n", of_depth(3)) == "");
  CHECK(refused_by(">>>>\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("- - - -\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("+ + + +\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("* * * *\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("-+-+\n", of_depth(3)) == "nesting-too-deep:1");
  CHECK(refused_by("a > > > >\n", of_depth(1)) == "");
}

TEST_CASE("markdown limits: the cells that a table is filled up to", "[limits]") {
  const std::string table =
      "| a | b |\n|---|---|\n| c | d |\n";  // three rows of four columns, with the edges
  CHECK(refused_by(table, of_cells(12)) == "");
  CHECK(refused_by(table, of_cells(11)) == "table-too-large:3");
  CHECK(refused_by("x\n\n" + table, of_cells(11)) == "table-too-large:5");
  CHECK(refused_by("| a | b |\n| c | d |\n| e | f |\n", of_cells(3)) == "");
  CHECK(refused_by("a | b\n:-: | -\n", of_cells(3)) == "table-too-large:2");
  CHECK(refused_by("> | a |\n> |---|\n", of_cells(5)) == "table-too-large:2");
  // A blank line ends it, even in a quote.
  CHECK(refused_by(table + "\n" + table, of_cells(12)) == "");
  CHECK(refused_by(table + ">\n" + table, of_cells(12)) == "");
  CHECK(refused_by("a\nb\nc\n---\n", of_cells(3)) == "");
}
