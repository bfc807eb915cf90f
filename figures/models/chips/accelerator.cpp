// accelerator: the reader designs a chip under a budget of area and power and runs six applications
// on it.
//
// All parts are those of the first TPU: a cell of its grid, a MiB of its buffers, the share of its
// die that is neither, and the idle power per mm² (Jouppi et al. 2017, table 2 and section 2; 2021
// for the grid's share). Time is counted as in chapter 4: a tile of weights takes side² bytes to
// fetch, `side` cycles to shift in and one cycle per row to use, and the longest of the three is
// its period. Each grid fetches its own tiles, and all grids share the memory bandwidth. A step
// runs one application, tile by tile.
#include <algorithm>
#include <array>
#include <cmath>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace accelerator_model {
namespace {

constexpr double mib = 1024 * 1024, square_mm = 1e-6;  // bytes; m²

// Facts with the bandwidth of a memory and its energy per access of 64 bits.
struct Memory {
  std::string_view rate, energy;
  double stacks;
};
constexpr Choice memory_choices[] = {{"ddr3", "DDR3, as in 2015"},
                                     {"gddr5", "GDDR5"},
                                     {"hbm-1", "1 stack of HBM2"},
                                     {"hbm-2", "2 stacks of HBM2"},
                                     {"hbm-4", "4 stacks of HBM2"}};
constexpr Memory memories[] = {
    {"tpu-v1.bandwidth", "energy-45nm.dram.low", 1},
    {"tpu-v1-prime.bandwidth", "energy-7nm.gddr6.high", 1},
    {"hbm2.stack", "energy-7nm.hbm2.high", 1},
    {"hbm2.stack", "energy-7nm.hbm2.high", 2},
    {"hbm2.stack", "energy-7nm.hbm2.high", 4},
};

constexpr Control controls_of_it[] = {
    doubling("side", "Side of a grid", "cells", 64, 512, 256),
    range("grids", "Grids", "", 1, 8, 1),
    choice("memory", "Weight memory", memory_choices),
    range("clock", "Clock", "MHz", 200, 1400, 700),
    range("sram", "Memory on the chip", "MiB", 4, 96, 28),
    more(range("area", "Area budget", "mm²", 100, 800, 331)),
    more(range("power", "Power budget", "W", 20, 300, 75)),
};
enum At : std::size_t { side, grids, memory, clock, sram, area, power };

struct Application {
  // Facts: rows that share a tile; side of its matrices, or none
  std::string_view label, rows, matrix;
  // Share of the cells that a tile uses, if counters report it
  std::string_view fill;
};
// The rows of a dense application are its batch. A convolution uses a weight at every position of
// an image.
constexpr Application applications[] = {
    {"MLP0", "tpu-v1-apps.mlp0.intensity", "", ""},
    {"MLP1", "tpu-v1-apps.mlp1.intensity", "", ""},
    {"LSTM0", "tpu-v1-apps.lstm0.intensity", "", ""},
    {"LSTM1", "tpu-v1-apps.lstm1.intensity", "tpu-v1-apps.lstm1.matrix", ""},
    {"CNN0", "tpu-v1-apps.cnn0.intensity", "", ""},
    {"CNN1", "tpu-v1-apps.cnn1.intensity", "", "tpu-v1-apps.cnn1.useful"},
};
constexpr std::size_t six = std::size(applications);

// Cycles and operations of the tiles that one grid has processed.
struct Run {
  double cycles = 0, operations = 0, used = 0;  // used: cycles in which rows pass
};

class Accelerator : public Model {
 public:
  std::string_view name() const override { return "accelerator"; }
  std::string_view title() const override { return "Design an accelerator"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override;

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override;
  int length() const override { return six; }
  int first() const override { return six; }
  int on_paper() const override { return six; }
  std::string step_words() const override { return " applications"; }
  void step() override;

  std::string broken() const override;
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  // The longest of these, in cycles, is the period of a tile.
  double fetch() const { return grids_ * side_ * side_ * clock_ / bandwidth_; }
  double period(std::size_t which) const { return std::max({rows_[which], side_, fetch()}); }
  double peak() const { return 2 * grids_ * side_ * side_ * clock_; }
  // The share of cells that hold weights when a matrix of `width` rows and columns is cut into
  // whole tiles.
  double useful(std::size_t which) const;
  double closed_rate(std::size_t which) const {
    return peak() * useful(which) * rows_[which] / period(which);
  }
  double rate(std::size_t which) const {
    return grids_ * runs_[which].operations / (runs_[which].cycles / clock_);
  }
  double chip_area() const { return (cells_area() + sram_area()) / (1 - rest_); }
  double cells_area() const { return grids_ * side_ * side_ * cell_; }
  double sram_area() const { return sram_ * per_byte_; }
  double watts(std::size_t which) const;
  double most_watts() const;
  std::string_view waits_for(std::size_t which) const;
  std::string summary() const;

  double side_ = 1, grids_ = 1, clock_ = 1, sram_ = 1, bandwidth_ = 1;
  double area_limit_ = 1, power_limit_ = 1, needed_ = 0;
  double cell_ = 0, per_byte_ = 0, rest_ = 0, at_rest_ = 0;  // m², m², share, W/m²
  double multiply_ = 0, sram_energy_ = 0, memory_energy_ = 0,
         own_ = 0;  // J; J/B; J/B; peak of the TPU v1
  std::array<double, six> rows_{}, width_{}, fill_{};
  std::array<Run, six> runs_{};
  std::size_t done_ = 0;
};

std::vector<std::string> Accelerator::facts() const {
  std::vector<std::string> all = {"tpu-v1.die",
                                  "tpu-v1.mxu.die-share",
                                  "tpu-v1.die.buffers",
                                  "tpu-v1.onchip",
                                  "tpu-v1.mxu.rows",
                                  "tpu-v1.mxu.columns",
                                  "tpu-v1.power.idle",
                                  "tpu-v1.unified-buffer.used",
                                  "tpu-v1.accumulators",
                                  "tpu-v1.clock",
                                  "tpu-v1-apps.cnn1.active",
                                  "energy-45nm.int8-mul",
                                  "energy-45nm.int32-add",
                                  "energy-45nm.sram-1mib"};
  for (const Memory& one : memories)
    for (const std::string_view id : {one.rate, one.energy})
      if (std::find(all.begin(), all.end(), id) == all.end()) all.emplace_back(id);
  for (const Application& one : applications)
    for (const std::string_view id : {one.rows, one.matrix, one.fill})
      if (!id.empty()) all.emplace_back(id);
  return all;
}

std::vector<std::string> Accelerator::reset(std::span<const double> values,
                                            const Numbers& numbers) {
  side_ = values[At::side];
  grids_ = values[At::grids];
  clock_ = values[At::clock] * 1e6;
  sram_ = values[At::sram] * mib;
  area_limit_ = values[At::area] * square_mm;
  power_limit_ = values[At::power];
  const Memory& chosen = memories[whole(values, At::memory)];
  bandwidth_ = chosen.stacks * numbers.fact(chosen.rate);

  const double die = numbers.fact("tpu-v1.die"), grid = numbers.fact("tpu-v1.mxu.die-share");
  const double buffers = numbers.fact("tpu-v1.die.buffers");
  const double cells = numbers.fact("tpu-v1.mxu.rows") * numbers.fact("tpu-v1.mxu.columns");
  cell_ = grid * die / cells;
  per_byte_ = buffers * die / numbers.fact("tpu-v1.onchip");
  rest_ = 1 - grid - buffers;
  at_rest_ = numbers.fact("tpu-v1.power.idle") / die;
  own_ = 2 * cells * numbers.fact("tpu-v1.clock");
  needed_ = numbers.fact("tpu-v1.unified-buffer.used") + numbers.fact("tpu-v1.accumulators");
  multiply_ = numbers.fact("energy-45nm.int8-mul") + numbers.fact("energy-45nm.int32-add");
  sram_energy_ = numbers.fact("energy-45nm.sram-1mib") / 8;
  memory_energy_ = numbers.fact(chosen.energy) / 8;
  for (std::size_t i = 0; i < six; ++i) {
    const Application& one = applications[i];
    rows_[i] = numbers.fact(one.rows) / 2;  // multiply-adds per byte of weights
    width_[i] = one.matrix.empty() ? 0 : numbers.fact(one.matrix);
    fill_[i] =
        one.fill.empty() ? 1 : numbers.fact(one.fill) / numbers.fact("tpu-v1-apps.cnn1.active");
  }
  runs_ = {};
  done_ = 0;
  std::vector<std::string> notices;
  if (sram_ < needed_)
    notices.push_back("The largest of the six needs " + quantity_text(needed_, Meaning::bytes, 3) +
                      " on the chip: it would not run");
  return notices;
}

// The next tile is fetched and shifted in while the current one is used. A matrix with a known
// width is cut into tiles, and cells beyond its edges multiply zeros.
void Accelerator::step() {
  Run& run = runs_[done_];
  const double rows = rows_[done_], width = width_[done_];
  const int across = width > 0 ? static_cast<int>(std::ceil(width / side_)) : 1;
  for (int down = 0; down < across; ++down)
    for (int right = 0; right < across; ++right) {
      const auto covered = [&](int at) { return std::min(side_, width - at * side_); };
      const double cells =
          width > 0 ? covered(down) * covered(right) : side_ * side_ * fill_[done_];
      run.cycles += std::max({rows, side_, fetch()});
      run.used += rows;
      run.operations += 2 * rows * cells;
    }
  ++done_;
}

double Accelerator::useful(std::size_t which) const {
  if (width_[which] <= 0) return fill_[which];
  const double laid = std::ceil(width_[which] / side_) * side_;
  return width_[which] * width_[which] / (laid * laid);
}

// Idle power plus the power of the application: multiply-adds, weights from memory and, per active
// cycle, a row of input bytes and a row of four-byte sums on the chip.
double Accelerator::watts(std::size_t which) const {
  const double tiles_a_second = grids_ * clock_ / period(which);
  const double moved = tiles_a_second * rows_[which] * side_ * (1 + 4);
  return at_rest_ * chip_area() + closed_rate(which) / 2 * multiply_ + moved * sram_energy_ +
         tiles_a_second * side_ * side_ * memory_energy_;
}

double Accelerator::most_watts() const {
  double most = 0;
  for (std::size_t i = 0; i < six; ++i) most = std::max(most, watts(i));
  return most;
}

std::string_view Accelerator::waits_for(std::size_t which) const {
  const double longest = period(which);
  if (rows_[which] >= longest) return "compute";
  return fetch() >= longest ? "weights" : "shifting";
}

std::string Accelerator::broken() const {
  for (std::size_t i = 0; i < done_; ++i)
    if (runs_[i].used > runs_[i].cycles * (1 + 1e-9))
      return "rows pass in more cycles than there are";
  return {};
}

std::vector<Count> Accelerator::counts() const {
  std::vector<Count> all = {
      exact("area", "m²", cells_area() + sram_area() + rest_ * chip_area(), chip_area())};
  for (std::size_t i = 0; i < six; ++i)
    all.push_back(exact(std::string(applications[i].label), "op/s", rate(i), closed_rate(i)));
  return all;
}

std::string area_text(double area) { return said(area / square_mm, 3) + " mm²"; }
std::string watts_text(double watts) { return said(watts, 3) + " W"; }

std::string Accelerator::summary() const {
  std::size_t full = 0, waiting = 0;
  for (std::size_t i = 0; i < six; ++i) {
    full += rate(i) > 0.9 * peak() ? 1 : 0;
    waiting += waits_for(i) == "weights" ? 1 : 0;
  }
  const bool large = chip_area() > area_limit_ * 1.001, hot = most_watts() > power_limit_;
  return area_text(chip_area()) + " and at most " + watts_text(most_watts()) + ": " +
         (large && hot ? "too large and too hot for your budget"
          : large      ? "too large for your budget"
          : hot        ? "too hot for your budget"
                       : "within your budget") +
         ". " + quantity_text(peak(), Meaning::op_rate, 3) +
         " at the peak. Within a tenth of it: " + said(full) +
         " of six. Limited by weights: " + said(waiting) + ".";
}

Rendering Accelerator::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  const double widest = std::max(peak(), own_), own_share = own_ / widest;
  std::vector<BarRow> bars = {
      {"area", area_text(chip_area()), chip_area() / std::max(chip_area(), area_limit_) / 2,
       colors.reference, area_limit_ / std::max(chip_area(), area_limit_) / 2},
      {"power", watts_text(most_watts()), most_watts() / std::max(most_watts(), power_limit_) / 2,
       colors.reference, power_limit_ / std::max(most_watts(), power_limit_) / 2}};
  Table table{{"Application", "Operations per second", "Share of the peak", "Power", "Limited by"},
              {}};
  for (std::size_t i = 0; i < six; ++i) {
    const std::string label(applications[i].label);
    if (i >= done_) {
      bars.push_back(bar_to_come(label));
      continue;
    }
    const std::string_view reason = waits_for(i);
    const std::string told = quantity_text(rate(i), Meaning::op_rate, 3);
    bars.push_back({label, told + ", " + std::string(reason), rate(i) / widest,
                    reason == "compute"   ? colors.compute
                    : reason == "weights" ? colors.bandwidth
                                          : colors.teal,
                    own_share});
    table.rows.push_back({label, told, quantity_text(rate(i) / peak(), Meaning::percent, 2),
                          watts_text(watts(i)), std::string(reason)});
  }
  return draw_bar_rows(options, 2 + six, std::string(title()), summary(),
                       "operations per second, and the limit of each", bars, std::move(table));
}

}  // namespace
}  // namespace accelerator_model

std::unique_ptr<Model> make_accelerator() {
  return std::make_unique<accelerator_model::Accelerator>();
}

}  // namespace figures::models
