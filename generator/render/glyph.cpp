#include "generator/render/glyph.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "figures/base/geometry.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/draw/theme.hpp"

namespace primer {
namespace {

using figures::Point;

// What is shown, and how: in px of the drawing, which a list shows at about two thirds to a third.
constexpr double glyph_width = 320, glyph_height = 240, margin = 6, longest_tick = 8;
constexpr double thicker = 1.6, larger = 1.3, thickest_line = 6;
// A drawing that is taller than wide by more shows the upper ones of its parts, where some lie below each other: all of
// it would be a thread.
constexpr double tallest = 1.25;

const figures::Palette& palette() { return figures::palette(figures::Theme::css); }

struct Extent {
  double left = std::numeric_limits<double>::infinity(), top = left, right = -left, bottom = -left;

  void add(Point p, double around) {
    left = std::min(left, p.x - around), right = std::max(right, p.x + around);
    top = std::min(top, p.y - around), bottom = std::max(bottom, p.y + around);
  }
  bool is_empty() const { return left > right; }
};

double attribute_of(const pugi::xml_node& node, const char* name) {
  return node.attribute(name).as_double();
}

Point end_of(const pugi::xml_node& line, bool second) {
  return second ? Point{attribute_of(line, "x2"), attribute_of(line, "y2")}
                : Point{attribute_of(line, "x1"), attribute_of(line, "y1")};
}

// Grid, ticks and leaders; of the axes' lines those that carry something stay.
bool is_scaffold(const pugi::xml_node& line) {
  const std::string_view stroke = line.attribute("stroke").value(), name = line.name();
  if (stroke == palette().grid || stroke == palette().rule) return true;
  if (name == "path") return stroke == palette().ink_soft && !line.attribute("stroke-width");
  const Point from = end_of(line, false), to = end_of(line, true);
  const bool is_axis = from.y == to.y && std::fabs(to.x - from.x) > longest_tick;
  return stroke == palette().ink_soft && !is_axis;
}

bool is_dropped(const pugi::xml_node& node) {
  const std::string_view name = node.name();
  if (name == "text" || name == "g" || name == "title" || name == "desc") return true;
  if (name == "line" || (name == "path" && node.attribute("stroke") && !node.attribute("fill")))
    if (is_scaffold(node)) return true;
  // Hatching, whose lines would run together.
  return node.attribute("stroke-opacity") && node.attribute("stroke").value() == palette().paper;
}

// A hollow dot has a line around its paper.
bool is_paper(const pugi::xml_node& node) {
  const std::string_view fill = node.attribute("fill").value();
  const std::string_view stroke = node.attribute("stroke").value();
  return (fill == palette().paper && stroke.empty()) ||
         ((fill == palette().paper || fill.empty()) && stroke == palette().paper);
}

// Reads the steps that figures::PathData writes: m, l, h, v and z.
class Steps {
 public:
  explicit Steps(std::string_view data) : rest_(data) {}

  // Calls `visit` with each point of the path, and whether a part of it begins there.
  template <class Visit>
  void each(const Visit& visit) {
    while (!rest_.empty()) {
      const char command = rest_.front();
      rest_.remove_prefix(1);
      if (command == 'z') at_ = start_;
      else step(command);
      visit(at_, command == 'm');
    }
  }

 private:
  void step(char command) {
    if (command != 'v') at_.x += take();
    if (command != 'h') at_.y += take();
    if (command == 'm') start_ = at_;
  }

  double take() {
    while (!rest_.empty() && rest_.front() == ' ') rest_.remove_prefix(1);
    const bool negative = rest_.starts_with('-');
    if (negative) rest_.remove_prefix(1);
    const auto number = figures::read_decimal(rest_, "");
    rest_.remove_prefix(number.length);
    return negative ? -number.value : number.value;
  }

  std::string_view rest_;
  Point at_{0, 0}, start_{0, 0};
};

// The extents of what an element inks: of a path each part has its own.
std::vector<Extent> ink_of(const pugi::xml_node& node) {
  std::vector<Extent> parts(1);
  if (is_paper(node)) return {};
  const std::string_view name = node.name();
  if (name == "line") {
    for (const bool second : {false, true}) parts[0].add(end_of(node, second), 1);
  } else if (name == "rect") {
    const Point corner{attribute_of(node, "x"), attribute_of(node, "y")};
    parts[0].add(corner, 0);
    parts[0].add({corner.x + attribute_of(node, "width"), corner.y + attribute_of(node, "height")},
                 0);
  } else if (name == "circle") {
    parts[0].add({attribute_of(node, "cx"), attribute_of(node, "cy")}, attribute_of(node, "r"));
  } else if (name == "path") {
    const double around = std::max(1.0, attribute_of(node, "stroke-width") / 2);
    Steps(node.attribute("d").value()).each([&](Point p, bool begins) {
      if (begins && !parts.back().is_empty()) parts.emplace_back();
      parts.back().add(p, around);
    });
  }
  std::erase_if(parts, [](const Extent& part) { return part.is_empty(); });
  return parts;
}

Extent around(const std::vector<Extent>& parts) {
  Extent all;
  for (const Extent& part : parts) {
    all.add({part.left, part.top}, 0);
    all.add({part.right, part.bottom}, 0);
  }
  return all;
}

// How far down the parts of a tall drawing are shown: to the last gap that no part crosses above `lowest`, or all.
double bottom_of(std::vector<Extent> parts, double lowest) {
  std::ranges::sort(parts, {}, &Extent::top);
  double reached = parts.front().bottom, gap = 0;
  for (const Extent& part : parts) {
    if (part.top > reached && reached <= lowest) gap = reached;
    reached = std::max(reached, part.bottom);
  }
  return reached <= lowest || gap == 0 ? reached : gap;
}

// A swatch that the words after it explain: nothing without them.
bool is_key(const pugi::xml_node& swatch) {
  constexpr double largest = 16, nearest = 12;
  const Extent extent = around(ink_of(swatch));
  if (extent.is_empty() || extent.right - extent.left > largest ||
      extent.bottom - extent.top > largest)
    return false;
  auto words = swatch.next_sibling();
  while (words.attribute("stroke-opacity")) words = words.next_sibling();
  if (words.name() != std::string_view("text") || words.attribute("text-anchor")) return false;
  const double gap = attribute_of(words, "x") - extent.right, base = attribute_of(words, "y");
  return gap > 0 && gap < nearest && base > extent.top && base < extent.bottom + largest / 2;
}

void multiply(pugi::xml_node& node, const char* name, double factor, double usual) {
  const auto attribute = node.attribute(name);
  const std::string value = figures::fixed(factor * attribute.as_double(usual), 1);
  if (attribute) node.attribute(name).set_value(value.c_str());
  else node.append_attribute(name).set_value(value.c_str());
}

void strengthen(pugi::xml_node& node) {
  // A stroke that is thick already is a bar.
  const bool is_bar = attribute_of(node, "stroke-width") > thickest_line;
  if (node.attribute("stroke") && !is_paper(node) && !is_bar)
    multiply(node, "stroke-width", thicker, 1);
  if (node.attribute("r")) multiply(node, "r", larger, 0);
}

}  // namespace

void make_glyph(pugi::xml_node svg) {
  std::vector<Extent> parts;
  for (auto node = svg.first_child(); node;) {
    auto next = node.next_sibling();
    if (is_dropped(node) || is_key(node)) {
      svg.remove_child(node);
    } else {
      for (const Extent& part : ink_of(node)) parts.push_back(part);
      strengthen(node);
    }
    node = next;
  }
  if (parts.empty()) return;
  const Extent extent = around(parts);
  const double wide = extent.right - extent.left;
  const double tall = bottom_of(std::move(parts), extent.top + wide * tallest) - extent.top;
  std::string box;
  for (const double edge :
       {extent.left - margin, extent.top - margin, wide + 2 * margin, tall + 2 * margin})
    box += (box.empty() ? "" : " ") + figures::fixed(edge, 1);
  svg.attribute("viewBox").set_value(box.c_str());
  svg.attribute("width").set_value(glyph_width);
  svg.attribute("height").set_value(glyph_height);
}

}  // namespace primer
