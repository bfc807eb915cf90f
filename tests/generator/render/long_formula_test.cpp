#include "generator/core/render/long_formula.hpp"

#include <algorithm>

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

TEST_CASE("long formula: thirty signs fit, wherever they come from") {
  const auto long_one = [](const std::string& tex) { return !broken_formula(tex).empty(); };
  const std::string most(27, 'a');  // with "=", which is as wide as two letters, and the other side
  CHECK_FALSE(long_one(most + "=b"));
  CHECK(long_one(most + "a=b"));
  CHECK_FALSE(long_one(most + " \n = b"));
  CHECK(long_one(most + "+=b"));
  CHECK_FALSE(long_one("\\alpha{" + most.substr(1) + "}=b"));
  CHECK(long_one("\\alpha{" + most + "}=b"));
  CHECK_FALSE(long_one(std::string(25, 'a') + "\\quad=b"));
  CHECK(long_one(std::string(26, 'a') + "\\quad=b"));
  CHECK_FALSE(long_one(std::string(23, 'a') + "\\max=b"));
  CHECK(long_one(std::string(24, 'a') + "\\max=b"));
  CHECK(long_one(std::string(24, 'a') + "\\min=b"));
  CHECK_FALSE(long_one(most + "\\le b"));
  CHECK(long_one(most + "a\\le b"));
}

TEST_CASE("long formula: fractions are as wide as their wider half, scripts are smaller") {
  const auto long_one = [](const std::string& tex) { return !broken_formula(tex + "=b").empty(); };
  const auto of = [](std::size_t count) { return "{" + std::string(count, 'a') + "}"; };
  CHECK_FALSE(long_one("\\frac" + of(27) + of(27)));
  CHECK(long_one("\\frac" + of(28) + of(1)));
  CHECK(long_one("\\dfrac" + of(1) + of(28)));
  CHECK_FALSE(long_one("\\frac" + of(27)));
  CHECK_FALSE(long_one("a_" + of(37)));
  CHECK(long_one("a_" + of(38)));
  CHECK(long_one("a^" + of(38)));
  CHECK_FALSE(long_one("x" + of(26)));
  CHECK(long_one("x" + of(27)));
}

TEST_CASE("long formula: no break inside of brackets, nor before the first sign") {
  const std::string side(20, 'a');
  const auto parts = [&](const std::string& tex) {
    const std::string broken = broken_formula(tex);
    return std::count(broken.begin(), broken.end(), '&');
  };
  CHECK(parts(side + "=" + side) == 2);
  CHECK(parts(side + "=b<c>" + side) == 3);
  CHECK(parts("=" + side + "=" + side) == 2);
  for (const auto& [open, close] :
       {std::pair("(", ")"), {"[", "]"}, {"\\left(", "\\right)"}, {"\\{", "\\}"}}) {
    INFO(open);
    CHECK(parts(side + open + std::string("b=c") + close + side) == 0);
    CHECK(parts(side + open + std::string("b=c") + close + "=" + side) == 2);
  }
  CHECK(parts(side + "\\approx " + side) == 2);
  CHECK(parts(side + "\\times " + side) == 0);
  CHECK(parts(side + "=" + side + "\\\\") == 0);
  CHECK(parts("\\begin{x}" + side + "=" + side) == 0);
}
