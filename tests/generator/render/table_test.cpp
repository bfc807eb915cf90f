// Tables of Markdown: generator/core/render/parts.cpp.
#include "catch.hpp"
#include "small_book.hpp"

namespace {

bool page_has(const std::string& page, const std::string& part) {
  return page.find(part) != page.npos;
}

}  // namespace

TEST_CASE("table: the caption is before the scrolling frame, and names it") {
  const std::string page =
      small_book::html("Table tbl-x: Two *things*.\n\n| a | b |\n|---|---|\n| x | y |\n");
  const auto caption =
      page.find("<p class=\"table-caption\" id=\"tbl-x\"><span class=\"label\">Table 1.1");
  const auto frame =
      page.find("<div class=\"table\" role=\"group\" tabindex=\"0\" aria-labelledby=\"tbl-x\">");
  CHECK(caption < frame);
  CHECK(frame != page.npos);
  CHECK(!page_has(page, "<caption>"));
}

TEST_CASE("table: a row's first cell names it, and nothing names nothing") {
  CHECK(page_has(small_book::html("|  | b |\n|---|---|\n| x | y |\n|  | z |\n"),
                 "<thead>\n<tr><td></td><th scope=\"col\">b</th></tr>\n</thead>\n<tbody>\n"
                 "<tr><th scope=\"row\">x</th><td>y</td></tr>\n<tr><td></td><td>z</td></tr>"));
  CHECK(page_has(small_book::html("| a |\n|---|\n| x |\n"), "<tr><td>x</td></tr>"));
}

TEST_CASE(
    "table: numbers stand below each other by their points, whatever is measured flush right") {
  const std::string page = small_book::html(
      "| a | n | of | words | left |\n|---|---|---|---|:--|\n| x | 3.25 | 5 GB/s | 2 | 1 |\n"
      "| y | 1,200 | 12.5 GB/s | none | 22 |\n| z | – | – | 1 | 3 |\n");
  CHECK(page_has(
      page,
      "<th scope=\"col\" class=\"right\">of</th><th scope=\"col\">words</th><th scope=\"col\">left</th>"));
  CHECK(page_has(
      page,
      "<th scope=\"row\">x</th><td class=\"right\">3.25</td><td class=\"right\">5\u202FGB/s</td><td>2</td><td>1</td>"));
  CHECK(page_has(
      page,
      "<td class=\"right\">1,200\u2008\u2007\u2007</td><td class=\"right\">12.5\u202FGB/s</td>"));
  CHECK(page_has(page, "<td class=\"right\">–</td><td class=\"right\">–</td>"));
}
