// core-scaling: one program on an increasing number of cores. Compute ceilings add up, memory
// bandwidth does not.
//
// p cores do p·P1 FLOP/s and read min(p·B1, B_all) bytes per second. A share s of the program
// always runs on one core. The rest takes the longer of its compute and its memory time, so its
// ridge point moves right once the memory is saturated. (Amdahl 1967 for s; Williams 2009 for the
// rest.)
#include <algorithm>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/log_plot.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace core_scaling_model {
namespace {

constexpr double reference_ridge = 4;  // FLOP/B, used if no machine was measured

constexpr Control controls_of_it[] = {
    doubling("cores", "Cores", "", 2, 128, 16),
    range("knee", "Cores that saturate memory", "", 1, 32, 4),
    range("serial", "Serial share", "%", 0, 50, 0),
    doubling("reuse", "Work per 16 bytes", "FLOP", 1, 1024, 4),
};
enum At : std::size_t { cores, knee, serial, reuse };

class CoreScaling : public Model {
 public:
  std::string_view name() const override { return "core-scaling"; }
  std::string_view title() const override { return "Speedup from more cores"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    cores_ = whole(values, At::cores);
    knee_ = values[At::knee];
    serial_ = values[At::serial] / 100;
    intensity_ = values[At::reuse] / 16;
    const Machine& machine = numbers.machine;
    label_ = machine.label;
    ridge_ = machine.peak > 0 && machine.bandwidth > 0 ? machine.peak / machine.bandwidth
                                                       : reference_ridge;
    trail_ = {speedup(1)};
    return {};
  }
  int length() const override { return cores_ - 1; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return " more cores"; }
  void step() override { trail_.push_back(speedup(static_cast<double>(trail_.size()) + 1)); }

  std::string broken() const override {
    const double p = static_cast<double>(trail_.size());
    if (trail_.back() > p * (1 + 1e-9)) return "faster than its cores";
    if (trail_.size() > 1 && trail_.back() < trail_[trail_.size() - 2] * (1 - 1e-9))
      return "another core slows it down";
    return {};
  }
  std::vector<Count> counts() const override {
    // Compute scales with the cores, and memory traffic stops scaling at the knee. Between the two
    // ridge points, a program is compute-bound on one core and memory-bound on all cores.
    const double p = static_cast<double>(trail_.size());
    const double parallel = intensity_ >= ridge(p)   ? p
                            : intensity_ <= ridge(1) ? std::min(p, knee_)
                                                     : knee_ * intensity_ / ridge_;
    return {exact("speed-up", "", trail_.back(), 1 / (serial_ + (1 - serial_) / parallel))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double ridge(double p) const { return ridge_ * std::max(1.0, p / knee_); }
  // Time per byte, in units of one core's time per byte.
  double time(double p) const { return std::max(intensity_ / ridge_ / p, 1 / std::min(p, knee_)); }
  double speedup(double p) const { return time(1) / (serial_ * time(1) + (1 - serial_) * time(p)); }
  std::string summary() const;

  int cores_ = 2;
  double knee_ = 1, serial_ = 0, intensity_ = 1, ridge_ = 1;
  std::string label_;
  std::vector<double> trail_;  // speedup on 1, 2, … cores
};

std::string CoreScaling::summary() const {
  const double p = static_cast<double>(trail_.size());
  std::string text = plural(p, "core runs", "cores run") + " it " + said(trail_.back(), 3) +
                     " times as fast as one. The ridge of one core is " +
                     quantity_text(ridge_, Meaning::intensity, 3) +
                     (label_.empty() ? std::string(", assumed") : ", of " + the_machine(label_)) +
                     ", that of all cores " + quantity_text(ridge(p), Meaning::intensity, 3) +
                     "; this program does " + quantity_text(intensity_, Meaning::intensity, 3) +
                     ". ";
  if (intensity_ < ridge(p) && p > knee_)
    return text + "Cores beyond " + said(std::max(knee_, knee_ * intensity_ / ridge_), 3) +
           " do not help: memory is the limit.";
  return text + (serial_ > 0 ? "The serial share limits the speedup to " + said(1 / serial_, 3) +
                                   ", with any number of cores."
                             : std::string("Every core helps."));
}

Rendering CoreScaling::draw(const Options& options) const {
  Sheet sheet(options, 330, 330, std::string(title()), summary());
  const double most = cores_;
  LogPlot plot(sheet, {1, most, "cores", Meaning::plain},
               {1, most, "speedup over one core", Meaning::plain}, 1);
  const Palette& colors = sheet.colors();
  if (knee_ > 1 && knee_ <= most)
    plot.verticals({{knee_, "saturated: " + said(knee_), colors.bandwidth}});
  plot.curve({{1, 1}, {most, most}}, colors.reference, 1.5, "3 4");
  Table table{{"Cores", "Speedup", "Ridge, FLOP/B"}, {}};
  std::vector<Point> line;
  for (std::size_t i = 0; i < trail_.size(); ++i) {
    const double p = static_cast<double>(i + 1);
    line.push_back({p, trail_[i]});
    if ((i & (i + 1)) == 0 || i + 1 == trail_.size())
      table.rows.push_back({said(p), said(trail_[i], 3), said(ridge(p), 3)});
  }
  if (line.size() > 1) plot.curve(line, colors.compute, 2.5);
  plot.dot(line.back(), 5.5, colors.ink);
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace core_scaling_model

std::unique_ptr<Model> make_core_scaling() {
  return std::make_unique<core_scaling_model::CoreScaling>();
}

}  // namespace figures::models
