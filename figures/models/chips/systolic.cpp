// systolic: a matmul clocked through a grid of cells, and the cost of filling and draining the
// grid.
#include <algorithm>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips/systolic_array.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace systolic_model {
namespace {

constexpr Choice flows[] = {
    {"weights", "weights stay"}, {"outputs", "sums stay"}, {"inputs", "inputs stay"}};
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
  std::string_view title() const override { return "A systolic array, cycle by cycle"; }
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
    busy_.clear();
    for (SystolicArray whole(shape); whole.cycle() < whole.cycles();) {
      whole.step();
      busy_.push_back(whole.active());
    }
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
  void tell_cells(Table& table) const;
  void tell_course(Table& table) const;
  void draw_grid(Sheet& sheet, double left, double top, double size) const;
  void draw_ledger(Sheet& sheet, double left, double right, double top) const;
  void draw_strip(Sheet& sheet, double top, double bottom) const;

  SystolicArray array_{ArrayShape{}};
  std::vector<int> busy_;  // active cells in each cycle of the whole run
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
  const std::vector<Count> all = counts();
  return said(all[2].low + all[3].low) + " numbers are read for " + said(all[1].low) +
         " multiplications in " + plural(array_.cycles(), "cycle", "cycles") + " with " +
         quantity_text(utilisation(), Meaning::percent, 3) + " utilization. Cycle " +
         said(array_.cycle()) + ": " +
         plural(array_.active(), "cell multiplies.", "cells multiply.");
}

Table Systolic::table() const {
  Table table{{"What", "So far", "Whole run"}, {}};
  for (const Count& count : counts())
    table.rows.push_back({count.name, said(count.counted), said(count.low)});
  table.rows.push_back({"utilization", "", quantity_text(utilisation(), Meaning::percent, 3)});
  tell_cells(table);
  tell_course(table);
  return table;
}

// A table of the stream positions in the grid, one row of the table per row of cells.
void Systolic::tell_cells(Table& table) const {
  const ArrayShape& s = array_.shape();
  for (int row = 0; row < s.rows; ++row) {
    std::string places;
    for (int column = 0; column < s.columns; ++column) {
      const SystolicArray::Cell& cell = array_.cell(row, column);
      places += (column == 0 ? "" : " ") + (cell.active ? said(cell.stream + 1) : "–");
    }
    table.rows.push_back({"in row " + said(row + 1) + " of the cells", places, ""});
  }
}

// A table of the active cells over the run, in at most sixteen parts.
void Systolic::tell_course(Table& table) const {
  constexpr std::size_t most = 16;
  const std::size_t cycles = busy_.size(), each = (cycles + most - 1) / most;
  const auto past = static_cast<std::size_t>(array_.cycle());
  for (std::size_t from = 0; from < cycles; from += each) {
    const std::size_t to = std::min(from + each, cycles);
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += busy_[i];
    const std::string mean = said(sum / static_cast<double>(to - from), 3);
    const std::string label =
        each == 1 ? "cells at work, cycle " + said(double(to))
                  : "cells at work, cycles " + said(double(from) + 1) + " to " + said(double(to));
    table.rows.push_back({label, to <= past ? mean : "", mean});
  }
}

// Draws the cells with the stream position that each one works on and, to the left of a row, the
// next input.
void Systolic::draw_grid(Sheet& sheet, double left, double top, double size) const {
  const ArrayShape& s = array_.shape();
  const double unit = size / s.rows;
  std::vector<Box> busy, waiting;
  for (int row = 0; row < s.rows; ++row) {
    const double y = top + row * unit;
    for (int column = 0; column < s.columns; ++column) {
      const SystolicArray::Cell& cell = array_.cell(row, column);
      const double x = left + column * unit;
      (cell.active ? busy : waiting).push_back({x + 2, y + 2, x + unit - 2, y + unit - 2});
      if (cell.active)
        sheet.note(said(cell.stream + 1), {x + unit / 2, y + unit / 2 + 5}, 0, sheet.colors().ink);
    }
    if (const int next = array_.entering(row); next >= 0)
      sheet.note(said(next + 1), {left - 12, y + unit / 2 + 5}, 1, sheet.colors().bandwidth);
  }
  sheet.boxes(busy, sheet.colors().compute, "0.45");
  sheet.outlines(busy, sheet.colors().compute);
  sheet.outlines(waiting, sheet.colors().rule);
  const bool outputs = s.flow == Flow::outputs;
  const std::string enters = std::string(s.flow == Flow::inputs ? "B" : "A") + " enters";
  sheet.note(enters, {left - 12, top - 8}, 1, sheet.colors().bandwidth);
  sheet.note(outputs ? "B streams down" : "sums move down", {left + size / 2, top - 18}, 0);
  sheet.arrow({left + size / 2, top - 13}, {left + size / 2, top - 2}, sheet.colors().ink_soft);
}

// Draws how often each number that was read has been used.
void Systolic::draw_ledger(Sheet& sheet, double left, double right, double top) const {
  const std::vector<Count> all = counts();
  const double read = all[2].counted + all[3].counted, done = all[1].counted;
  const int cells = array_.shape().rows * array_.shape().columns;
  sheet.name("cycle " + said(array_.cycle()) + " of " + said(array_.cycles()), {left, top});
  sheet.note(said(array_.active()) + " of " + said(cells) + " cells multiply", {right, top}, 1,
             sheet.colors().compute);
  const std::vector<std::pair<std::string, std::string>> lines = {
      {"numbers read so far", said(read)},
      {"multiplications so far", said(done)},
      {"multiplications per number", read > 0 ? said(done / read, 2) : "0"}};
  double y = top + 26;
  for (const auto& [words, number] : lines) {
    sheet.note(words, {left, y});
    sheet.note(number, {right, y}, 1, sheet.colors().ink);
    y += 22;
  }
}

// Draws the active cells over the whole run: the past in full color, the future pale.
void Systolic::draw_strip(Sheet& sheet, double top, double bottom) const {
  constexpr std::size_t most = 240;
  const double left = 12, right = sheet.width() - 12;
  const std::size_t cycles = busy_.size(), each = (cycles + most - 1) / most;
  const double unit = (right - left) / static_cast<double>(cycles);
  const double cells = double(array_.shape().rows) * array_.shape().columns;
  std::vector<Box> past, future;
  for (std::size_t from = 0; from < cycles; from += each) {
    const std::size_t to = std::min(from + each, cycles);
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += busy_[i];
    if (sum == 0) continue;
    const double high = (bottom - top) * sum / static_cast<double>(to - from) / cells;
    const double gap = unit * static_cast<double>(each) > 4 ? 1 : 0;
    (to <= static_cast<std::size_t>(array_.cycle()) ? past : future)
        .push_back({left + static_cast<double>(from) * unit, bottom - high,
                    left + static_cast<double>(to) * unit - gap, bottom});
  }
  sheet.note("cells at work, cycle by cycle", {left, top - 10});
  sheet.note("all " + said(cells), {right, top - 10}, 1);
  sheet.line({left, top}, {right, top}, sheet.colors().rule, 1, "3 3");
  sheet.boxes(future, sheet.colors().compute, "0.25");
  sheet.boxes(past, sheet.colors().compute);
  sheet.line({left, bottom}, {right, bottom}, sheet.colors().ink_soft);
  const double now = left + array_.cycle() * unit;
  sheet.line({now, top}, {now, bottom + 5}, sheet.colors().ink, 2);
}

Rendering Systolic::draw(const Options& options) const {
  Sheet sheet(options, 372, 480, std::string(title()), summary());
  constexpr double top = 46, size = 216;
  if (sheet.narrow()) {
    draw_grid(sheet, (sheet.width() - size) / 2 + 20, top, size);
    draw_ledger(sheet, 12, sheet.width() - 12, top + size + 28);
    draw_strip(sheet, 404, 464);
  } else {
    draw_grid(sheet, 84, top, size);
    draw_ledger(sheet, 360, sheet.width() - 12, top + 62);
    draw_strip(sheet, 300, 358);
  }
  return sheet.finish(table());
}

}  // namespace
}  // namespace systolic_model

std::unique_ptr<Model> make_systolic() { return std::make_unique<systolic_model::Systolic>(); }

}  // namespace figures::models
