// simt: lanes that share an instruction stream and diverge at a branch.
#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"
#include "figures/models/random.hpp"

namespace figures::models {
namespace simt_model {
namespace {

constexpr int runs = 100, warps_a_step = 20;  // 2,000 warps

constexpr Choice programs[] = {{"branch", "if, else"},
                               {"switch", "switch of equal cases"},
                               {"loop", "loop, own count per lane"}};
constexpr Choice patterns[] = {{"random", "at random"}, {"sorted", "sorted"}};
constexpr Control controls_of_it[] = {
    range("share", "Lanes that take the branch", "%", 0, 100, 12),
    range("then", "Cost of the branch", "cycles", 1, 200, 100),
    range("else", "Cost of the other side", "cycles", 0, 200, 100),
    more(choice("program", "Program", programs)),
    more(choice("pattern", "Lanes", patterns)),
    more(doubling("width", "Lanes per warp", "", 4, 128, 32)),
    more(range("cases", "Cases, or most iterations", "", 2, 100, 8)),
};
enum At : std::size_t { share, then, other, program, pattern, width, cases };

double power(double base, int exponent) {
  double result = 1;
  for (; exponent > 0; exponent /= 2, base *= base)
    if (exponent % 2 != 0) result *= base;
  return result;
}

class Simt : public Model {
 public:
  std::string_view name() const override { return "simt"; }
  std::string_view title() const override { return "The cost of divergence"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    share_ = values[At::share] / 100;
    then_ = values[At::then];
    else_ = values[At::other];
    program_ = whole(values, At::program);
    sorted_ = whole(values, At::pattern) == 1;
    width_ = whole(values, At::width);
    cases_ = whole(values, At::cases);
    random_ = Random(1);
    done_ = 0;
    issued_ = useful_ = lowest_ = highest_ = 0;
    return {};
  }
  int length() const override { return runs; }
  int first() const override { return runs; }
  int on_paper() const override { return runs; }
  void step() override {
    // Each lane draws its path at random. Sorting puts lanes with the same path into the same
    // warps.
    std::vector<int> lanes(static_cast<std::size_t>(warps_a_step * width_));
    for (int& lane : lanes)
      lane = program_ == 0 ? (random_.share() < share_ ? 1 : 0) : random_.below(cases_);
    if (sorted_) std::sort(lanes.begin(), lanes.end());
    for (int warp = 0; warp < warps_a_step; ++warp) run(lanes.data() + warp * width_);
    ++done_;
  }

  std::string broken() const override {
    if (issued_ < lowest_ * (1 - 1e-9)) return "a warp was faster than its slowest lane";
    return issued_ > highest_ * (1 + 1e-9) ? "a warp ran a path twice" : "";
  }
  std::vector<Count> counts() const override {
    const double warps = static_cast<double>(done_) * warps_a_step, mean = issued_ / warps;
    if (sorted_)  // at most one warp at each border runs both paths; loop trips as their mean
      return {between("cycles of a warp", "", mean, lowest_ / warps, highest_ / warps)};
    // Four standard errors of a bounded cost.
    const double slack = 4 * worst() / 2 / std::sqrt(warps);
    return {between("cycles of a warp", "", mean, expected() - slack, expected() + slack)};
  }
  Rendering draw(const Options& options) const override;

 private:
  double cost(int lane) const {
    if (program_ == 0) return lane > 0 ? then_ : else_;
    return program_ == 1 ? then_ : (lane + 1) * then_;
  }
  // A warp issues every path that at least one lane takes. A loop runs as long as its longest lane.
  void run(const int* lanes) {
    double own = 0, slowest = 0, paths = 0;
    std::array<bool, 101> taken{};
    for (int i = 0; i < width_; ++i) {
      const double cycles = cost(lanes[i]);
      own += cycles;
      slowest = std::max(slowest, cycles);
      bool& seen = taken[static_cast<std::size_t>(lanes[i])];
      if (!seen) paths += cycles;
      seen = true;
    }
    const double issued = program_ == 2 ? slowest : paths;
    issued_ += issued;
    useful_ += own / width_;
    lowest_ += slowest;
    highest_ += program_ == 2 ? slowest : worst();
  }
  double worst() const {
    return program_ == 0   ? then_ + else_
           : program_ == 1 ? then_ * std::min(cases_, width_)
                           : then_ * cases_;
  }
  double expected() const {
    if (program_ == 0)
      return then_ * (1 - power(1 - share_, width_)) + else_ * (1 - power(share_, width_));
    const double k = cases_;
    if (program_ == 1) return then_ * k * (1 - power(1 - 1 / k, width_));
    double trips = 0;
    for (int i = 1; i <= cases_; ++i) trips += 1 - power((i - 1) / k, width_);
    return then_ * trips;
  }

  double share_ = 0, then_ = 1, else_ = 0;
  int program_ = 0, width_ = 32, cases_ = 2, done_ = 0;
  bool sorted_ = false;
  Random random_{1};
  double issued_ = 0, useful_ = 0, lowest_ = 0, highest_ = 0;
};

Rendering Simt::draw(const Options& options) const {
  const double warps = std::max(1.0, static_cast<double>(done_) * warps_a_step);
  const double mean = issued_ / warps, own = useful_ / warps;
  const double full = std::max({mean, expected(), 1.0});
  const Palette& colors = colors_of(options);
  const std::vector<BarRow> bars = {
      {"needed by a lane", said(own, 3) + " cycles", own / full, colors.compute},
      {"taken by a warp", said(mean, 4) + " cycles", mean / full, colors.ochre},
      {"formula, at random", said(expected(), 4) + " cycles", expected() / full, colors.reference}};
  const std::string efficiency =
      issued_ > 0 ? quantity_text(useful_ / issued_, Meaning::percent, 3) : "0 %";
  const std::string summary =
      "Warps of " + said(width_) + " lanes, " + std::string(programs[program_].label) + ", lanes " +
      std::string(patterns[sorted_ ? 1 : 0].label) + ": a warp takes " + said(mean, 4) +
      " cycles where a lane needs " + said(own, 3) + ", so " + efficiency +
      " of the lanes' time is used. With random lanes the formula gives " + said(expected(), 4) +
      ".";
  Table table{{"What", "Cycles"}, {}};
  table.rows = {{"a lane needs", said(own, 4)},
                {"a warp takes", said(mean, 5)},
                {"formula, lanes at random", said(expected(), 5)}};
  return draw_bar_rows(
      options, 3, std::string(title()), summary,
      "after " + plural(static_cast<double>(done_) * warps_a_step, "warp", "warps"), bars,
      std::move(table));
}

}  // namespace
}  // namespace simt_model

std::unique_ptr<Model> make_simt() { return std::make_unique<simt_model::Simt>(); }

}  // namespace figures::models
