#include "figures/kinds/cells.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/plot.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

// Positions and lengths are in cells, from the top left corner of the panel.

struct Fill {
  std::string label;
  Hue hue = Hue::ink;
  double cells = 0;
};

struct CellsBlock {
  std::string label;
  double x = 0, y = 0;
  int columns = 1, rows = 1;
  std::vector<Fill> parts;  // in reading order; the remaining cells are empty
};

struct Arrow {
  Hue hue = Hue::ink;
  Point from, to;
  bool both = false;
};

struct CellsPanel {
  std::string label;
  std::vector<std::string> says;
  double columns = 1, rows = 1;
  std::vector<CellsBlock> blocks;
  std::vector<Arrow> arrows;
};

struct CellsData {
  std::string title, description;
  std::vector<CellsPanel> panels;
  Table table;
};

std::vector<std::string> lines_of(const std::string& words) {
  std::vector<std::string> lines;
  for (std::size_t begin = 0; begin < words.size();) {
    const std::size_t end = std::min(words.find('\n', begin), words.size());
    lines.push_back(words.substr(begin, end - begin));
    begin = end + 1;
  }
  return lines;
}

constexpr double longest_side = 64;  // cells along a side of a panel

class CellsReader : private GivenReader {
 public:
  CellsReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<CellsData> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    out_.table.columns = {"", "", "", fields_.text("cell", "cells")};
    fields_.each("panels", [&](Fields& one) { read_panel(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void read_panel(Fields& one) {
    CellsPanel panel;
    panel.label = one.text("label");
    panel.says = lines_of(one.text("says", ""));
    panel.columns = one.number("columns", 1);
    panel.rows = one.number("rows", 1);
    for (const char* side : {"columns", "rows"}) {
      const double length = one.number(side, 1);
      if (!(length > 0 && length <= longest_side)) one.fail(side, "is not between 0 and 64");
    }
    one.each("blocks", [&](Fields& inner) { read_block(inner, panel); });
    one.each("arrows", [&](Fields& inner) { read_arrow(inner, panel); });
    out_.panels.push_back(std::move(panel));
  }

  void read_block(Fields& one, CellsPanel& panel) {
    CellsBlock block;
    block.label = one.text("label", "");
    block.x = one.number("x", 0);
    block.y = one.number("y", 0);
    const double columns = one.number("columns", 1), rows = one.number("rows", 1);
    if (!(columns >= 1 && columns == std::floor(columns)))
      return one.fail("columns", "must be a whole number above 0");
    if (!(rows >= 1 && rows == std::floor(rows)))
      return one.fail("rows", "must be a whole number above 0");
    if (!(block.x >= 0 && block.x + columns <= panel.columns))
      return one.fail("x", "the block's columns do not fit its panel");
    if (!(block.y >= 0 && block.y + rows <= panel.rows))
      return one.fail("y", "the block's rows do not fit its panel");
    block.columns = static_cast<int>(columns);
    block.rows = static_cast<int>(rows);
    double left = columns * rows;
    one.each("parts", [&](Fields& inner) { read_part(inner, panel, block, left); });
    panel.blocks.push_back(std::move(block));
  }

  void read_part(Fields& one, const CellsPanel& panel, CellsBlock& block, double& left) {
    Fill part;
    part.label = one.text("label", "");
    part.hue = hue_of(one.text("role", "ink"));
    const auto cells = one.has("cells") ? measured_quantity(one, "cells", scope_, {}) : left;
    if (error_) return;
    // The cells of a part that was not measured are empty.
    if (!cells) return out_.table.add({panel.label, block.label, part.label, "not measured"});
    part.cells = *cells;
    if (!(part.cells >= 0 && part.cells <= left * (1 + 1e-9)))
      return one.fail("cells", "is not between 0 and the cells left in the block");
    left -= std::min(part.cells, left);
    out_.table.add({panel.label, block.label, part.label, significant(part.cells, 4)});
    block.parts.push_back(std::move(part));
  }

  void read_arrow(Fields& one, CellsPanel& panel) {
    Arrow arrow;
    arrow.hue = hue_of(one.text("role", "bandwidth"));
    arrow.from = {one.number("x", 0), one.number("y", 0)};
    arrow.to = {one.number("to_x", 0), one.number("to_y", 0)};
    arrow.both = one.flag("both", false);
    for (const Point& end : {arrow.from, arrow.to})
      if (!(end.x >= 0 && end.x <= panel.columns && end.y >= 0 && end.y <= panel.rows))
        return one.fail("to_x", "or the other end of the arrow is outside its panel");
    panel.arrows.push_back(arrow);
  }

  CellsData out_;
};

// Draws the panels. The labels of the parts are below a panel, or next to it in the narrow layout.
class CellsDrawing {
 public:
  CellsDrawing(const CellsData& data, const Options& options)
      : data_(data),
        cell_(size(data, options.width == Layout::narrow)),
        sheet_(options, height(data, false), height(data, true), data.title, data.description),
        colors_(sheet_.colors()) {}

  Rendering draw() {
    double x = edge, y = 0;
    for (const CellsPanel& panel : data_.panels) {
      draw_panel(panel, x, y);
      if (sheet_.narrow()) y += panel_height(panel, true, cell_);
      else x += panel.columns * cell_ + spacing(data_);
    }
    return sheet_.finish(data_.table);
  }

 private:
  static constexpr double edge = 8, wide = 920, narrow = 358, beside = 150;
  static constexpr double head(bool is_narrow) { return is_narrow ? 26 : 34; }
  static constexpr double line(bool is_narrow) { return is_narrow ? 17 : 20; }

  static double columns_of(const CellsData& data) {
    double sum = 0;
    for (const CellsPanel& panel : data.panels) sum += panel.columns;
    return sum;
  }
  // Space between panels in the wide layout. A few panels need more, because their labels are
  // wider.
  static double spacing(const CellsData& data) { return data.panels.size() > 3 ? 32 : 72; }

  static double size(const CellsData& data, bool is_narrow) {
    double columns = 1, rows = 1;
    for (const CellsPanel& panel : data.panels) {
      columns = std::max(columns, panel.columns);
      rows = std::max(rows, panel.rows);
    }
    const double tallest = data.panels.size() > 3 ? 180 : 300;
    if (is_narrow)
      return in_pixels(std::min({24.0, tallest / rows, (narrow - 2 * edge) / columns}));
    const double gaps = static_cast<double>(data.panels.size()) - 1;
    return in_pixels(
        std::min({30.0, 360 / rows, (wide - 2 * edge - gaps * spacing(data)) / columns_of(data)}));
  }

  // Whole pixels give sharp edges and paths that compress well. Small cells would shrink too much.
  static double in_pixels(double cell) { return cell < 8 ? cell : std::floor(cell); }

  static bool says_beside(const CellsPanel& panel, double cell) {
    return narrow - 2 * edge - panel.columns * cell >= beside;
  }

  static double panel_height(const CellsPanel& panel, bool is_narrow, double cell) {
    const double words = static_cast<double>(panel.says.size()) * line(is_narrow);
    const double drawn = panel.rows * cell;
    if (is_narrow && says_beside(panel, cell)) return head(true) + std::max(drawn, words) + 20;
    return head(is_narrow) + drawn + 6 + words + (is_narrow ? 20 : 6);
  }

  static double height(const CellsData& data, bool is_narrow) {
    const double cell = size(data, is_narrow);
    double sum = 0, most = 0;
    for (const CellsPanel& panel : data.panels) {
      const double one = panel_height(panel, is_narrow, cell);
      sum += one;
      most = std::max(most, one);
    }
    return is_narrow ? sum : most;
  }

  void draw_panel(const CellsPanel& panel, double x, double y) {
    const bool is_narrow = sheet_.narrow();
    const double room = is_narrow ? narrow - 2 * edge : panel.columns * cell_ + spacing(data_) - 12;
    sheet_.name_in(room, panel.label, {x, y + head(is_narrow) - 12});
    origin_ = {x, y + head(is_narrow)};
    for (const CellsBlock& block : panel.blocks) draw_block(block);
    flush();
    sheet_.boxes(rules_, colors_.paper);
    rules_.clear();
    draw_arrows(panel.arrows);
    const bool at_side = is_narrow && says_beside(panel, cell_);
    const double left = at_side ? x + panel.columns * cell_ + 14 : x;
    double baseline = origin_.y + (at_side ? 0 : panel.rows * cell_ + 6) + line(is_narrow) * 0.7;
    for (const std::string& words : panel.says) {
      sheet_.note_in(at_side ? narrow - edge - left : room, words, {left, baseline});
      baseline += line(is_narrow);
    }
  }

  Point place(double x, double y) const { return {origin_.x + x * cell_, origin_.y + y * cell_}; }

  void draw_block(const CellsBlock& block) {
    if (!block.label.empty()) {
      const Point above = place(block.x, block.y);
      sheet_.note(block.label, {above.x, above.y - 5});
    }
    const double whole = static_cast<double>(block.columns) * block.rows;
    double at = 0;
    for (const Fill& part : block.parts) {
      fill(block, at, at + part.cells, colour_of(part.hue, colors_));
      at += part.cells;
    }
    if (at < whole - 1e-9) fill(block, at, whole, colors_.grid);
    rule(block);
  }

  // Fills the cells `from` to `to` of a block in reading order: the end of one row, whole rows, and
  // the beginning of the last one.
  void fill(const CellsBlock& block, double from, double to, std::string_view colour) {
    if (colour != colour_) flush();
    colour_ = colour;
    const double row = block.columns;
    while (to - from > 1e-9) {
      const double first = std::floor((from + 1e-9) / row), start = from - first * row;
      const bool whole = start < 1e-9 && to - from >= row;
      const double rows = whole ? std::floor((to - from) / row + 1e-9) : 1;
      const double end = whole ? row : std::min(row, start + to - from);
      const Point a = place(block.x + start, block.y + first);
      const Point b = place(block.x + end, block.y + first + rows);
      areas_.push_back({a.x, a.y, b.x, b.y});
      from += whole ? rows * row : end - start;
    }
  }

  // Draws the collected areas of one color as one element.
  void flush() {
    if (!areas_.empty()) sheet_.boxes(areas_, colour_);
    for (const Box& area : areas_) sheet_.hatch(area, colour_);
    areas_.clear();
  }

  // Lines in the color of the paper to the right of each column and below each row.
  void rule(const CellsBlock& block) {
    const double gap = cell_ >= 14 ? 2 : 1;
    const Point a = place(block.x, block.y);
    const Point b = place(block.x + block.columns, block.y + block.rows);
    for (int i = 1; i <= block.columns; ++i)
      rules_.push_back({a.x + i * cell_ - gap, a.y, a.x + i * cell_, b.y});
    for (int i = 1; i <= block.rows; ++i)
      rules_.push_back({a.x, a.y + i * cell_ - gap, b.x, a.y + i * cell_});
  }

  // Consecutive arrows of the same color are drawn as one element.
  void draw_arrows(const std::vector<Arrow>& all) {
    std::vector<models::Sheet::Arrow> alike;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const Point from = place(all[i].from.x, all[i].from.y), to = place(all[i].to.x, all[i].to.y);
      alike.push_back({from, to});
      if (all[i].both) alike.push_back({to, from});
      if (i + 1 < all.size() && all[i + 1].hue == all[i].hue) continue;
      sheet_.arrows(alike, colour_of(all[i].hue, colors_), 2);
      alike.clear();
    }
  }

  const CellsData& data_;
  double cell_;
  models::Sheet sheet_;
  const Palette& colors_;
  Point origin_;            // of the panel's cells
  std::vector<Box> areas_;  // not drawn yet; all have `colour_`
  std::string_view colour_;
  std::vector<Box> rules_;  // of the whole panel, drawn above all of its areas
};

}  // namespace

Result<Rendering> render_cells(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<CellsData> data = CellsReader(spec, inputs).read();
  if (!data) return data.error();
  return CellsDrawing(*data, options).draw();
}

}  // namespace figures
