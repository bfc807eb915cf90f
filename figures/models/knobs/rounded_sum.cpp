// rounded-sum: a sum of ones in a number format that rounds after each addition.
//
// With m mantissa bits the sum stops at 2^(m+1): from there, 1 is half the distance to the next
// number, and a tie rounds to even. Stochastic rounding rounds up with a probability equal to the
// remainder, so its mean is right. A step doubles the number of additions.
#include <algorithm>
#include <vector>

#include "figures/models/log_plot.hpp"
#include "figures/models/models.hpp"
#include "figures/models/random.hpp"

namespace figures::models {
namespace rounded_sum_model {
namespace {

struct Format {
  int mantissa;
  double largest;
};
constexpr Choice format_choices[] = {
    {"bf16", "bf16"}, {"fp16", "fp16"}, {"e4m3", "FP8 E4M3"}, {"e5m2", "FP8 E5M2"}};
constexpr Format formats[] = {{7, 3.3895313892515355e38}, {10, 65504}, {3, 448}, {2, 57344}};
constexpr Choice roundings[] = {{"nearest", "to nearest"}, {"chance", "stochastically"}};
constexpr Control controls_of_it[] = {
    choice("format", "Sum in", format_choices),
    choice("rounding", "Rounded", roundings),
};
enum At : std::size_t { format, rounding };
constexpr int doublings = 14;  // 16,384 additions

class RoundedSum : public Model {
 public:
  std::string_view name() const override { return "rounded-sum"; }
  std::string_view title() const override { return "Adding ones in few bits"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    chosen_ = whole(values, At::format);
    chance_ = whole(values, At::rounding) == 1;
    random_ = Random(7);
    sum_ = rounded(1);
    added_ = 1;
    trail_ = {sum_};
    return {};
  }
  int length() const override { return doublings; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return " doublings: " + plural(added_, "one", "ones"); }
  void step() override {
    for (const int goal = added_ * 2; added_ < goal; ++added_) sum_ = rounded(sum_ + 1);
    trail_.push_back(sum_);
  }

  std::string broken() const override {
    if (rounded_down(sum_) != sum_) return "the sum is not a number of its format";
    return sum_ > now().largest ? "beyond the largest number" : "";
  }
  std::vector<Count> counts() const override {
    if (chance_) return {between("sum", "", sum_, 0, now().largest)};
    return {exact("sum", "", sum_, std::min<double>(added_, stop()))};
  }
  Rendering draw(const Options& options) const override;

 private:
  const Format& now() const { return formats[chosen_]; }
  double stop() const { return 2 << now().mantissa; }
  // The distance between neighboring numbers at x >= 1.
  double spacing(double x) const {
    double power = 1;
    while (power * 2 <= x) power *= 2;
    return power / static_cast<double>(1 << now().mantissa);
  }
  double rounded_down(double x) const {
    const double step = spacing(x);
    return static_cast<double>(static_cast<long long>(x / step)) * step;
  }
  double rounded(double x) {
    const double step = spacing(x), low = rounded_down(x), rest = (x - low) / step;
    const bool odd = static_cast<long long>(low / step) % 2 == 1;
    const bool up = chance_ ? random_.share() < rest : rest > 0.5 || (rest == 0.5 && odd);
    return std::min(up ? low + step : low, now().largest);
  }

  int chosen_ = 0, added_ = 1;
  bool chance_ = false;
  double sum_ = 0;
  Random random_{7};
  std::vector<double> trail_;  // sums after 1, 2, 4, … additions
};

Rendering RoundedSum::draw(const Options& options) const {
  const std::string name(format_choices[chosen_].label);
  std::string summary = plural(added_, "one", "ones") + " added in " + name + ", rounded " +
                        std::string(roundings[chance_].label) + ", make " + said(sum_) + ". ";
  summary += chance_ ? "Rounded so, the sum goes on past " + said(stop()) +
                           ", about right but never exact."
                     : "The sum stops at " + said(stop()) +
                           ": from there the next number of this format is two away.";
  Sheet sheet(options, 320, 320, std::string(title()), summary);
  const Palette& colors = sheet.colors();
  const double last = 1 << doublings;
  LogPlot plot(sheet, {1, last, "ones added", Meaning::plain}, {1, last, "sum", Meaning::plain}, 1);
  plot.verticals({{stop(), "stops at " + said(stop()), colors.bandwidth}});
  plot.curve({{1, 1}, {last, last}}, colors.reference, 1.5, "3 4");
  Table table{{"Ones", "Sum"}, {}};
  std::vector<Point> line;
  for (std::size_t i = 0; i < trail_.size(); ++i) {
    line.push_back({static_cast<double>(1 << i), trail_[i]});
    table.rows.push_back({said(1 << i), said(trail_[i])});
  }
  if (line.size() > 1) plot.curve(line, colors.compute, 2.5);
  for (const Point& point : line) plot.dot(point, &point == &line.back() ? 5.5 : 3, colors.ink);
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace rounded_sum_model

std::unique_ptr<Model> make_rounded_sum() {
  return std::make_unique<rounded_sum_model::RoundedSum>();
}

}  // namespace figures::models
