// cache-tiling: the same matmul in three loop orders, and how much of its data a small cache holds.
#include <algorithm>
#include <array>
#include <cmath>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/layers/loop_nest.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace cache_tiling_model {
namespace {

constexpr double float_bytes = 4;

constexpr Choice orders[] = {{"naive", "i, j, k"}, {"reordered", "i, k, j"}, {"tiled", "tiles"}};
constexpr Control controls_of_it[] = {
    choice("order", "Loop order", orders, 2),
    doubling("tile", "Tile side", "floats", 1, 16, 4),
    doubling("cache", "Cache", "B", 64, 16384, 256),
    more(range("n", "Matrix side", "floats", 4, 32, 16)),
    more(doubling("line", "Cache line", "B", 4, 64, 16)),
};
enum At : std::size_t { order, tile, cache, side, line };

class CacheTiling : public Model {
 public:
  std::string_view name() const override { return "cache-tiling"; }
  std::string_view title() const override { return "A matmul through a small cache"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    std::vector<std::string> notices;
    NestShape shape;
    shape.order = static_cast<Order>(whole(values, At::order));
    shape.line = whole(values, At::line) / static_cast<int>(float_bytes);
    shape.tile = std::max(whole(values, At::tile), shape.line);
    shape.n = (whole(values, At::side) + shape.tile - 1) / shape.tile * shape.tile;
    shape.capacity = std::max(1, whole(values, At::cache) / whole(values, At::line));
    if (shape.tile != whole(values, At::tile))
      notices.push_back("A tile is at least a cache line wide: " + said(shape.tile) + " floats");
    if (shape.n != whole(values, At::side))
      notices.push_back("The side is a whole number of tiles: " + said(shape.n) + " floats");
    run_ = LoopNest(shape);
    for (int i = 0; i < 3; ++i) {
      shape.order = static_cast<Order>(i);
      totals_[static_cast<std::size_t>(i)] = total_misses(shape);
    }
    machine_ = numbers.machine;
    return notices;
  }
  int length() const override { return run_.shape().steps(); }
  void step() override { run_.step(); }
  int first() const override { return on_paper(); }

  std::string broken() const override {
    const NestShape& shape = run_.shape();
    if (run_.used() > shape.capacity) return "the cache holds more lines than it has room for";
    for (std::size_t m = 0; m < 3; ++m)
      if (run_.misses()[m] > run_.accesses()[m]) return "more misses than accesses";
    return {};
  }

  std::vector<Count> counts() const override {
    const NestShape& shape = run_.shape();
    const MissRange closed = closed_misses(shape);
    const double n = shape.n, inner = shape.order == Order::tiled ? shape.tile : n;
    const bool naive = shape.order == Order::naive;
    const auto& accesses = run_.accesses();
    return {
        between("misses", "", static_cast<double>(run_.all_misses()), closed.low, closed.high),
        exact("accesses to A", "", static_cast<double>(accesses[0]),
              naive ? n * n * n : n * n * n / inner),
        exact("accesses to B", "", static_cast<double>(accesses[1]), n * n * n),
        exact("accesses to C", "", static_cast<double>(accesses[2]), naive ? n * n : n * n * n),
    };
  }

  std::string step_words() const override { return " multiply-adds"; }

  Rendering draw(const Options& options) const override;

 private:
  static double total_misses(const NestShape& shape) {
    LoopNest nest(shape);
    while (nest.done() < shape.steps()) nest.step();
    return static_cast<double>(nest.all_misses());
  }
  double line_bytes() const { return run_.shape().line * float_bytes; }
  double intensity(double misses) const {
    return 2.0 * run_.shape().steps() / (misses * line_bytes());
  }
  std::string order_label(std::size_t i) const {
    return i == 2 ? "tiles of " + said(run_.shape().tile) : std::string(orders[i].label);
  }
  MissRange closed(std::size_t order) const {
    NestShape shape = run_.shape();
    shape.order = static_cast<Order>(order);
    return closed_misses(shape);
  }
  std::string summary() const;
  Table table() const;
  Box box_of(int line, Point corner, double size) const;
  void draw_matrix(Sheet& sheet, int matrix, Point corner, double size) const;
  void draw_key(Sheet& sheet, double top) const;
  void draw_bars(Sheet& sheet, double top) const;

  LoopNest run_{NestShape{}};
  std::array<double, 3> totals_{};
  Machine machine_;
};

std::string closed_words(const MissRange& range) {
  return said(range.low) + (range.low == range.high ? "" : " to " + said(range.high));
}

std::string CacheTiling::summary() const {
  const NestShape& shape = run_.shape();
  const std::size_t chosen = static_cast<std::size_t>(shape.order);
  std::string text = said(shape.n) + "×" + said(shape.n) + " in the order " + order_label(chosen) +
                     ": " + said(static_cast<double>(run_.all_misses())) +
                     " lines fetched so far, " + said(totals_[chosen]) +
                     " by the end (formula: " + closed_words(closed(chosen)) + "), which is " +
                     quantity_text(intensity(totals_[chosen]), Meaning::intensity, 3) + ".";
  if (machine_.peak > 0 && machine_.bandwidth > 0) {
    const double ridge = machine_.peak / machine_.bandwidth, side = float_bytes * ridge;
    text += " " + capital(the_machine(machine_.label)) + "'s ridge of " +
            quantity_text(ridge, Meaning::intensity, 3) + " needs tiles of " + said(side, 2) +
            " floats, three of which take " +
            quantity_text(3 * float_bytes * side * side, Meaning::bytes, 2) + " of cache.";
  }
  return text;
}

Table CacheTiling::table() const {
  Table table{{"Loop order", "Lines fetched", "Closed form", "FLOPs per byte"}, {}};
  for (std::size_t i = 0; i < 3; ++i)
    table.rows.push_back({order_label(i), said(totals_[i]), closed_words(closed(i)),
                          said(intensity(totals_[i]), 3)});
  return table;
}

// Shade by number of fetches of a line: 1, 2 to 3, 4 to 7, 8 and more.
constexpr std::string_view shades[] = {"0.2", "0.36", "0.58", "0.85"};
std::size_t shade_of(int fetches) {
  return fetches >= 8 ? 3 : fetches >= 4 ? 2 : fetches >= 2 ? 1 : 0;
}

Box CacheTiling::box_of(int line, Point corner, double size) const {
  const NestShape& shape = run_.shape();
  const double unit = size / shape.n;
  const int row = line / shape.row() % shape.n, column = line % shape.row() * shape.line;
  return {corner.x + column * unit, corner.y + row * unit, corner.x + (column + shape.line) * unit,
          corner.y + (row + 1) * unit};
}

// Draws fetches as shades, cached lines as bars, and the elements of the current step in full
// color.
void CacheTiling::draw_matrix(Sheet& sheet, int matrix, Point corner, double size) const {
  const NestShape& shape = run_.shape();
  const double unit = size / shape.n;
  const int lines = shape.n * shape.row(), first = matrix * lines;
  std::array<std::vector<Box>, 4> paid;
  std::vector<Box> kept;
  for (int line = first; line < first + lines; ++line) {
    const Box box = box_of(line, corner, size);
    if (const int fetches = run_.fetches_of(line); fetches > 0) {
      // Neighbors of the same shade in a row are one box.
      std::vector<Box>& same = paid[shade_of(fetches)];
      const bool joins = (line - first) % shape.row() > 0 && !same.empty() &&
                         same.back().top == box.top && same.back().right == box.left;
      if (joins) same.back().right = box.right;
      else same.push_back(box);
    }
    const double inset = unit * 0.22;
    if (run_.holds(line))
      kept.push_back({box.left + inset, box.top + inset, box.right - inset, box.bottom - inset});
  }
  for (std::size_t i = 0; i < paid.size(); ++i)
    sheet.boxes(paid[i], sheet.colors().ochre, shades[i]);
  if (shape.order == Order::tiled && shape.tile < shape.n) {
    for (int i = 1; i < shape.n / shape.tile; ++i) {
      const double at = i * shape.tile * unit;
      sheet.line({corner.x + at, corner.y}, {corner.x + at, corner.y + size}, sheet.colors().rule);
      sheet.line({corner.x, corner.y + at}, {corner.x + size, corner.y + at}, sheet.colors().rule);
    }
  }
  sheet.boxes(kept, sheet.colors().bandwidth);
  const LoopNest::Touch& touch = run_.last()[static_cast<std::size_t>(matrix)];
  if (touch.line >= 0) {
    const Box now = box_of(touch.line, corner, size);
    sheet.boxes({now}, touch.hit ? sheet.colors().bandwidth : sheet.colors().ochre);
    sheet.outlines({now}, sheet.colors().ink, 2);
  }
  sheet.outlines({{corner.x, corner.y, corner.x + size, corner.y + size}}, sheet.colors().ink_soft);
  sheet.name(std::string(1, "ABC"[matrix]), {corner.x, corner.y - 7});
  const double fetched = static_cast<double>(run_.misses()[static_cast<std::size_t>(matrix)]);
  sheet.note(sheet.narrow() ? said(fetched) + " fetched"
                            : said(lines) + " lines, " + plural(fetched, "fetch", "fetches"),
             {corner.x + size, corner.y - 7}, 1);
}

void CacheTiling::draw_key(Sheet& sheet, double top) const {
  double x = 16, y = top;
  const auto entry = [&](std::string text, std::string_view fill, std::string_view opacity,
                         bool now, double inset) {
    const double width = 24 + sheet.note_width(text);
    if (x > 16 && x + width > sheet.width() - 12) x = 16, y += 19;
    sheet.boxes({{x, y - 10 + inset, x + 18, y - inset}}, fill, opacity);
    if (now) sheet.outlines({{x, y - 10, x + 18, y}}, sheet.colors().ink, 2);
    sheet.note(std::move(text), {x + 24, y});
    x += width + 16;
  };
  entry("in the cache", sheet.colors().bandwidth, "", false, 2);
  entry("found there now", sheet.colors().bandwidth, "", true, 0);
  entry("fetched now", sheet.colors().ochre, "", true, 0);
  entry("fetched once", sheet.colors().ochre, shades[0], false, 0);
  entry("8 times or more", sheet.colors().ochre, shades[3], false, 0);
}

void CacheTiling::draw_bars(Sheet& sheet, double top) const {
  const bool narrow = sheet.narrow();
  const double left = 16, label = narrow ? 78 : 92, x = left + label;
  const auto rate = [&](std::size_t i) {
    return quantity_text(intensity(totals_[i]), Meaning::intensity, 2);
  };
  double most = 0;
  for (std::size_t i = 0; i < 3; ++i) most = std::max({most, totals_[i], closed(i).high});
  const double room = sheet.width() - 16 - x -
                      sheet.note_width(narrow ? "00000 of 00000" : "00000 of 00000, 0.000 FLOP/B") -
                      10;
  const double heading = top;
  sheet.note("lines fetched in the whole run", {left, heading});
  sheet.note(narrow ? "| formula" : "| what the formula says", {sheet.width() - 16, heading}, 1);
  for (std::size_t i = 0; i < 3; ++i) {
    const double y = top + 12 + 24 * static_cast<double>(i), end = x + room * totals_[i] / most;
    const bool chosen = i == static_cast<std::size_t>(run_.shape().order);
    const std::string_view ink = chosen ? sheet.colors().ink : std::string_view();
    sheet.note(order_label(i), {left, y + 13}, -1, ink);
    sheet.boxes({{x, y, end, y + 17}}, sheet.colors().ochre, "0.28");
    std::string text = said(totals_[i]);
    if (chosen) {
      const double so_far = static_cast<double>(run_.all_misses());
      sheet.boxes({{x, y, x + (end - x) * so_far / totals_[i], y + 17}}, sheet.colors().ochre);
      text = said(so_far) + " of " + text;
    }
    const MissRange formula = closed(i);
    for (const double at : {formula.low, formula.high})
      if (at == formula.high || formula.low != formula.high)
        sheet.line({x + room * at / most, y - 2}, {x + room * at / most, y + 19},
                   sheet.colors().ink, 1.5);
    const double after = x + room * std::max(totals_[i], formula.high) / most;
    sheet.note(narrow ? text : text + ", " + rate(i), {after + 7, y + 13}, -1, ink);
  }
}

Rendering CacheTiling::draw(const Options& options) const {
  Sheet sheet(options, 360, 282, std::string(title()), summary());
  const double size = sheet.narrow() ? 104 : 200;
  const double gap = (sheet.width() - 32 - 3 * size) / 2;
  for (int matrix = 0; matrix < 3; ++matrix)
    draw_matrix(sheet, matrix, {16 + matrix * (size + gap), 28}, size);
  draw_key(sheet, 28 + size + 22);
  draw_bars(sheet, 28 + size + (sheet.narrow() ? 64 : 48));
  return sheet.finish(table());
}

}  // namespace
}  // namespace cache_tiling_model

std::unique_ptr<Model> make_cache_tiling() {
  return std::make_unique<cache_tiling_model::CacheTiling>();
}

}  // namespace figures::models
