// Requirements for every figure, checked on the SVG independently of its layout.
#pragma once

#include <pugixml.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "figures/base/geometry.hpp"
#include "figures/draw/rendering.hpp"
#include "figures/draw/text_metrics.hpp"
#include "support.hpp"

namespace check {

struct Words {
  std::string text;
  double size;
  figures::Quad area;  // cap height and descender, without the line's leading
};

inline figures::Point number_pair(const std::string& text, std::size_t from) {
  std::istringstream in(text.substr(from));
  figures::Point point;
  in >> point.x >> point.y;
  return point;
}

// The total translation of the groups around a node.
inline figures::Point moved_by_groups(const pugi::xml_node& node) {
  figures::Point sum{};
  for (pugi::xml_node group = node.parent(); group; group = group.parent()) {
    const std::string transform = group.attribute("transform").value();
    if (!transform.starts_with("translate(")) continue;
    const figures::Point by = number_pair(transform, transform.find('(') + 1);
    sum = {sum.x + by.x, sum.y + by.y};
  }
  return sum;
}

inline figures::Quad moved(figures::Quad area, figures::Point by) {
  for (figures::Point& corner : area) corner = {corner.x + by.x, corner.y + by.y};
  return area;
}

// The lines of path data as figures::PathData writes it.
inline std::vector<figures::Quad> steps_of(const std::string& data) {
  std::vector<figures::Quad> out;
  std::istringstream in(data);
  figures::Point start{}, last{};
  for (char command; in >> command;) {
    figures::Point step{};
    if (command == 'm' || command == 'l') in >> step.x >> step.y;
    if (command == 'h') in >> step.x;
    if (command == 'v') in >> step.y;
    const figures::Point next =
        command == 'z' ? start : figures::Point{last.x + step.x, last.y + step.y};
    if (command == 'm') start = next;
    if (command != 'm') out.push_back(figures::quad_of(last, next));
    last = next;
  }
  return out;
}

inline Words words_of(const pugi::xml_node& node) {
  const double size = node.attribute("font-size").as_double();
  const bool bold = node.attribute("font-weight").as_int() == 600;
  const std::string text = node.text().get();
  const double width =
      figures::text_width(text, size, bold ? figures::Weight::semibold : figures::Weight::regular);
  const std::string anchor = node.attribute("text-anchor").value();
  const double left = anchor == "end" ? -width : anchor == "middle" ? -width / 2 : 0;
  const figures::Box box{left, -size * 0.7, left + width, size * 0.2};
  const std::string transform = node.attribute("transform").value();
  figures::Point origin{node.attribute("x").as_double(), node.attribute("y").as_double()};
  double degrees = 0;
  if (!transform.empty()) {
    origin = number_pair(transform, transform.find('(') + 1);
    degrees = std::stod(transform.substr(transform.find("rotate(") + 7));
  }
  figures::Quad area = figures::turned(figures::quad_of(box), {0, 0}, std::cos(degrees / 57.29578),
                                       std::sin(degrees / 57.29578));
  return {text, size, moved(moved(area, origin), moved_by_groups(node))};
}

inline std::vector<Words> all_words(const pugi::xml_document& document) {
  std::vector<Words> out;
  for (const auto& found : document.select_nodes("//text")) out.push_back(words_of(found.node()));
  return out;
}

// Well-formed and readable, inside the figure, without overlaps and without anything that the
// pages' CSP forbids.
inline void geometry(const figures::Rendering& drawing) {
  pugi::xml_document document;
  REQUIRE(document.load_string(drawing.svg.c_str()));
  const figures::Box page{0, 0, drawing.width, drawing.height};
  CHECK(drawing.svg.find("style=") == std::string::npos);
  for (const char* no_number : {"\"nan", " nan", ",nan", ">nan<", "-nan"})
    CHECK(drawing.svg.find(no_number) == std::string::npos);
  const std::vector<Words> words = all_words(document);
  for (std::size_t i = 0; i < words.size(); ++i) {
    INFO(words[i].text);
    CHECK(words[i].size >= 11.5);
    CHECK(figures::inside(words[i].area, page));
    CHECK_FALSE(figures::missing_glyph(words[i].text));
    CHECK(words[i].text.find("…") == std::string::npos);  // nothing was cut to fit
    for (std::size_t k = 0; k < i; ++k) {
      INFO(words[k].text);
      CHECK_FALSE(figures::overlap(words[i].area, words[k].area));
    }
  }
  for (const auto& found : document.select_nodes("//circle")) {
    const pugi::xml_node dot = found.node();
    CHECK(page.contains({dot.attribute("cx").as_double(), dot.attribute("cy").as_double()}));
  }
  for (const auto& row : drawing.table.rows) CHECK(row.size() == drawing.table.columns.size());
  CHECK_FALSE(drawing.title.empty());
  CHECK_FALSE(drawing.description.empty());
}

// Labels in one line, at any angle, are further apart than words: otherwise "55 GB/s 56 GB/s" would
// read as one label.
inline void labels_apart(const figures::Rendering& drawing) {
  constexpr double least = 5;  // px
  pugi::xml_document document;
  REQUIRE(document.load_string(drawing.svg.c_str()));
  const std::vector<Words> words = all_words(document);
  for (const Words& one : words) {
    const figures::Point from = one.area[0], to = one.area[1];
    const double wide = std::hypot(to.x - from.x, to.y - from.y);
    const double x = least * (to.x - from.x) / wide, y = least * (to.y - from.y) / wide;
    figures::Quad longer = one.area;
    for (const std::size_t end : {1, 2}) longer[end] = {longer[end].x + x, longer[end].y + y};
    for (const Words& other : words) {
      if (&other == &one) continue;
      INFO(one.text << " | " << other.text);
      CHECK_FALSE(figures::overlap(longer, other.area));
    }
  }
}

// A line across a word makes the word hard to read. Grid lines (in the color of rules) do not, nor
// do dashed lines where words have a halo; words in models have none.
enum class Halo { no, yes };
inline void nothing_struck_through(const figures::Rendering& drawing, Halo halo = Halo::yes) {
  pugi::xml_document document;
  REQUIRE(document.load_string(drawing.svg.c_str()));
  std::vector<figures::Quad> strokes;
  const auto solid = [&](const pugi::xml_node& node) {
    const std::string stroke = node.attribute("stroke").value();
    // Thick translucent strokes are areas (Sheet::strokes).
    return !stroke.empty() && stroke != "var(--rule)" && stroke != "var(--grid)" &&
           stroke != "var(--paper)" && node.attribute("stroke-opacity").empty() &&
           (halo == Halo::no || node.attribute("stroke-dasharray").empty());
  };
  for (const auto& found : document.select_nodes("//line")) {
    const pugi::xml_node line = found.node();
    if (!solid(line)) continue;
    const figures::Quad drawn = figures::quad_of(
        figures::Point{line.attribute("x1").as_double(), line.attribute("y1").as_double()},
        figures::Point{line.attribute("x2").as_double(), line.attribute("y2").as_double()});
    strokes.push_back(moved(drawn, moved_by_groups(line)));
  }
  for (const auto& found : document.select_nodes("//path")) {
    if (!solid(found.node()) || !found.node().attribute("fill").empty()) continue;
    for (const figures::Quad& step : steps_of(found.node().attribute("d").value()))
      strokes.push_back(moved(step, moved_by_groups(found.node())));
  }
  for (const Words& words : all_words(document)) {
    INFO(words.text);
    for (const figures::Quad& stroke : strokes) {
      INFO(stroke[0].x << " " << stroke[0].y << " to " << stroke[2].x << " " << stroke[2].y);
      CHECK_FALSE(figures::overlap(words.area, stroke));
    }
  }
}

// The figure as it was last reviewed. UPDATE_GOLDENS=1 stores the new one.
inline void golden(const std::string& name, const std::string& svg) {
  const std::string path = std::string(SOURCE_ROOT) + "/tests/fixtures/figures/" + name;
  if (std::getenv("UPDATE_GOLDENS") != nullptr) std::ofstream(path) << svg << '\n';
  CHECK(support::read_source("tests/fixtures/figures/" + name) == svg + "\n");
}

}  // namespace check
