// Reads excerpts out of rendered HTML with an XML parser, after the thumbnails that they show.
#include "generator/core/render/excerpt.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/decimal_text.hpp"
#include "figures/base/geometry.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/draw/theme.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
using figures::Point;

// Thumbnail sizes in px of the drawing. Lists show it at one to two thirds of that size.
constexpr double glyph_width = 320, glyph_height = 240, margin = 6, longest_tick = 8;
constexpr double thicker = 1.6, larger = 1.3, thickest_line = 6;
// Height per width above which a thumbnail shows only the upper parts of a drawing, if its parts
// are stacked. The whole drawing would be too narrow.
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

// Whether the line is a grid line, tick or leader. Axis lines stay because bars and points rest on
// them.
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

// Whether the shape is only background. A hollow dot also has a line around it.
bool is_paper(const pugi::xml_node& node) {
  const std::string_view fill = node.attribute("fill").value();
  const std::string_view stroke = node.attribute("stroke").value();
  return (fill == palette().paper && stroke.empty()) ||
         ((fill == palette().paper || fill.empty()) && stroke == palette().paper);
}

// Parses the path commands that figures::PathData writes: m, l, h, v and z.
class Steps {
 public:
  explicit Steps(std::string_view data) : rest_(data) {}

  // Calls visit(point, begins) per point of the path; `begins` is true at the start of a subpath.
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

// Bounding boxes of what an element paints, one per subpath.
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

// Lower edge of the thumbnail of a tall drawing: the last gap above `lowest` that no part crosses,
// or the bottom of the drawing if there is none.
double bottom_of(std::vector<Extent> parts, double lowest) {
  std::ranges::sort(parts, {}, &Extent::top);
  double reached = parts.front().bottom, gap = 0;
  for (const Extent& part : parts) {
    if (part.top > reached && reached <= lowest) gap = reached;
    reached = std::max(reached, part.bottom);
  }
  return reached <= lowest || gap == 0 ? reached : gap;
}

// Whether the shape is a color key of a legend, which means nothing without its text.
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
  // A stroke that is already thick is a bar.
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

// Excerpts.

namespace {
using namespace std::string_view_literals;

constexpr auto parsing = pugi::parse_default | pugi::parse_ws_pcdata;

// Classes that a caption in a list leaves out: links, tooltips, and what the page itself explains
// better.
constexpr std::array left_out = {"label"sv,     "visually-hidden"sv, "tip"sv, "plot-source"sv,
                                 "plot-data"sv, "citation"sv,        "note"sv};
constexpr std::array kept = {"em"sv, "strong"sv, "code"sv, "sub"sv, "sup"sv, "del"sv};

std::string printed(const pugi::xml_node& node) {
  std::ostringstream out;
  node.print(out, "", pugi::format_raw | pugi::format_no_declaration, pugi::encoding_utf8);
  return std::move(out).str();
}

bool is_left_out(const pugi::xml_node& node) {
  return std::ranges::any_of(split(node.attribute("class").value(), ' '), [](auto name) {
    return std::ranges::find(left_out, name) != left_out.end();
  });
}

void write_inline(Html& out, const pugi::xml_node& parent) {
  for (const auto& node : parent.children()) {
    const std::string_view name = node.name();
    if (node.type() == pugi::node_pcdata) {
      out.text(node.value());
    } else if (name == "math") {
      out.raw(printed(node));
    } else if (is_left_out(node)) {
      continue;
    } else if (std::ranges::find(kept, name) != kept.end()) {
      out.open(name);
      write_inline(out, node);
      out.close();
    } else {
      write_inline(out, node);
    }
  }
}

pugi::xml_node child_of_class(const pugi::xml_node& parent, std::string_view name) {
  return parent.find_child(
      [&](const pugi::xml_node& child) { return child.attribute("class").value() == name; });
}

PageFigure figure_of(const pugi::xml_node& figure) {
  PageFigure found;
  found.id = figure.attribute("id").value();
  const auto caption = figure.child("figcaption");
  found.label = child_of_class(caption, "label").child_value();
  Html words;
  write_inline(words, caption);
  // Removes the space before a citation that was left out.
  found.caption = replace_all(std::string(trim(words.take())), " .", ".");
  if (const auto image = figure.child("img")) {
    found.finding = image.attribute("alt").value();
    found.picture = printed(image);
    return found;
  }
  auto svg = child_of_class(figure, "plot-narrow").child("svg");
  found.finding = svg.child("desc").child_value();
  for (const char* name : {"role", "lang"}) {
    svg.remove_attribute(name);
  }
  if (!svg) return found;
  make_glyph(svg);
  found.picture = printed(svg);
  return found;
}

std::vector<PageFigure> figures_of(const std::string& body) {
  constexpr std::string_view begin = "<figure class=\"p", end = "</figure>";
  std::vector<PageFigure> figures;
  for (auto at = body.find(begin); at != body.npos; at = body.find(begin, at + 1)) {
    const auto name = std::string_view(body).substr(at + begin.size() - 1);
    if (!name.starts_with("plot") && !name.starts_with("picture")) continue;
    const auto length = body.find(end, at) + end.size() - at;
    pugi::xml_document document;
    if (!document.load_buffer(body.data() + at, length, parsing, pugi::encoding_utf8)) continue;
    figures.push_back(figure_of(document.first_child()));
  }
  return figures;
}

// Questions.

constexpr std::array question_kinds = {"predict"sv, "quiz"sv, "worked"sv};

// The kind of the question that begins here, or "".
std::string_view question_at(std::string_view html) {
  constexpr std::string_view begin = "<section class=\"";
  if (!html.starts_with(begin)) return {};
  html.remove_prefix(begin.size());
  const auto kind = std::ranges::find_if(question_kinds, [&](auto name) {
    return html.starts_with(name) && html.substr(name.size()).starts_with('"');
  });
  return kind == question_kinds.end() ? ""sv : *kind;
}

std::string one_level_deeper(std::string html) {
  for (const std::string link : {"href=\"", "src=\""})
    html = replace_all(std::move(html), link + "../", link + "../../");
  return replace_all(std::move(html), "href=\"#", "href=\"../#");
}

std::vector<PageQuestion> questions_of(std::string_view body) {
  constexpr std::string_view heading = "<h2 id=\"", end = "</section>";
  std::vector<PageQuestion> questions;
  std::string section;
  for (auto at = body.find('<'); at != body.npos; at = body.find('<', at + 1)) {
    const auto rest = body.substr(at);
    if (rest.starts_with(heading))
      section = rest.substr(heading.size(), rest.find('"', heading.size()) - heading.size());
    const auto kind = question_at(rest);
    if (kind.empty()) continue;
    std::string html(rest.substr(0, rest.find(end) + end.size()));
    // A separate group, because the predictions around it may have been left out.
    if (kind == "predict") html = "<div class=\"guesses\">\n" + html + "\n</div>";
    questions.push_back({section, one_level_deeper(std::move(html))});
  }
  return questions;
}

// The core.

bool is_folded(const pugi::xml_node& node) {
  const auto parent = node.parent();
  return parent.name() == "details"sv && !parent.attribute("open") && node.name() != "summary"sv;
}

// Whether readers do not see the element before they open something, or it is not running text. The
// judge of layouts (tests/site/support/layout_judge.mjs) leaves out the same in a browser.
bool is_apart(const pugi::xml_node& node) {
  static constexpr std::array names = {"svg"sv, "td"sv, "th"sv};
  static constexpr std::array classes = {"tip"sv, "visually-hidden"sv, "note"sv, "source-note"sv};
  if (node.attribute("hidden") || is_folded(node)) return true;
  if (std::ranges::find(names, std::string_view(node.name())) != names.end()) return true;
  return std::ranges::any_of(split(node.attribute("class").value(), ' '), [](auto name) {
    return std::ranges::find(classes, name) != classes.end();
  });
}

// Adds the words of a text node: runs without space that have a letter or a digit. Tags do not end
// a word, so `word` says whether one is open and was counted.
enum class Word { none, signs, counted };
void count_words(std::string_view text, Word& word, std::uint64_t& words) {
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool is_space = c == ' ' || c == '\n' || c == '\t';
    // The first byte of a letter; signs such as "×" and "→" begin with less than 0xC4 or with 0xE2.
    const bool is_letter = (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') ||
                           (c >= 'a' && c <= 'z') || (byte >= 0xC4 && byte != 0xE2);
    if (is_space) {
      word = Word::none;
    } else if (word != Word::counted) {
      word = is_letter ? Word::counted : Word::signs;
      words += is_letter ? 1 : 0;
    }
  }
}

Core core_of(const std::string& body) {
  pugi::xml_document document;
  const std::string whole = "<main>" + body + "</main>";
  Core core;
  if (!document.load_buffer(whole.data(), whole.size(), parsing, pugi::encoding_utf8)) return core;
  const auto main = document.first_child();
  Word word = Word::none;
  for (pugi::xml_node node = main; node;) {
    const bool apart = is_apart(node);
    if (node.type() == pugi::node_pcdata && !apart) count_words(node.value(), word, core.words);
    const std::string_view kind = node.attribute("class").value();
    if (!apart && node.name() == "section"sv)
      core.questions += std::ranges::count(question_kinds, kind);
    if (!apart && node.name() == "primer-bench"sv) ++core.measurements;
    pugi::xml_node next = apart ? pugi::xml_node() : node.first_child();
    // Back to the nearest element that goes on. No recursion, because authors choose the depth.
    while (!next && node != main) {
      next = node.next_sibling();
      if (!next) node = node.parent();
    }
    node = next;
  }
  return core;
}

}  // namespace

const PageFigure* Excerpt::find(const std::string& id) const {
  const auto found = std::ranges::find(figures, id, &PageFigure::id);
  return id.empty() || found == figures.end() ? nullptr : &*found;
}

Excerpt excerpt_of(const std::string& body, std::vector<std::string> cited) {
  return {figures_of(body), std::move(cited), questions_of(body), core_of(body)};
}

}  // namespace primer
