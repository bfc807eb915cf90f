// systolic: a matrix product clocked through a grid of cells, and what filling and emptying it costs.
#include "figures/models/models.hpp"
#include "figures/models/sheet.hpp"
#include "figures/models/systolic_array.hpp"
#include "figures/scale.hpp"

namespace figures::models {
namespace {

constexpr Choice flows[] = {{"weights", "weights stay"}, {"outputs", "sums stay"},
                            {"inputs", "inputs stay"}};
constexpr Choice tilings[] = {{"plain", "one after another"}, {"overlapped", "overlapped"}};
constexpr Control controls_of_it[] = {
    range("m", "Rows streamed, M", "", 1, 64, 8),
    range("side", "Array side", "cells", 2, 8, 4),
    choice("flow", "What stays", flows),
    more(range("k", "Depth, K", "", 1, 16, 4)),
    more(range("n", "Columns, N", "", 1, 16, 4)),
    more(choice("tiles", "Tiles", tilings)),
    more(range("load", "Cycles to load a tile", "", 1, 128, 1)),
};
enum At : std::size_t { m, side, flow, k, n, tiles, load };

class Systolic : public Model {
 public:
  std::string_view name() const override { return "systolic"; }
  std::string_view title() const override { return "A systolic array, clock by clock"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    ArrayShape shape;
    shape.flow = static_cast<Flow>(whole(values, At::flow));
    shape.m = whole(values, At::m);
    shape.k = whole(values, At::k);
    shape.n = whole(values, At::n);
    shape.rows = shape.columns = whole(values, At::side);
    shape.overlapped = whole(values, At::tiles) == 1;
    shape.load = whole(values, At::load);
    array_ = SystolicArray(shape);
    return {};
  }
  int length() const override { return array_.cycles(); }
  void step() override { array_.step(); }
  int first() const override { return length() / 2; }

  std::string broken() const override {
    if (array_.active() > array_.shape().rows * array_.shape().columns) return "too many active";
    return array_.broken();
  }
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  double utilisation() const {
    const ArrayShape& s = array_.shape();
    return double(s.m) * s.k * s.n / (double(s.rows) * s.columns * array_.cycles());
  }
  std::string summary() const;
  Table table() const;

  SystolicArray array_{ArrayShape{}};
};

std::vector<Count> Systolic::counts() const {
  const ArrayShape& s = array_.shape();
  const double m = s.m, k = s.k, n = s.n, down = s.tiles_down(), across = s.tiles_across();
  const bool outputs = s.flow == Flow::outputs, inputs = s.flow == Flow::inputs;
  const double a = outputs ? m * k * across : inputs ? m * k : m * k * across;
  const double b = outputs ? k * n * down : inputs ? k * n * across : k * n;
  const auto count = [](long long value) { return static_cast<double>(value); };
  return {exact("cycles", "cycles", array_.cycle(), count(closed_cycles(s))),
          exact("multiply-adds", "", count(array_.macs()), m * k * n),
          exact("reads of A", "", count(array_.reads_a()), a),
          exact("reads of B", "", count(array_.reads_b()), b),
          exact("sums written", "", count(array_.sums_written()), m * n * (outputs ? 1 : down)),
          exact("sums read", "", count(array_.sums_read()), outputs ? 0 : m * n * (down - 1))};
}

std::string Systolic::summary() const {
  const ArrayShape& s = array_.shape();
  return "A " + said(s.m) + "×" + said(s.k) + " matrix times a " + said(s.k) + "×" + said(s.n) +
         " matrix on " + said(s.rows) + "×" + said(s.columns) + " cells: " +
         plural(array_.cycles(), "cycle", "cycles") + ", " +
         quantity_text(utilisation(), Meaning::percent, 3) + " of the cells' time used. Cycle " +
         said(array_.cycle()) + ": " + plural(array_.active(), "cell multiplies.", "cells multiply.");
}

Table Systolic::table() const {
  Table table{{"What", "So far", "Whole run"}, {}};
  for (const Count& count : counts()) table.rows.push_back({count.name, said(count.counted), said(count.low)});
  table.rows.push_back({"utilisation", "", quantity_text(utilisation(), Meaning::percent, 3)});
  return table;
}

Rendering Systolic::draw(const Options& options) const {
  const ArrayShape& s = array_.shape();
  Sheet sheet(options, 330, 330, std::string(title()), summary());
  const double size = 240, unit = size / s.rows;
  const double left = sheet.narrow() ? (sheet.width() - size) / 2 : 70, top = 44;
  std::vector<Box> busy, waiting;
  std::vector<std::pair<std::string, Point>> numbers;
  for (int row = 0; row < s.rows; ++row) {
    for (int column = 0; column < s.columns; ++column) {
      const SystolicArray::Cell& cell = array_.cell(row, column);
      const double x = left + column * unit, y = top + row * unit;
      const Box box{x + 2, y + 2, x + unit - 2, y + unit - 2};
      (cell.active ? busy : waiting).push_back(box);
      if (cell.active)
        numbers.push_back({said(cell.stream + 1), {x + unit / 2, y + unit / 2 + 5}});
    }
  }
  sheet.boxes(busy, sheet.colors().compute, "0.45");
  sheet.outlines(busy, sheet.colors().compute);
  sheet.outlines(waiting, sheet.colors().rule);
  for (const auto& [number, at] : numbers) sheet.note(number, at, 0, sheet.colors().ink);
  const bool outputs = s.flow == Flow::outputs;
  const std::string streamed = s.flow == Flow::inputs ? "B" : "A";
  sheet.arrow({left - 26, top + size / 2}, {left - 6, top + size / 2}, sheet.colors().bandwidth);
  sheet.name(streamed, {left - 30, top + size / 2 + 5}, 1, sheet.colors().bandwidth);
  sheet.note(outputs ? "B streams down" : "sums move down", {left + size / 2, top - 22}, 0);
  sheet.arrow({left + size / 2, top - 16}, {left + size / 2, top - 3}, sheet.colors().ink_soft);
  const double base = top + size + 24;
  const std::string state = "cycle " + said(array_.cycle()) + " of " + said(array_.cycles());
  if (sheet.narrow()) {
    sheet.name(state, {left, base});
    sheet.note(plural(array_.active(), "cell works", "cells work"), {left + size, base}, 1,
               sheet.colors().compute);
    return sheet.finish(table());
  }
  const double x = left + size + 60;
  sheet.name(state, {x, top + 18});
  sheet.note(plural(array_.active(), "cell works", "cells work") + ", the number is the operand's place in its stream",
             {x, top + 42});
  double y = top + 80;
  for (const auto& row : table().rows) {
    sheet.note(row[0], {x, y});
    sheet.note(row[1], {x + 190, y}, 1, sheet.colors().ink);
    sheet.note(row[2], {x + 290, y}, 1);
    y += 22;
  }
  return sheet.finish(table());
}

}  // namespace

std::unique_ptr<Model> make_systolic() { return std::make_unique<Systolic>(); }

}  // namespace figures::models
