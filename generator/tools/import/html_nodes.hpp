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
#include "generator/tools/import/node_tools.hpp"
#include "generator/tools/import/report.hpp"

namespace primer {

// Where the nodes of a chapter come from.
struct OldPlace {
  std::string file;
  std::function<int(std::size_t offset)> line_at;
};

void replace_html(Node& document, const OldPlace& place, ImportReport& report);

// html_table.cpp: rows of cells as a table that every Markdown table can be, with empty cells for
// those that span several columns or rows.
struct HtmlCell {
  std::vector<Node> children;
  int columns = 1, rows = 1;
  bool header = false;
};
Node table_node(const std::vector<std::vector<HtmlCell>>& rows);

}  // namespace primer
