#include "generator/publish/plain_content.hpp"

#include <algorithm>
#include <array>
#include <pugixml.hpp>
#include <sstream>
#include <string_view>
#include <vector>

#include "generator/base/text.hpp"

namespace primer {
namespace {

using namespace std::string_view_literals;

// Elements that do nothing without the book's scripts.
constexpr std::array controls = {"button"sv, "input"sv, "select"sv, "progress"sv, "form"sv};
// What repeats or explains on hover, and what scripts fill.
constexpr std::array left_out = {
    "tip"sv,        "source-note"sv,    "visually-hidden"sv, "plot-narrow"sv, "bench-act"sv,
    "answer-row"sv, "lock-row"sv,       "quiz-result"sv,     "score"sv,       "strip"sv,
    "yours"sv,      "model-controls"sv, "formula-narrow"sv};
constexpr std::array void_elements = {"br"sv, "hr"sv, "img"sv, "wbr"sv, "col"sv};

bool has_class(const pugi::xml_node& node, std::string_view name) {
  std::istringstream names(node.attribute("class").value());
  for (std::string one; names >> one;) {
    if (one == name) return true;
  }
  return false;
}

bool is_left_out(const pugi::xml_node& node) {
  if (node.attribute("hidden")) return true;
  if (std::ranges::find(controls, std::string_view(node.name())) != controls.end()) return true;
  return std::ranges::any_of(left_out, [&](auto name) { return has_class(node, name); });
}

bool is_kept(std::string_view attribute) {
  return !attribute.starts_with("data-") && !attribute.starts_with("aria-describedby") &&
         attribute != "tabindex" && attribute != "state" && attribute != "role" &&
         attribute != "aria-label";  // which names a role that is gone
}

void resolve_colours(pugi::xml_node& node, figures::Theme theme) {
  const auto names = figures::colours_of(figures::palette(figures::Theme::css));
  const auto values = figures::colours_of(figures::palette(theme));
  for (auto attribute : node.attributes()) {
    const auto at = std::ranges::find(names, std::string_view(attribute.value()));
    if (at != names.end()) attribute.set_value(std::string(values[at - names.begin()]).c_str());
  }
}

void make_valid_xhtml(pugi::xml_node& node) {
  if (node.name() == "math"sv) {
    node.append_attribute("xmlns") = "http://www.w3.org/1998/Math/MathML";
  }
  // Temml's, which epubcheck does not know.
  for (const char* name : {"displaystyle", "scriptlevel"}) node.remove_attribute(name);
  node.remove_attribute("loading");
  // A halo behind text, which would lie before it without its order.
  if (node.remove_attribute("paint-order")) {
    for (const char* name : {"stroke", "stroke-width", "stroke-linejoin"})
      node.remove_attribute(name);
  }
  if (node.name() == "svg"sv && node.attribute("lang")) node.attribute("lang").set_name("xml:lang");
}

// Attributes that hold ids, one or several.
void rename_ids(pugi::xml_node& node, const Renamed& name) {
  for (const char* attribute : {"id", "for", "headers", "aria-labelledby"}) {
    auto ids = node.attribute(attribute);
    if (!ids) continue;
    std::istringstream all(ids.value());
    std::vector<std::string> renamed;
    for (std::string one; all >> one;) renamed.push_back(name(one));
    ids.set_value(join(renamed, " ").c_str());
  }
}

// What stands for a figure away from its scripts, in the style of a figure that has none.
void choose_layout(pugi::xml_node& figure) {
  const auto find = [&](std::string_view name) {
    return figure.find_child([&](const pugi::xml_node& child) { return has_class(child, name); });
  };
  auto paper = find("plot-print");
  if (!paper) return;
  figure.remove_child(find("plot-wide"));
  paper.attribute("class").set_value("plot-wide");
  figure.attribute("class").set_value("plot");
}

void make_plain(pugi::xml_node node, figures::Theme theme, Markup markup, const Renamed& address,
                const Renamed& name) {
  // A list of what is still to do, not recursion: depth is the author's to choose.
  std::vector<pugi::xml_node> open = {node};
  while (!open.empty()) {
    pugi::xml_node next = open.back();
    open.pop_back();
    if (next.name() == "figure"sv) choose_layout(next);
    for (auto child = next.first_child(); child;) {
      const auto after = child.next_sibling();
      if (is_left_out(child)) {
        next.remove_child(child);
      } else if (child.type() == pugi::node_element) {
        open.push_back(child);
      }
      child = after;
    }
    for (auto attribute = next.first_attribute(); attribute;) {
      const auto after = attribute.next_attribute();
      if (!is_kept(attribute.name())) next.remove_attribute(attribute);
      attribute = after;
    }
    if (name) rename_ids(next, name);
    for (const char* link : {"href", "src"}) {
      auto attribute = next.attribute(link);
      if (attribute) attribute.set_value(address(attribute.value()).c_str());
    }
    if (next.name() == "primer-bench"sv) next.set_name("section");
    // What named a group is the label that stands there.
    if (next.name() == "section"sv || next.name() == "summary"sv)
      next.remove_attribute("aria-labelledby");
    if (markup == Markup::xhtml && next.name() == "details"sv) {
      next.set_name("div");
      if (auto summary = next.child("summary")) summary.set_name("p");
    } else if (next.name() == "details"sv && !next.attribute("open"))
      next.append_attribute("open") = "open";
    resolve_colours(next, theme);
    if (markup == Markup::xhtml) make_valid_xhtml(next);
  }
}

}  // namespace

std::optional<std::string> id_within(const std::string& chapter_url, const std::string& whole) {
  if (!whole.starts_with(chapter_url)) return std::nullopt;
  if (whole.size() == chapter_url.size()) return "";
  if (whole[chapter_url.size()] != '#') return std::nullopt;
  return whole.substr(chapter_url.size() + 1);
}

std::string absolute_url(const std::string& page_url, const std::string& reference) {
  const auto scheme = reference.find_first_of(":/?#");
  if (scheme != reference.npos && reference[scheme] == ':') return reference;
  if (reference.empty() || reference.front() == '#') return page_url + reference;
  const auto host = page_url.find("://");
  const auto root = host == page_url.npos ? 0 : page_url.find('/', host + 3);
  if (reference.front() == '/') return page_url.substr(0, root) + reference;
  std::string base = page_url.substr(0, page_url.rfind('/') + 1);
  std::string_view rest = reference;
  for (;;) {
    if (rest.starts_with("./")) {
      rest.remove_prefix(2);
    } else if (rest.starts_with("../")) {
      rest.remove_prefix(3);
      if (base.size() > root + 1) base = base.substr(0, base.rfind('/', base.size() - 2) + 1);
    } else {
      return base + std::string(rest);
    }
  }
}

std::string plain_content(const std::string& body, figures::Theme theme, Markup markup,
                          const Renamed& address, const Renamed& name) {
  pugi::xml_document document;
  const std::string whole = "<div>" + body + "</div>";
  const auto flags = pugi::parse_default | pugi::parse_ws_pcdata;
  if (!document.load_buffer(whole.data(), whole.size(), flags, pugi::encoding_utf8)) return {};
  make_plain(document.first_child(), theme, markup, address, name);
  std::ostringstream out;
  unsigned format = pugi::format_raw | pugi::format_no_declaration;
  // In HTML only void elements may close themselves.
  if (markup == Markup::html) format |= pugi::format_no_empty_element_tags;
  document.save(out, "", format, pugi::encoding_utf8);
  std::string text = out.str();
  if (markup == Markup::html) {
    for (const auto one : void_elements)
      text = replace_all(text, "></" + std::string(one) + '>', "/>");
  }
  return text;
}

}  // namespace primer
