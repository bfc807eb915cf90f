// Quotes, and what a marker on a quote's first line makes of them: callouts and tabs.
//
//   > [!NOTE] Title          > [!TABS]
//   > Text.                  >
//                            > - C++
//                            >
//                            >   Text for C++.
//
// Tabs are written as all panels, each below its label. That is what print, the e-book, the search
// and readers without scripts get; site/runtime/reading/tabs.js shows one panel at a time.
#include <algorithm>
#include <set>
#include <utility>

#include "generator/core/base/text.hpp"
#include "generator/core/markdown/quote_marker.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {
namespace {

// Marker, CSS class and title of each callout. The first five are GitHub's.
struct Callout {
  std::string_view marker, css_class, title;
};
constexpr Callout callouts[] = {
    {"NOTE", "note", "Note"},
    {"TIP", "tip", "Tip"},
    {"IMPORTANT", "important", "Important"},
    {"WARNING", "warning", "Warning"},
    {"CAUTION", "caution", "Caution"},
    {"TAKEAWAY", "takeaway", "Takeaway"},
    {"MODEL", "model", "Mental model"},
    {"PITFALL", "pitfall", "Pitfall"},
    {"DEEPER", "deeper", "Deeper"},
};
constexpr std::string_view tabs_marker = "TABS";
constexpr const char* how_to_write_tabs =
    "write a list below > [!TABS]: each item is a line with its label, an empty line and "
    "the text, indented like the label";

// The first inline that a label cannot contain, or null. A label becomes a button.
const Node* unlike_label(const Node& paragraph) {
  for (const auto& child : paragraph.children)
    if (child.kind != NodeKind::text && child.kind != NodeKind::code) return &child;
  return nullptr;
}

}  // namespace

void Emitter::quote(const Node& node) {
  const auto marker = marker_of_quote(node);
  const auto* callout =
      !marker ? std::end(callouts) : std::ranges::find(callouts, marker->name, &Callout::marker);
  const bool is_tabs = marker && marker->name == tabs_marker;
  if (marker && !is_tabs && callout == std::end(callouts)) unknown_callout(*marker);
  if (callout == std::end(callouts) && !is_tabs) {
    out.open("blockquote").line();
    blocks(node);
    out.close().line();
    return;
  }
  Node rest = node;
  rest.children[0] = without_marker_line(std::move(rest.children[0]), *marker);
  if (rest.children[0].children.empty()) rest.children.erase(rest.children.begin());
  if (is_tabs) return tabs(*marker, rest);
  if (inside_callout_)
    error(Rule::bad_callout, marker->offset, marker->length, "callouts cannot be nested");
  inside_callout_ = true;
  out.open("div",
           {{"class", "callout callout-" + std::string(callout->css_class)}, {"role", "note"}});
  out.line().element("p", {{"class", "label"}}, word(callout->title)).line();
  callout_title(*marker);
  blocks(rest);
  out.close().line();
  inside_callout_ = false;
}

void Emitter::unknown_callout(const QuoteMarker& marker) {
  std::vector<std::string> names;
  for (const auto& one : callouts) names.push_back("[!" + std::string(one.marker) + "]");
  names.push_back("[!" + std::string(tabs_marker) + "]");
  const std::string written(source.text().substr(marker.offset, marker.length));
  const std::string close = nearest("[!" + marker.name + "]", names);
  error(Rule::bad_callout, marker.offset, marker.length, "unknown callout " + in_quotes(written),
        close);
  if (close.empty()) diagnostics.hint("expected one of " + join(names, ", "));
}

void Emitter::callout_title(const QuoteMarker& marker) {
  if (marker.title.empty()) return;
  const Node& first = marker.title[0];
  if (const char sign = source.text()[marker.offset + marker.length]; sign == '-' || sign == '+') {
    error(Rule::bad_callout, marker.offset + marker.length, 1, "a callout cannot be folded");
    diagnostics.hint("remove the " + std::string(1, sign));
  }
  Node title;
  title.kind = NodeKind::paragraph;
  title.offset = first.offset;
  title.children = marker.title;
  out.open(has_note(title) ? "div" : "p", {{"class", "callout-title"}});
  inlines(title);
  out.close().line();
}

void Emitter::tabs(const QuoteMarker& marker, const Node& rest) {
  const auto wrong = [&](std::size_t offset, std::size_t length, std::string message) {
    error(Rule::bad_tabs, offset, length, std::move(message));
    diagnostics.hint(how_to_write_tabs);
  };
  const Node* list = rest.children.empty() ? nullptr : &rest.children[0];
  if (!marker.title.empty()) return wrong(marker.title[0].offset, 1, "tabs have no title");
  if (!list || list->kind != NodeKind::list)
    return wrong(marker.offset, marker.length, "these tabs have no list");
  if (rest.children.size() > 1)
    return wrong(rest.children[1].offset, 1, "text after the list of tabs");
  if (list->children.size() < 2)
    return wrong(list->offset, 1, "a single tab: expected two or more");
  if (inside_tabs_) return wrong(marker.offset, marker.length, "tabs cannot be nested");
  inside_tabs_ = true;
  out.open("div", {{"class", "tabs"}, {"role", "group"}, {"aria-label", word("Variants")}}).line();
  std::set<std::string> labels;
  for (const auto& item : list->children) {
    Node panel = item;
    const bool labelled = !panel.children.empty() && panel.children[0].kind == NodeKind::paragraph;
    const Node* unlike = labelled ? unlike_label(panel.children[0]) : nullptr;
    if (!labelled || unlike || panel.children.size() < 2) {
      wrong(unlike ? unlike->offset : item.offset, 1,
            !labelled ? "this tab has no label"
            : unlike  ? "a tab's label is one line of plain text"
                      : "this tab has no text");
      continue;
    }
    const Node label = std::move(panel.children[0]);
    panel.children.erase(panel.children.begin());
    if (!labels.insert(std::string(trim(plain_text(label)))).second)
      wrong(label.offset, 1, "two tabs with the label " + in_quotes(trim(plain_text(label))));
    out.open("div", {{"class", "tab"}}).line().open("p", {{"class", "tab-label"}});
    inlines(label);
    out.close().line();
    blocks(panel);
    out.close().line();
  }
  out.close().line();
  inside_tabs_ = false;
}

}  // namespace primer
