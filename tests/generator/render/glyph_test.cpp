// A figure as a thumbnail.
#include "generator/core/render/excerpt.hpp"

#include <pugixml.hpp>
#include <sstream>

#include "catch.hpp"

using namespace primer;

namespace {

std::string glyph_of(const std::string& inside) {
  pugi::xml_document document;
  const std::string svg =
      "<svg width=\"358\" height=\"340\" viewBox=\"0 0 358 340\">" + inside + "</svg>";
  REQUIRE(document.load_string(svg.c_str()));
  make_glyph(document.first_child());
  std::ostringstream out;
  document.first_child().print(out, "", pugi::format_raw);
  return std::move(out).str();
}

std::string framed(const std::string& box, const std::string& inside) {
  return "<svg width=\"320\" height=\"240\" viewBox=\"" + box + "\">" + inside + "</svg>";
}

const std::string axis =
    R"svg(<line x1="40" y1="200" x2="340" y2="200" stroke="var(--ink-soft)"/>)svg";

}  // namespace

TEST_CASE("glyph: words, grid, ticks and hatching go, lines and dots grow") {
  const std::string line =
      R"svg(<line x1="50" y1="190" x2="90" y2="30" stroke="var(--compute)")svg";
  CHECK(
      glyph_of(axis +
               R"svg(<line x1="40" y1="200" x2="40" y2="205" stroke="var(--ink-soft)"/>)svg"
               R"svg(<line x1="0" y1="60" x2="340" y2="60" stroke="var(--grid)"/>)svg"
               R"svg(<path d="m12 9l3 3" stroke="var(--paper)" stroke-opacity="0.55"/>)svg"
               R"svg(<text x="0" y="20">0.1</text><g paint-order="stroke"><text>a</text></g>)svg" +
               line + R"svg( stroke-width="2.5"/><circle cx="60" cy="100" r="5"/>)svg") ==
      framed(
          "33 23 314 184",
          R"svg(<line x1="40" y1="200" x2="340" y2="200" stroke="var(--ink-soft)" stroke-width="1.6"/>)svg" +
              line + R"svg( stroke-width="4"/><circle cx="60" cy="100" r="6.5"/>)svg"));
}

TEST_CASE("glyph: a tall figure shows the parts that fit, and a single part is not cut") {
  const std::string tall = R"svg(<rect x="10" y="20" width="100" height="500"/>)svg";
  CHECK(glyph_of(tall) == framed("4 14 112 512", tall));
  const std::string panels =
      R"svg(<rect x="10" y="20" width="100" height="60"/><path d="m10 90h100v80h-100z"/>)svg"
      R"svg(<rect x="10" y="120" width="90" height="9"/>)svg";
  CHECK(glyph_of(panels) == framed("3 14 114 72", panels));
  // The parts of a path count separately; a line that joins them prevents that.
  const std::string bars =
      R"svg(<path d="m10 20h100v30h-100zm0 60h100v30h-100zm0 60h100v30h-100z"/>)svg";
  CHECK(glyph_of(bars) == framed("3 13 114 104", bars));
  const std::string joined = R"svg(<line x1="12" y1="20" x2="12" y2="170"/>)svg";
  CHECK(glyph_of(bars + joined).find(R"svg(viewBox="3 13 114 164")svg") != std::string::npos);
}

TEST_CASE(
    "glyph: it is cut to its ink, and paper is no ink, but for the line around a hollow dot") {
  const std::string hollow =
      R"svg(<circle cx="60" cy="100" r="10" fill="var(--paper)" stroke="var(--teal)" stroke-width="2"/>)svg";
  CHECK(glyph_of(hollow).find(R"svg(viewBox="44 84 32 32")svg") != std::string::npos);
  const std::string square = R"svg(<rect x="10" y="20" width="100" height="100"/>)svg";
  const std::string paper =
      R"svg(<rect x="0" y="0" width="358" height="340" fill="var(--paper)"/>)svg";
  CHECK(glyph_of(square + paper) == framed("4 14 112 112", square + paper));
  const std::string path = R"svg(<path d="m10 10h20v-5l-8 9.5zm0 40h4"/>)svg";
  CHECK(glyph_of(path) == framed("3 -2 34 23.5", path));
}

TEST_CASE("glyph: a swatch is removed with its label, and no other small area is") {
  const std::string bar = R"svg(<path d="m12 30h200v18h-200z" fill="var(--compute-bar)"/>)svg";
  const std::string swatch = R"svg(<path d="m12 9h14v10h-14z" fill="var(--bandwidth-bar)"/>)svg";
  const std::string hatch =
      R"svg(<path d="m12 12l3 -3" stroke="var(--paper)" stroke-opacity="0.55"/>)svg";
  CHECK(glyph_of(swatch + hatch + R"svg(<text x="32" y="18">bytes</text>)svg" + bar) ==
        framed("5 23 214 32", bar));
  CHECK(glyph_of(swatch + bar + R"svg(<text x="32" y="18">bytes</text>)svg") ==
        framed("5 2 214 53", swatch + bar));
}

TEST_CASE("glyph: ticks and grid are removed, and bars drawn as strokes keep their width") {
  const std::string bar =
      R"svg(<path d="m40 60h100" stroke="var(--teal)" stroke-width="48" stroke-opacity="0.35"/>)svg";
  const std::string axes = R"svg(<path d="m40 200v5m90 -5v5" stroke="var(--ink-soft)"/>)svg"
                           R"svg(<path d="m0 10h300m-300 50h300" stroke="var(--grid)"/>)svg";
  CHECK(glyph_of(axes + bar) == framed("10 30 160 60", bar));
}

TEST_CASE("glyph: what has no ink keeps its size") {
  CHECK(glyph_of("<text>a</text>") ==
        "<svg width=\"358\" height=\"340\" viewBox=\"0 0 358 340\"/>");
}
