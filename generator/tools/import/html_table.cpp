// Tables of HTML as tables of Markdown: a head, and as many cells in each row.
#include <algorithm>
#include <map>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/html_nodes.hpp"

namespace primer {
namespace {

constexpr int most_spanned = 100;  // HTML may say 1,000,000

Node row_node(std::vector<Node> cells, bool header) {
  Node row = parent_node(NodeKind::table_row, std::move(cells));
  row.header = header;
  return row;
}

// Places the cells of all rows in a grid.
std::vector<std::vector<Node>> grid_of(const std::vector<std::vector<HtmlCell>>& rows) {
  std::vector<std::vector<Node>> grid(rows.size());
  std::map<std::size_t, int> blocked;  // columns that a cell above still spans, with their rows
  const auto empty_cell = [] { return parent_node(NodeKind::table_cell, {}); };
  for (std::size_t y = 0; y < rows.size(); ++y) {
    std::map<std::size_t, int> next;
    const auto skip_blocked = [&] {
      for (auto at = blocked.find(grid[y].size()); at != blocked.end();
           at = blocked.find(grid[y].size())) {
        if (at->second > 1) next[at->first] = at->second - 1;
        blocked.erase(at);
        grid[y].push_back(empty_cell());
      }
    };
    for (const auto& cell : rows[y]) {
      skip_blocked();
      for (int i = 0; i < std::clamp(cell.columns, 1, most_spanned); ++i) {
        if (cell.rows > 1) next[grid[y].size()] = std::min(cell.rows, most_spanned) - 1;
        grid[y].push_back(i == 0 ? parent_node(NodeKind::table_cell, as_inlines(cell.children))
                                 : empty_cell());
      }
    }
    skip_blocked();
    blocked = std::move(next);
  }
  return grid;
}

}  // namespace

Node table_node(const std::vector<std::vector<HtmlCell>>& rows) {
  auto grid = grid_of(rows);
  std::size_t columns = 0;
  for (const auto& row : grid) columns = std::max(columns, row.size());
  for (auto& row : grid)
    while (row.size() < columns) row.push_back(parent_node(NodeKind::table_cell, {}));
  const bool has_head = !rows.empty() && std::ranges::all_of(rows[0], &HtmlCell::header);
  Node table = parent_node(NodeKind::table, {});
  if (!has_head) {
    std::vector<Node> head(columns, parent_node(NodeKind::table_cell, {}));
    table.children.push_back(row_node(std::move(head), true));
  }
  for (auto& row : grid) {
    const bool header = table.children.empty();
    table.children.push_back(row_node(std::move(row), header));
  }
  return table;
}

}  // namespace primer
