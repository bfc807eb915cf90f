#include "generator/render/long_formula.hpp"

#include "catch.hpp"
#include "small_book.hpp"

using primer::broken_formula;

TEST_CASE(
    "long formula: broken before its relations, in line with the first where that leaves room") {
  CHECK(broken_formula("a + b + c = d + e + f + g + h = i + j + k") ==
        "\\begin{aligned} a + b + c &= d + e + f + g + h  \\\\ &= i + j + k \\end{aligned}");
  CHECK(broken_formula("aaaaaaaaaaaaaaaa = b + c + d + e + f + g + h") ==
        "\\begin{aligned} &aaaaaaaaaaaaaaaa  \\\\ &\\quad = b + c + d + e + f + g + h "
        "\\end{aligned}");
}

TEST_CASE(
    "long formula: none where it fits, where nothing relates, or where it is broken already") {
  for (const char* tex :
       {"y = x", "\\frac{aaaaaaaaaaaaaaaaaaaa}{bbbbbbbbbbbbbbbbbbbb} = c",
        "f(aaaaaaaaaaaaaaaa = bbbbbbbbbbbbbbbbbbbbbbb)",
        "a_{long = subscript} + bbbbbbbbbbbbbbbbbbbbbbbbb",
        "\\begin{aligned} aaaaaaaaaaaaaaaaaaaaaaaaa &= bbbbbbbbbbbbbbbbbb \\\\ &= c \\end{aligned}",
        "{unclosed = aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "\\"})
    CHECK(broken_formula(tex).empty());
}

TEST_CASE("long formula: a page holds it twice, one for each width, and its number once") {
  const std::string page =
      small_book::html("```math eq-x\naaaaaaaaaaaaaaaaaaaa = bbbbbbbbbbbbbbbbbbbbbbbb\n```\n");
  CHECK(page.find("<div class=\"formula-wide\"><math display=\"block\">aaaa") != page.npos);
  CHECK(page.find("<div class=\"formula-narrow\"><math display=\"block\">\\begin{aligned}") !=
        page.npos);
  CHECK(page.find("(1.1)") == page.rfind("(1.1)"));
}
