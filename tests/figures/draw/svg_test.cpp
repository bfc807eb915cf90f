// SVG is well-formed for every text, number and size.
#include "figures/draw/svg.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using figures::escape_xml;
using figures::PathData;
using figures::Svg;

namespace {

const std::string unknown = "\xEF\xBF\xBD";

}  // namespace

TEST_CASE("svg: markup is escaped, white space is a space", "[svg]") {
  CHECK(escape_xml("a<b>c&d\"e'f") == "a&lt;b&gt;c&amp;d&quot;e'f");
  CHECK(escape_xml("a\tb\nc") == "a b c");
  CHECK(escape_xml(" ~") == " ~");
  CHECK(escape_xml("") == "");
  CHECK(escape_xml("µ → 🂡") == "µ → 🂡");
  CHECK(escape_xml("plain µ plain") == "plain µ plain");
}

TEST_CASE("svg: what XML cannot carry is replaced, byte by byte", "[svg]") {
  CHECK(escape_xml("\x1f") == unknown);
  CHECK(escape_xml("\r") == unknown);
  CHECK(escape_xml("\x7f") == "\x7f");
  CHECK(escape_xml("\x80") == unknown);
  CHECK(escape_xml("\xC1\xBF") == unknown + unknown);  // two bytes for one of ASCII
  CHECK(escape_xml("\xC2\xA0") == "\xC2\xA0");         // the first character that is no control
  CHECK(escape_xml("\xC2\x9F") == unknown + unknown);  // the last control
  CHECK(escape_xml("\xC3") == unknown);                // broken off
  CHECK(escape_xml("\xE2\x82") == unknown + unknown);
  CHECK(escape_xml("\xC3x") == unknown + "x");
  CHECK(escape_xml("\xE0\x9F\xBF") == unknown + unknown + unknown);  // too long an encoding
  CHECK(escape_xml("\xE0\xA0\x80") == "\xE0\xA0\x80");
  CHECK(escape_xml("\xED\x9F\xBF") == "\xED\x9F\xBF");
  CHECK(escape_xml("\xED\xA0\x80") == unknown + unknown + unknown);  // half of a pair
  CHECK(escape_xml("\xED\xBF\xBF") == unknown + unknown + unknown);
  CHECK(escape_xml("\xEE\x80\x80") == "\xEE\x80\x80");
  CHECK(escape_xml("\xEF\xBF\xBE") == unknown + unknown + unknown);  // U+FFFE is no character
  CHECK(escape_xml("\xF0\x8F\xBF\xBF") == unknown + unknown + unknown + unknown);
  CHECK(escape_xml("\xF0\x90\x80\x80") == "\xF0\x90\x80\x80");
  CHECK(escape_xml("\xF4\x8F\xBF\xBD") == "\xF4\x8F\xBF\xBD");
  CHECK(escape_xml(std::string_view("abcd").substr(0, 2)) == "ab");
  CHECK(escape_xml("\xF4\x90\x80\x80") == unknown + unknown + unknown + unknown);
  CHECK(escape_xml("\xF5\x80\x80\x80") == unknown + unknown + unknown + unknown);
}

TEST_CASE("svg: no mark that turns text around", "[svg]") {
  const auto replaced = [](const char* text) {
    return escape_xml(text) == unknown + unknown + unknown;
  };
  CHECK_FALSE(replaced("\u2029"));
  CHECK(replaced("\u202A"));
  CHECK(replaced("\u202E"));
  CHECK_FALSE(replaced("\u202F"));
  CHECK_FALSE(replaced("\u2065"));
  CHECK(replaced("\u2066"));
  CHECK(replaced("\u2069"));
  CHECK_FALSE(replaced("\u206A"));
}

TEST_CASE("svg: elements close in their order, empty ones at once", "[svg]") {
  Svg svg(1000);
  svg.begin("g").set("fill", "\"red\"").begin("rect").set("x", 1.06).end();
  svg.begin("text").text("a < b").end().end();
  CHECK(svg.str() == "<g fill=\"&quot;red&quot;\"><rect x=\"1.1\"/><text>a &lt; b</text></g>");
  CHECK(svg.within_budget());
}

TEST_CASE("svg: a number that is none, or absurdly far, is the origin", "[svg]") {
  const auto written = [](double value) {
    Svg svg(100);
    return svg.begin("a").set("x", value).end().str();
  };
  CHECK(written(std::nan("")) == "<a x=\"0\"/>");
  CHECK(written(std::numeric_limits<double>::infinity()) == "<a x=\"0\"/>");
  CHECK(written(1e9) == "<a x=\"0\"/>");
  CHECK(written(-1e9) == "<a x=\"0\"/>");
  CHECK(written(-999999999) == "<a x=\"-999999999\"/>");
}

TEST_CASE("svg: above its budget nothing is written, and an error is reported", "[svg]") {
  Svg exact(4);
  exact.begin("a");
  CHECK(exact.within_budget());
  exact.end();
  CHECK_FALSE(exact.within_budget());
  const std::string before = exact.str();
  exact.begin("b").end();
  CHECK(exact.str() == before);
}

TEST_CASE("svg: a path is written in relative steps without accumulated rounding", "[svg]") {
  CHECK(PathData().move(10, 20).line(30, 20).line(30, 5).line(10, 20).close().str() ==
        "m10 20h20v-15l-20 15z");
  CHECK(PathData().move(1, 1).line(2, 1).close().line(1, 3).str() == "m1 1h1zv2");
  CHECK(PathData().move(5, 5).move(6, 4).str() == "m5 5m1 -1");
  CHECK(PathData().move(-1.24, 0).line(-1.26, 0).str() == "m-1.2 0h-0.1");
  CHECK(PathData().move(std::nan(""), 3).line(3, 1e9).str() == "m0 3l3 -3");
  // Steps add up to the place itself: rounding them one by one would drift.
  PathData path;
  path.move(0, 0);
  for (int i = 1; i <= 3; ++i) path.line(i / 3.0, 0);
  CHECK(path.str() == "m0 0h0.3h0.4h0.3");
}
