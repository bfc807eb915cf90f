#include "generator/render/excerpt.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>

#include "generator/base/html.hpp"
#include "generator/base/text.hpp"
#include "generator/render/glyph.hpp"

namespace primer {
namespace {

using namespace std::string_view_literals;

constexpr auto parsing = pugi::parse_default | pugi::parse_ws_pcdata;

// Of a caption: what leads elsewhere, explains on hover, or is said better by the page it is on.
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
  // The space before a citation that is gone.
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

std::uint64_t words_of(std::string_view body) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> skipped = {
      {{"<svg", "</svg>"},
       {"<pre", "</pre>"},
       {"<math", "</math>"},
       {"<details class=\"plot-data\"", "</details>"},
       {"<", ">"}}};
  std::uint64_t words = 0;
  bool inside = false;
  while (!body.empty()) {
    if (body.front() == '<') {
      const auto part = std::ranges::find_if(
          skipped, [&](const auto& one) { return body.starts_with(one.first); });
      const auto end = body.find(part->second);
      body.remove_prefix(end == body.npos ? body.size() : end + part->second.size());
      continue;
    }
    const bool space = body.front() == ' ' || body.front() == '\n';
    words += !inside && !space ? 1 : 0;
    inside = !space;
    body.remove_prefix(1);
  }
  return words;
}

}  // namespace

const PageFigure* Excerpt::find(const std::string& id) const {
  const auto found = std::ranges::find(figures, id, &PageFigure::id);
  return id.empty() || found == figures.end() ? nullptr : &*found;
}

Excerpt excerpt_of(const std::string& body, std::vector<std::string> cited) {
  return {figures_of(body), std::move(cited), words_of(body)};
}

}  // namespace primer
