// Makes nodes of a syntax tree: texts, paragraphs, callouts and anchors.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/markdown/markdown.hpp"

namespace primer {

Node text_node(std::string text, InSource in_source = InSource::unknown);
Node parent_node(NodeKind kind, std::vector<Node> children);
bool is_inline(const Node& node);
// Groups inlines that follow each other into paragraphs. Spaces at the ends and empty paragraphs
// are removed.
std::vector<Node> as_blocks(std::vector<Node> mixed);
// Joins blocks into inlines, with line breaks between them.
std::vector<Node> as_inlines(std::vector<Node> mixed);
// A quote with the marker of one of the book's callouts ("NOTE") and a title, which may be empty.
Node callout_node(const std::string& marker, std::vector<Node> title, std::vector<Node> blocks);
// Tabs from items of tab_node(). If the book cannot have such tabs, or `possible` is false, the
// blocks without tabs, each item below its label.
std::vector<Node> tabs_nodes(std::vector<Node> items, bool possible);
// The item of a tab.
Node tab_node(std::vector<Node> label, std::vector<Node> blocks);
// The marker and the title of a callout of another tool, by its name: "danger" gives CAUTION, and
// "example" gives NOTE with the title "Example". Both are empty for other names.
struct CalloutKind {
  std::string marker, title;
};
CalloutKind callout_kind(std::string_view name);
// Mark of an anchor (NodeKind::html), which has its id as `title`. `now`: the id that links to it
// get (`url`); "" for that of the section.
bool is_anchor(const Node& node);
Node anchor_node(const std::string& id, const std::string& now = "");
// The new id of a figure, table or equation ("fig", "tbl", "eq"): "fig:Box" gives "fig-box".
std::string label_id(std::string_view kind, std::string_view old);
// A link without a text. links.cpp names the kind of what it leads to.
Node reference_node(const std::string& id);

}  // namespace primer
