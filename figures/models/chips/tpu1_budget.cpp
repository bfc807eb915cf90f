// tpu1-budget: the cycle budget of a matrix unit whose weights come from memory, as a function of
// the batch.
//
// The unit is the first TPU: a square of 8-bit cells whose weights come from memory tile by tile. A
// tile takes side²·clock/bandwidth cycles to fetch and `side` cycles to shift in, and is used for
// one cycle per row (two for mixed 8 and 16 bit). The longest of the three is its period.
#include <algorithm>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace tpu1_budget_model {
namespace {

constexpr int tiles = 40;

constexpr Control controls_of_it[] = {
    range("batch", "Batch", "", 1, 4096, 200),
    range("bandwidth", "Weight memory", "GB/s", 1, 400, 34),
    doubling("side", "Side of the array", "cells", 32, 1024, 256),
    more(range("clock", "Clock", "MHz", 100, 2000, 700)),
    more(range("passes", "Cycles per row", "", 1, 2, 1)),
    more(range("fill", "Tile in use", "%", 1, 100, 100)),
    more(range("rest", "Cycles for other work", "%", 0, 60, 0)),
};
enum At : std::size_t { batch, bandwidth, side, clock, passes, fill, rest };

// The fetch is one tile ahead: while one tile works, the next one arrives.
class Tpu1Budget : public Model {
 public:
  std::string_view name() const override { return "tpu1-budget"; }
  std::string_view title() const override { return "Where a matrix unit's cycles go"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    side_ = values[At::side];
    clock_ = values[At::clock] * 1e6;
    fetch_ = side_ * side_ * clock_ / (values[At::bandwidth] * 1e9);
    passes_ = values[At::passes];
    work_ = values[At::batch] * passes_;
    fill_ = values[At::fill] / 100;
    rest_ = values[At::rest] / 100;
    now_ = active_ = shift_ = stall_ = 0;
    done_ = 0;
    return {};
  }
  int length() const override { return tiles; }
  int first() const override { return tiles; }
  int on_paper() const override { return tiles; }
  // One tile: use it while the next tile is fetched and shifted in. The rest of the period is a
  // stall.
  void step() override {
    const double begin = now_;
    const double worked = begin + work_;
    const double arrived = begin + fetch_;
    const double shifted = begin + side_;  // after the current tile
    now_ = std::max({worked, arrived, shifted});
    active_ += work_;
    const double waiting = now_ - worked;
    // Up to one shift of the time that the work does not hide counts as shifting, the rest as
    // fetching.
    const double shifting = std::min(side_, waiting);
    shift_ += shifting;
    stall_ += waiting - shifting;
    ++done_;
  }

  std::string broken() const override {
    const double sum = active_ + shift_ + stall_;
    return std::max(sum - now_, now_ - sum) > 1e-6 * (1 + now_) ? "the shares do not add up" : "";
  }
  std::vector<Count> counts() const override {
    const double period = std::max({fetch_, work_, side_});
    const double active = work_ / period;
    const double shift = std::min(side_ / period, 1 - active);
    return {exact("cycles", "", now_, tiles * period),
            exact("active share", "", active_ / now_, active),
            exact("shift share", "", shift_ / now_, shift),
            exact("operations a second", "op/s", rate(),
                  2 * side_ * side_ * clock_ * active / passes_ * fill_ * (1 - rest_))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double rate() const {
    if (done_ == 0) return 0;
    const double rows = done_ * work_ / passes_;  // each row is side² multiply-adds in filled cells
    return 2 * rows * side_ * side_ * fill_ * (1 - rest_) / (now_ / clock_);
  }

  double side_ = 1, clock_ = 1, fetch_ = 1, work_ = 1, passes_ = 1, fill_ = 1, rest_ = 0;
  double now_ = 0, active_ = 0, shift_ = 0, stall_ = 0;
  int done_ = 0;
};

Rendering Tpu1Budget::draw(const Options& options) const {
  const double all = std::max(now_, 1.0), peak = 2 * side_ * side_ * clock_;
  const Palette& colors = colors_of(options);
  const auto share = [&](double part) { return quantity_text(part / all, Meaning::percent, 3); };
  const std::vector<BarRow> bars = {
      {"active", share(active_), active_ / all, colors.compute},
      {"weights shift in", share(shift_), shift_ / all, colors.bandwidth},
      {"waiting for weights", share(stall_), stall_ / all, colors.bandwidth},
      {"of the peak", quantity_text(rate() / peak, Meaning::percent, 3), rate() / peak,
       colors.reference}};
  const std::string summary =
      "A tile takes " + said(fetch_, 4) + " cycles to fetch, " + said(side_) +
      " to shift in, and " + said(work_) + " to use: active in " + share(active_) +
      " of the cycles, shifting in " + share(shift_) + ", waiting in " + share(stall_) +
      ". That is " + quantity_text(rate(), Meaning::op_rate, 3) + " of " +
      quantity_text(peak, Meaning::op_rate, 3) + ".";
  Table table{{"Cycles", "Count", "Share"}, {}};
  table.rows = {{"active", said(active_, 6), share(active_)},
                {"weights shift in", said(shift_, 6), share(shift_)},
                {"waiting for weights", said(stall_, 6), share(stall_)}};
  return draw_bar_rows(options, 4, std::string(title()), summary,
                       "after " + plural(done_, "tile", "tiles"), bars, std::move(table));
}

}  // namespace
}  // namespace tpu1_budget_model

std::unique_ptr<Model> make_tpu1_budget() {
  return std::make_unique<tpu1_budget_model::Tpu1Budget>();
}

}  // namespace figures::models
