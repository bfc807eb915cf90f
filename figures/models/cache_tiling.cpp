// cache-tiling: the same product in three loop orders, and what a small cache lets each of them
// keep.
#include <algorithm>
#include <array>
#include <cmath>

#include "figures/models/loop_nest.hpp"
#include "figures/models/models.hpp"
#include "figures/models/sheet.hpp"
#include "figures/scale.hpp"

namespace figures::models {
namespace {

constexpr double float_bytes = 4;

constexpr Choice orders[] = {
    {"naive", "i, j, k"}, {"reordered", "i, k, j"}, {"tiled", "tiles"}};
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
  std::string_view title() const override { return "A matrix product through a small cache"; }
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
  std::string summary() const;
  Table table() const;
  void draw_matrix(Sheet& sheet, int matrix, Point corner, double size) const;
  void draw_bars(Sheet& sheet, double top) const;

  LoopNest run_{NestShape{}};
  std::array<double, 3> totals_{};
  Machine machine_;
};

std::string CacheTiling::summary() const {
  const NestShape& shape = run_.shape();
  const std::size_t chosen = static_cast<std::size_t>(shape.order);
  std::string text = "A product of two " + said(shape.n) + "×" + said(shape.n) +
                     " matrices in the order " + order_label(chosen) + ", " +
                     said(run_.done()) + " of " + said(shape.steps()) + " multiply-adds done, " +
                     said(static_cast<double>(run_.all_misses())) + " lines fetched. ";
  text += "A cache of " + quantity_text(shape.capacity * line_bytes(), Meaning::bytes) +
          " fetches " + said(totals_[0]) + " lines in the order i, j, k, " + said(totals_[1]) +
          " in i, k, j and " + said(totals_[2]) + " in " + order_label(2) + ": " +
          quantity_text(intensity(totals_[chosen]), Meaning::intensity, 3) + " for the chosen one.";
  if (machine_.peak > 0 && machine_.bandwidth > 0) {
    const double ridge = machine_.peak / machine_.bandwidth;
    const double b = float_bytes * ridge;
    text += " The " + machine_.label + "'s ridge of " +
            quantity_text(ridge, Meaning::intensity, 3) + " asks for tiles of " + said(b, 2) +
            " floats, three of them in " + quantity_text(3 * float_bytes * b * b, Meaning::bytes, 2) +
            " of cache.";
  }
  return text;
}

Table CacheTiling::table() const {
  Table table{{"Loop order", "Lines fetched", "Closed form", "FLOP per byte"}, {}};
  for (std::size_t i = 0; i < 3; ++i) {
    NestShape shape = run_.shape();
    shape.order = static_cast<Order>(i);
    const MissRange closed = closed_misses(shape);
    table.rows.push_back({order_label(i), said(totals_[i]),
                          closed.low == closed.high
                              ? said(closed.low)
                              : said(closed.low) + " to " + said(closed.high),
                          said(intensity(totals_[i]), 3)});
  }
  return table;
}

void CacheTiling::draw_matrix(Sheet& sheet, int matrix, Point corner, double size) const {
  const NestShape& shape = run_.shape();
  const double unit = size / shape.n;
  const auto box_of = [&](int line) {
    const int row = line / shape.row() % shape.n, column = line % shape.row() * shape.line;
    return Box{corner.x + column * unit, corner.y + row * unit,
               corner.x + (column + shape.line) * unit, corner.y + (row + 1) * unit};
  };
  std::vector<Box> kept;
  const int first = matrix * shape.n * shape.row();
  for (int line = first; line < first + shape.n * shape.row(); ++line)
    if (run_.holds(line)) kept.push_back(box_of(line));
  sheet.boxes(kept, sheet.colors().bandwidth, "0.35");
  if (shape.order == Order::tiled) {
    std::vector<Box> tiles;
    const double step = unit * shape.tile;
    for (int i = 0; i < shape.n / shape.tile; ++i)
      for (int j = 0; j < shape.n / shape.tile; ++j)
        tiles.push_back({corner.x + j * step, corner.y + i * step, corner.x + (j + 1) * step,
                         corner.y + (i + 1) * step});
    sheet.outlines(tiles, sheet.colors().rule);
  }
  const LoopNest::Touch& touch = run_.last()[static_cast<std::size_t>(matrix)];
  if (touch.line >= 0)
    sheet.boxes({box_of(touch.line)},
                touch.hit ? sheet.colors().bandwidth : sheet.colors().compute);
  sheet.outlines({{corner.x, corner.y, corner.x + size, corner.y + size}}, sheet.colors().ink_soft);
  const std::string label(1, "ABC"[matrix]);
  sheet.name(label, {corner.x, corner.y - 7});
  const auto m = static_cast<std::size_t>(matrix);
  sheet.note(plural(static_cast<double>(run_.misses()[m]), "line", "lines") +
                 (sheet.narrow() ? "" : " fetched"),
             {corner.x + size, corner.y - 7}, 1);
}

void CacheTiling::draw_bars(Sheet& sheet, double top) const {
  const double left = 16, label = sheet.narrow() ? 78 : 110, right = sheet.width() - 16;
  const double most = *std::max_element(totals_.begin(), totals_.end());
  const double room = right - left - label - sheet.note_width("000,000 lines") - 8;
  sheet.note("lines fetched in the whole run", {left, top});
  for (std::size_t i = 0; i < 3; ++i) {
    const double y = top + 12 + 24 * static_cast<double>(i);
    const double x = left + label, end = x + room * totals_[i] / most;
    const bool chosen = i == static_cast<std::size_t>(run_.shape().order);
    sheet.note(order_label(i), {left, y + 13}, -1, chosen ? sheet.colors().ink : "");
    sheet.boxes({{x, y, end, y + 17}}, sheet.colors().bandwidth, "0.35");
    if (chosen) {
      const double share = static_cast<double>(run_.all_misses()) / totals_[i];
      sheet.boxes({{x, y, x + (end - x) * share, y + 17}}, sheet.colors().bandwidth);
    }
    sheet.note(said(totals_[i]), {end + 6, y + 13}, -1, chosen ? sheet.colors().ink : "");
  }
}

Rendering CacheTiling::draw(const Options& options) const {
  Sheet sheet(options, 330, 262, std::string(title()), summary());
  const double size = sheet.narrow() ? 100 : 190;
  const double gap = (sheet.width() - 32 - 3 * size) / 2;
  for (int matrix = 0; matrix < 3; ++matrix)
    draw_matrix(sheet, matrix, {16 + matrix * (size + gap), 28}, size);
  draw_bars(sheet, 28 + size + 28);
  return sheet.finish(table());
}

}  // namespace

std::unique_ptr<Model> make_cache_tiling() { return std::make_unique<CacheTiling>(); }

}  // namespace figures::models
