// shared-scale: normally distributed weights in few bits, with scales shared by groups of different
// sizes.
//
// Integers of b bits have one scale per group, the largest magnitude over 2^(b-1) - 1. Each number
// is off by at most half a scale, so one large number makes its whole group coarse. E4M3 has an
// exponent in each number, so its error follows the number and hardly depends on the group.
#include <algorithm>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/knobs/few_bits.hpp"
#include "figures/models/models.hpp"
#include "figures/models/random.hpp"

namespace figures::models {
namespace shared_scale_model {
namespace {

constexpr int count = 4096;

constexpr Control controls_of_it[] = {
    range("outlier", "Outliers, times as large", "", 1, 64, 1),
    range("every", "One outlier in", "", 100, 4000, 1000),
    doubling("group", "Numbers that share a scale", "", 16, 4096, 32),
};
enum At : std::size_t { outlier, every, group };

struct Way {
  std::string label;
  int bits = 0;  // of an integer; 0: E4M3
  int group = count;
  double error = 0, bound = 0;  // root mean square relative to that of the weights
};

class SharedScale : public Model {
 public:
  std::string_view name() const override { return "shared-scale"; }
  std::string_view title() const override { return "Error by numbers that share a scale"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    Random random(11);
    weights_.clear();
    for (int i = 0; i < count; ++i) weights_.push_back(random.bell());
    const int apart = whole(values, At::every);
    for (int i = apart / 2; i < count; i += apart) weights_[i] *= values[At::outlier];
    const int shared = whole(values, At::group);
    ways_ = {{"int8, one scale", 8},
             {"int8, groups of " + said(shared), 8, shared},
             {"E4M3, one scale"},
             {"int4, one scale", 4},
             {"int4, groups of " + said(shared), 4, shared}};
    done_ = 0;
    return {};
  }
  // A step evaluates the next format and group size.
  int length() const override { return static_cast<int>(ways_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  void step() override { try_out(ways_[static_cast<std::size_t>(done_++)]); }

  std::string broken() const override { return broken_; }
  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (const Way& way : ways_)
      all.push_back(between("relative error of " + way.label, "", way.error, 0, way.bound));
    return all;
  }
  Rendering draw(const Options& options) const override;

 private:
  void try_out(Way& way) {
    double squares = 0, bounds = 0, all = 0;
    for (int begin = 0; begin < count; begin += way.group) {
      double most = 0;
      for (int i = begin; i < begin + way.group; ++i) most = std::max(most, magnitude(weights_[i]));
      const double levels = largest_code(way.bits);
      const double scale = most / levels;
      for (int i = begin; i < begin + way.group; ++i) {
        const double x = weights_[i], code = code_of(x / scale, way.bits);
        if (magnitude(code) > levels) broken_ = "a code beyond the largest";
        const double off = code * scale - x;
        // Half a step of an integer; for E4M3, a sixteenth of the number or half its smallest step.
        const double allowed =
            way.bits == 0 ? std::max(magnitude(x) / 16, scale / 64 / 16) : scale / 2;
        if (magnitude(off) > allowed * (1 + 1e-9))
          broken_ = "a number is off by more than its format allows";
        squares += off * off;
        bounds += allowed * allowed;
        all += x * x;
      }
    }
    way.error = square_root(squares / all);
    way.bound = square_root(bounds / all);
  }
  // Newton's method, which gives the same bits everywhere.
  static double square_root(double x) {
    double guess = exp2_of(log2_of(x) / 2);
    for (int i = 0; i < 4 && guess > 0; ++i) guess = (guess + x / guess) / 2;
    return guess;
  }

  std::vector<double> weights_;
  std::vector<Way> ways_;
  std::string broken_;
  int done_ = 0;
};

Rendering SharedScale::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  std::vector<BarRow> bars;
  Table table{{"Format", "Bits per number, with a scale of 16", "Relative error"}, {}};
  for (int i = 0; i < done_; ++i) {
    const Way& way = ways_[static_cast<std::size_t>(i)];
    const std::string error = quantity_text(way.error, Meaning::percent, 2);
    // A logarithmic axis from 1/1000 to 1.
    bars.push_back({way.label, error, 1 + log10_of(std::max(way.error, 1e-3)) / 3,
                    way.bits == 0 ? colors.ochre : colors.teal, 0, true});
    table.rows.push_back(
        {way.label, said((way.bits == 0 ? 8 : way.bits) + 16.0 / way.group, 4), error});
  }
  for (const Way& way : std::span(ways_).subspan(static_cast<std::size_t>(done_)))
    bars.push_back(bar_to_come(way.label));
  std::string summary = "No format has been tried yet.";
  if (done_ == length())
    summary = "One scale for all " + said(count) + " weights leaves int8 off by " +
              table.rows[0][2] + " and E4M3 by " + table.rows[2][2] + "; groups of " +
              said(ways_[1].group) + " bring int8 to " + table.rows[1][2] + " and int4 to " +
              table.rows[4][2] + ".";
  return draw_bar_rows(options, 5, std::string(title()), summary,
                       "relative error, root mean square, 0.1 % to 100 %, logarithmic", bars,
                       std::move(table));
}

}  // namespace
}  // namespace shared_scale_model

std::unique_ptr<Model> make_shared_scale() {
  return std::make_unique<shared_scale_model::SharedScale>();
}

}  // namespace figures::models
