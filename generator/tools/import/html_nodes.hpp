// Replaces the raw HTML of a syntax tree by the tree's own nodes, so that <table>, <details> or
// <img> become what their Markdown would be.
//
// Markdown splits HTML at empty lines, so an element may begin in one block and end in another:
//
//   <details>            html_block   --> opens an element on the stack
//   Some *text*.         paragraph    --> becomes its child
//   </details>           html_block   --> closes it: the children become a callout
//
// An element that is not closed gives its children to its parent. Names that are no HTML elements,
// such as <T>, are text. Anchors (<a id=x>) become marks that chapter.cpp moves to the section that
// they name. What has no counterpart, such as a script, is reported.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/html_tags.hpp"
#include "generator/tools/import/report.hpp"

namespace primer {

// Where the nodes of a chapter come from.
struct OldPlace {
  std::string file;
  std::function<int(std::size_t offset)> line_at;
};

void replace_html(Node& document, const OldPlace& place, ImportReport& report);

// Shared with chapter.cpp.

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
// The marker and the title of a callout of another tool, by its name: "danger" gives CAUTION, and
// "example" gives NOTE with the title "Example". Both are empty for other names.
struct CalloutKind {
  std::string marker, title;
};
CalloutKind callout_kind(std::string_view name);
// Mark of an anchor (NodeKind::html), which has its id as `title`.
bool is_anchor(const Node& node);
Node anchor_node(const std::string& id);

// html_table.cpp: rows of cells as a table that every Markdown table can be, with empty cells for
// those that span several columns or rows.
struct HtmlCell {
  std::vector<Node> children;
  int columns = 1, rows = 1;
  bool header = false;
};
Node table_node(const std::vector<std::vector<HtmlCell>>& rows);

}  // namespace primer
