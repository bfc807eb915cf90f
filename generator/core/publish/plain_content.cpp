#include "generator/core/publish/plain_content.hpp"

#include <pugixml.hpp>

#include <algorithm>
#include <array>
#include <set>
#include <sstream>
#include <string_view>
#include <vector>

#include "generator/core/assemble/assets.hpp"
#include "generator/core/assemble/policy.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/language_rules.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {
using namespace std::string_view_literals;

// Elements that are useless without scripts.
constexpr std::array controls = {"button"sv, "input"sv, "select"sv, "progress"sv, "form"sv};
// Classes of content that repeats something, explains on hover or is filled by scripts.
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
         attribute != "aria-label";  // it names a role that was removed
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
  // Attributes by Temml that epubcheck does not know.
  for (const char* name : {"displaystyle", "scriptlevel"}) node.remove_attribute(name);
  node.remove_attribute("loading");
  // A halo around text. Without its paint order it would cover the text.
  if (node.remove_attribute("paint-order")) {
    for (const char* name : {"stroke", "stroke-width", "stroke-linejoin"})
      node.remove_attribute(name);
  }
  if (node.name() == "svg"sv && node.attribute("lang")) node.attribute("lang").set_name("xml:lang");
}

// Renames the ids in attributes that hold one or several.
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

// Shows a model's frame for print in the style of an ordinary figure.
void choose_layout(pugi::xml_node& figure) {
  const auto find = [&](std::string_view name) {
    return figure.find_child([&](const pugi::xml_node& child) { return has_class(child, name); });
  };
  auto paper = find("plot-print");
  if (!paper) return;
  if (auto wide = find("plot-wide"); wide != paper) figure.remove_child(wide);
  paper.attribute("class").set_value("plot-wide");
  figure.attribute("class").set_value("plot");
}

void make_plain(pugi::xml_node node, figures::Theme theme, Markup markup, const Renamed& address,
                const Renamed& name) {
  // An explicit stack instead of recursion, because authors choose the depth.
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
    if (next.name() == "fieldset"sv) next.set_name("div");  // its legend is for screen readers
    // The label is visible here, so the element need not be named by it.
    if (next.name() == "section"sv || next.name() == "summary"sv)
      next.remove_attribute("aria-labelledby");
    if (markup == Markup::xhtml && next.name() == "details"sv) {
      next.set_name("div");
      const bool has_heading = has_class(next, "fold");
      if (auto summary = next.child("summary")) summary.set_name(has_heading ? "div" : "p");
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
  // In HTML, only void elements may be self-closing.
  if (markup == Markup::html) format |= pugi::format_no_empty_element_tags;
  document.save(out, "", format, pugi::encoding_utf8);
  std::string text = out.str();
  if (markup == Markup::html) {
    for (const auto one : void_elements)
      text = replace_all(text, "></" + std::string(one) + '>', "/>");
  }
  return text;
}

// The print page.

namespace {
// Slugs and prefixes of ids do not contain two hyphens, so these ids cannot collide.
std::string anchor_of(const Entry& entry, const std::string& id) { return entry.slug + "--" + id; }

std::string numbered_title(const RenderedPage& part) {
  const auto& [entry, front] = std::tie(part.chapter->entry, part.chapter->front);
  return entry->before_title() + front.title;
}

// The address on the print page of what `from` links to.
std::string address_on_page(const Book& book, const std::vector<const RenderedPage*>& parts,
                            const Entry& from, const std::string& to) {
  const std::string whole = absolute_url(book.base_url + from.url, to);
  for (const RenderedPage* part : parts) {
    const Entry& entry = *part->chapter->entry;
    if (const auto id = id_within(book.base_url + entry.url, whole))
      return '#' + (id->empty() ? entry.slug : anchor_of(entry, *id));
  }
  return whole;
}

// Lowers all headings by one level, because the title of a part has level 2.
std::string one_level_down(std::string html) {
  for (const auto& [from, to] : {std::pair("h5", "h6"), std::pair("h4", "h5"),
                                 std::pair("h3", "h4"), std::pair("h2", "h3")}) {
    html = replace_all(html, std::string("<") + from, std::string("<") + to);
    html = replace_all(html, std::string("</") + from, std::string("</") + to);
  }
  return html;
}

std::string part_body(const Book& book, const std::vector<const RenderedPage*>& parts,
                      const RenderedPage& part) {
  const Entry& entry = *part.chapter->entry;
  const auto plain = [&](const std::string& html) {
    return plain_content(
        html, figures::Theme::print, Markup::html,
        [&](const std::string& to) { return address_on_page(book, parts, entry, to); },
        [&](const std::string& id) { return anchor_of(entry, id); });
  };
  Html out;
  out.open("article", {{"id", entry.slug}}).line().element("h2", {}, numbered_title(part)).line();
  if (!part.chapter->front.summary.empty()) {
    out.element("p", {{"class", "summary"}}, part.chapter->front.summary).line();
  }
  out.raw(one_level_down(plain(part.text.body))).line();
  return out.close().line().take();
}

}  // namespace

std::string print_page(const Book& book, const Messages& words,
                       const std::vector<const RenderedPage*>& parts, const std::string& assets) {
  const std::string to_root = book.root.empty() ? "../" : "../../";
  Html out;
  // data-ready: no script will reserve room.
  out.raw("<!DOCTYPE html>\n")
      .open("html", {{"lang", book.language}, {"data-theme", "light"}, {"data-ready", ""}})
      .line();
  out.open("head").line().empty("meta", {{"charset", "utf-8"}}).line();
  out.empty("meta",
            {{"http-equiv", "Content-Security-Policy"}, {"content", content_policy(book.base_url)}})
      .line();
  out.empty("meta", {{"name", "viewport"}, {"content", "width=device-width, initial-scale=1"}})
      .line();
  out.empty("meta", {{"name", "robots"}, {"content", "noindex"}})
      .line();  // its content is already on other pages
  out.element("title", {}, book.title).line();
  for (const std::string sheet : {"style.css", "pages.css", "right-to-left.css"}) {
    if (sheet == "right-to-left.css" && !is_right_to_left(book.language)) continue;
    out.empty("link", {{"rel", "stylesheet"}, {"href", to_root + assets + sheet}}).line();
  }
  out.close().line().open("body").line().open("main", {{"id", "text"}, {"class", "whole"}}).line();
  out.element("h1", {}, book.title)
      .line()
      .element("p", {{"class", "summary"}}, book.subtitle)
      .line();
  out.open("p").element("a", {{"href", book.base_url}}, book.base_url);
  out.text(book.license.empty() ? "." : ". " + book.license_sentence()).close().line();
  out.open("nav", {{"aria-label", words("Contents")}})
      .open("ul", {{"class", "whole-contents"}})
      .line();
  for (const RenderedPage* part : parts) {
    const std::string title = book.part_of(*part->chapter->entry);
    if (!title.empty()) out.element("li", {{"class", "part"}}, title).line();
    out.open("li")
        .element("a", {{"href", '#' + part->chapter->entry->slug}}, numbered_title(*part))
        .close()
        .line();
  }
  out.close().close().line();
  std::set<std::string> sheets;
  for (const RenderedPage* part : parts) {
    const std::string body = part_body(book, parts, *part);
    for (const auto& [name, mark] : conditional_sheets)
      if (body.find(mark) != body.npos) sheets.insert(name);
    out.raw(body);
  }
  for (const auto& name : sheets) {
    const std::string sheet = to_root + assets + name + ".css";
    out.empty("link", {{"rel", "stylesheet"}, {"href", sheet}}).line();
  }
  return with_directions(out.close().line().close().line().close().line().take());
}

}  // namespace primer
