// How long the outlines of shapes are: exactly for straight lines, never too short for curves.
#include "generator/pictures/svg_outline.hpp"

#include <cmath>
#include <numbers>

#include "catch.hpp"

using namespace primer;

namespace {

constexpr double pi = std::numbers::pi;

SvgNode shape(const char* name, std::map<std::string, std::string> attributes) {
  SvgNode node;
  node.name = name;
  node.attributes = std::move(attributes);
  return node;
}

}  // namespace

TEST_CASE("svg outline: numbers as SVG writes them", "[svg]") {
  using Numbers = std::vector<double>;
  CHECK(svg_numbers("") == Numbers{});
  CHECK(svg_numbers("1 2,3 , 4") == Numbers{1, 2, 3, 4});
  CHECK(svg_numbers("1.5.5") == Numbers{1.5, 0.5});
  CHECK(svg_numbers("1-2+3") == Numbers{1, -2, 3});
  CHECK(svg_numbers(" \t\r\n1e2") == Numbers{100});
  CHECK(svg_numbers("1 x 2") == Numbers{1});
  CHECK(svg_numbers("1 inf 2") == Numbers{1});
  CHECK(svg_numbers("nan") == Numbers{});
  CHECK(svg_numbers("1,,2") == Numbers{1});
  CHECK(svg_numbers("1e999 -1e999 1e-999 1E-999") == Numbers{1e30, 1e30, 0, 0});
  CHECK(svg_numbers("1e31 -1e31") == Numbers{1e30, -1e30});
  CHECK(svg_numbers("1,") == Numbers{1});
}

TEST_CASE("svg outline: lengths with units", "[svg]") {
  CHECK(svg_length("3", 0) == 3);
  CHECK(svg_length("3px", 0) == 3);
  CHECK(svg_length("72pt", 0) == 96);
  CHECK(svg_length("1pc", 0) == 16);
  CHECK(svg_length("2IN", 0) == 192);
  CHECK(*svg_length("2.54cm", 0) == Approx(96));
  CHECK(*svg_length("25.4mm", 0) == Approx(96));
  CHECK(*svg_length("101.6Q", 0) == Approx(96));
  CHECK(svg_length(" 50 % ", 8) == 4);
  CHECK(svg_length("x", 8) == 0);
  CHECK(svg_length("", 8) == 0);
  CHECK_FALSE(svg_length("2em", 8));
  CHECK_FALSE(svg_length("2 px 3", 8));
}

TEST_CASE("svg outline: straight lines of a path", "[svg]") {
  CHECK(svg_path_length("M0 0L3 4") == 5);
  CHECK(svg_path_length("M1 1l3 4") == 5);
  CHECK(svg_path_length("M0 0 3 4 3 0") == 9);
  CHECK(svg_path_length("m1 1 3 4 0 -4") == 9);
  CHECK(svg_path_length("M2 2H5V6") == 7);
  CHECK(svg_path_length("M2 2h5v6") == 11);
  CHECK(svg_path_length("M2 2H5 1") == 7);
  CHECK(svg_path_length("M0 0H3V4Z") == 12);
  CHECK(svg_path_length("M0 0h3v4z") == 12);
  CHECK(svg_path_length("M1 1H4ZH2") == 7);
  CHECK(svg_path_length("M9 9M0 0H1M5 5H8") == 4);
  CHECK(svg_path_length("M0,0L.5-.5") == Approx(std::sqrt(0.5)));
  CHECK(svg_path_length("") == 0);
  CHECK(svg_path_length("M5 5") == 0);
}

TEST_CASE("svg outline: nothing behind a mistake is counted", "[svg]") {
  CHECK(svg_path_length("M0 0H3X5 5") == 3);
  CHECK(svg_path_length("M0 0H3L5") == 3);
  CHECK(svg_path_length("M0 0H3LV9") == 3);
  CHECK(svg_path_length("M0 0H3 B") == 3);
  CHECK(svg_path_length("5 5H3") == 0);
  CHECK(svg_path_length("M0 0H3A1 1 0 2 0 5 5") == 3);
  CHECK(svg_path_length("M0 0H3A1 1 0 0 0 5") == 3);
  CHECK(svg_path_length("M0H3") == 0);
  CHECK(svg_path_length("M0 0V") == 0);
}

TEST_CASE("svg outline: a curve is no longer than the lines between its points", "[svg]") {
  CHECK(svg_path_length("M0 0C0 3 4 3 4 0") == 10);
  CHECK(svg_path_length("M1 1c0 3 4 3 4 0") == 10);
  CHECK(svg_path_length("M0 0Q3 4 6 0") == 10);
  CHECK(svg_path_length("M0 0q3 4 6 0") == 10);
  // The control point on the other side of the last curve's.
  CHECK(svg_path_length("M0 0Q3 4 6 0T12 0") == 20);
  CHECK(svg_path_length("M0 0Q3 4 6 0t6 0") == 20);
  CHECK(svg_path_length("M0 0C0 3 4 3 4 0S8 -3 8 0") == 20);
  CHECK(svg_path_length("M0 0S0 3 4 3") == 7);
  // After a line there is none.
  CHECK(svg_path_length("M0 0Q3 4 6 0H7T12 0") == 16);
}

TEST_CASE("svg outline: arcs, and their flags without spaces", "[svg]") {
  CHECK(svg_path_length("M0 0A0 5 0 0 0 3 4") == 5);
  CHECK(svg_path_length("M0 0A5 0 0 0 0 3 4") == 5);
  CHECK(svg_path_length("M0 0A1 1 0 1 0 2 0") == Approx(2 * pi));
  CHECK(svg_path_length("M0 0A1 1 0 0 0 2 0") == Approx(pi));
  CHECK(svg_path_length("M0 0A1 1 0 102 0") == Approx(2 * pi));
  CHECK(svg_path_length("M0 0a1 1 0 002 0") == Approx(pi));
  CHECK(svg_path_length("M1 0a1 1 0 002 0") == Approx(pi));
  CHECK(svg_path_length("M0 0A-1 -1 0 1 1 2 0") == Approx(2 * pi));
  CHECK(svg_path_length("M0 0A1 1 0 1 0 4 0") == Approx(4 * pi));
  CHECK(svg_path_length("M0 0A1 3 0 1 0 2 0") == Approx(6 * pi));
  // Far below half a turn no more than a quarter circle over its chord.
  CHECK(svg_path_length("M0 0A100 100 0 0 0 2 0") == Approx(pi));
}

TEST_CASE("svg outline: shapes", "[svg]") {
  CHECK(svg_outline(shape("line", {{"x1", "1"}, {"y1", "2"}, {"x2", "4"}, {"y2", "6"}}), 0) == 5);
  CHECK(svg_outline(shape("line", {{"x2", "50%"}}), 6) == 3);
  CHECK(svg_outline(shape("rect", {{"width", "3"}, {"height", "-4"}}), 0) == 14);
  CHECK(*svg_outline(shape("circle", {{"r", "2"}}), 0) == Approx(4 * pi));
  CHECK(*svg_outline(shape("ellipse", {{"rx", "2"}, {"ry", "3"}}), 0) == Approx(6 * pi));
  CHECK(*svg_outline(shape("ellipse", {{"rx", "2"}}), 0) == Approx(4 * pi));
  CHECK(svg_outline(shape("path", {{"d", "M0 0H3"}}), 0) == 3);
  CHECK(svg_outline(shape("polyline", {{"points", "0,0 3,4 3,0"}}), 0) == 12);
  CHECK(svg_outline(shape("polygon", {{"points", "0,0 3,0 3,4 9"}}), 0) == 12);
  CHECK(svg_outline(shape("polygon", {{"points", "0,0"}}), 0) == 0);
  CHECK(svg_outline(shape("polygon", {{"points", "5"}}), 0) == 0);
  CHECK(svg_outline(shape("polygon", {}), 0) == 0);
  CHECK(svg_outline(shape("polygon", {{"points", "5 5 8 9"}}), 0) == 10);
  CHECK(svg_outline(shape("g", {{"r", "2"}}), 0) == 0);
  CHECK_FALSE(svg_outline(shape("circle", {{"r", "2em"}}), 0));
  CHECK_FALSE(svg_outline(shape("line", {{"x1", "2em"}, {"x2", "3"}}), 0));
}
