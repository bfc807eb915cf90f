// batch-explorer: one language model on a box of chips, and the effect of the batch on a step.
//
// A step reads the weights once, does 2 FLOPs per weight and token and, in decode, reads the cache
// of every sequence. Reading weights overlaps with compute, reading the cache does not: T =
// max(2N'τ/P, N'w/B) + bSκ/B, for τ tokens of b sequences of S tokens. Training does three times
// the compute and has no cache. The compute of attention is left out. A step of this model doubles
// the batch.
#include <algorithm>
#include <cmath>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/models/cards.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/log_plot.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace batch_explorer_model {
namespace {

constexpr Choice phases[] = {
    {"decode", "decode"}, {"prefill", "prefill"}, {"training", "training"}};
constexpr Choice formats[] = {
    {"own", "the machine's"}, {"bf16", "bf16"}, {"int8", "int8"}, {"int4", "int4"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", card_choices),
    choice("chip", "Chip", chip_choices, 1),
    doubling("chips", "Chips that share it", "", 1, 64, 8),
    choice("phase", "Phase", phases),
    doubling("context", "Tokens per sequence", "", 256, 131072, 2048),
    more(choice("weights", "Weights in", formats)),
};
enum At : std::size_t { card, chip, count, phase, context, weights };
constexpr int doublings = 10;  // from one sequence to 1,024

struct Spot {
  double batch = 1, rate = 0;  // tokens per second
};

class BatchExplorer : public Model {
 public:
  std::string_view name() const override { return "batch-explorer"; }
  std::string_view title() const override { return "Throughput by batch size"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = chip_facts();
    for (std::string& id : card_facts()) ids.push_back(std::move(id));
    for (const Choice& one : chip_choices)
      if (one.id != "machine") ids.push_back(std::string(one.id) + ".memory");
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    card_ = card_of(whole(values, At::card), numbers);
    const int chosen = whole(values, At::chip);
    chip_ = chip_of(chosen, numbers);
    chips_ = values[At::count];
    memory_ =
        chosen == 0 ? 0 : chips_ * numbers.fact(std::string(chip_choices[chosen].id) + ".memory");
    chip_.peak *= chips_;
    chip_.bandwidth *= chips_;
    phase_ = whole(values, At::phase);
    context_ = values[At::context];
    constexpr double bytes[] = {0, 2, 1, 0.5};
    const int format = whole(values, At::weights);
    weight_bytes_ = format == 0 ? chip_.bytes : bytes[format];
    cache_ = phase_ == 2 ? 0 : context_ * card_.cache_per_token(card_.kv_heads, chip_.bytes);
    trail_ = {spot(1)};
    return {};
  }
  int length() const override { return doublings; }
  int first() const override { return 7; }
  int on_paper() const override { return length(); }
  std::string step_words() const override {
    return " doublings: batch " + said(trail_.back().batch);
  }
  void step() override { trail_.push_back(spot(trail_.back().batch * 2)); }

  std::string broken() const override {
    if (!chip_.known()) return {};
    const double batch = trail_.back().batch, time = seconds(batch);
    if (time * (1 + 1e-9) < flops(batch) / chip_.peak) return "faster than its arithmetic";
    if (time * (1 + 1e-9) < weight_traffic() / chip_.bandwidth) return "faster than its weights";
    if (trail_.size() > 1 && trail_.back().rate < trail_[trail_.size() - 2].rate * (1 - 1e-9))
      return "a larger batch is slower";
    return {};
  }
  std::vector<Count> counts() const override {
    if (!chip_.known()) return {};
    const double batch = trail_.back().batch;
    double held = 0;  // bytes of keys and values, layer by layer
    if (phase_ != 2)
      for (int layer = 0; layer < static_cast<int>(card_.layers); ++layer)
        held += 2 * card_.kv_heads * card_.head_width * chip_.bytes * context_ * batch;
    std::vector<Count> all = {exact("bytes of the cache", "B", batch * cache_, held)};
    if (phase_ == 0) {
      all.push_back(exact("FLOP per byte of weights", "FLOP/B", flops(batch) / weight_traffic(),
                          2 * batch / weight_bytes_));
      all.push_back(between("tokens a second", "1/s", trail_.back().rate, 0, ceiling()));
    }
    return all;
  }
  Rendering draw(const Options& options) const override;

 private:
  double tokens(double batch) const { return phase_ == 0 ? batch : batch * context_; }
  double flops(double batch) const { return (phase_ == 2 ? 6 : 2) * card_.read * tokens(batch); }
  double weight_traffic() const { return card_.read * weight_bytes_; }
  double seconds(double batch) const {
    return std::max(flops(batch) / chip_.peak, weight_traffic() / chip_.bandwidth) +
           batch * cache_ / chip_.bandwidth;
  }
  Spot spot(double batch) const {
    return {batch, chip_.known() ? tokens(batch) / seconds(batch) : 0};
  }
  // The batch at the ridge point, the batch whose cache costs as much as the weights, the batch
  // that fits, and the limit of the rate.
  double full() const {
    return weight_bytes_ * chip_.ridge() / 2 / (tokens(1) * (phase_ == 2 ? 3 : 1));
  }
  double half() const { return weight_traffic() / cache_; }
  double most() const { return (memory_ - card_.parameters * weight_bytes_) / cache_; }
  double ceiling() const {
    const double by_bytes = cache_ > 0 ? chip_.bandwidth / cache_ * tokens(1) : 1e300;
    return std::min(by_bytes, chip_.peak / flops(1) * tokens(1));
  }
  std::string summary() const;
  Table table() const;

  Card card_;
  Chip chip_;
  int phase_ = 0;
  double chips_ = 1, memory_ = 0, context_ = 1, weight_bytes_ = 2, cache_ = 0;
  std::vector<Spot> trail_;
};

std::string BatchExplorer::summary() const {
  if (!chip_.known()) return "No machine has been measured here yet: choose a chip.";
  const Spot& now = trail_.back();
  const double time = seconds(now.batch), work = flops(now.batch) / chip_.peak;
  const double carried = weight_traffic() / chip_.bandwidth;
  std::string text = plural(now.batch, "sequence", "sequences") + ", " +
                     std::string(phases[phase_].label) + ": a step takes " +
                     quantity_text(time, Meaning::seconds, 3) + " (weights " +
                     quantity_text(carried, Meaning::seconds, 3) + ", arithmetic " +
                     quantity_text(work, Meaning::seconds, 3);
  if (cache_ > 0)
    text += ", cache " + quantity_text(now.batch * cache_ / chip_.bandwidth, Meaning::seconds, 3);
  text += "), " + said(now.rate, 3) + " tokens per second.";
  if (phase_ == 0)
    text += " No batch size exceeds " + said(ceiling(), 3) +
            "; half of the cache's limit is reached at " + said(half(), 3) + " sequences.";
  const double held = card_.parameters * weight_bytes_ + now.batch * cache_;
  if (memory_ > 0 && held > memory_)
    text += " It does not fit: " + quantity_text(held, Meaning::bytes, 3) + ".";
  return text;
}

Table BatchExplorer::table() const {
  Table table{{"Batch", "Weights", "Arithmetic", "Cache", "Tokens per second"}, {}};
  for (const Spot& spot : trail_) {
    if (!chip_.known()) break;
    table.rows.push_back({said(spot.batch),
                          quantity_text(weight_traffic() / chip_.bandwidth, Meaning::seconds, 3),
                          quantity_text(flops(spot.batch) / chip_.peak, Meaning::seconds, 3),
                          quantity_text(spot.batch * cache_ / chip_.bandwidth, Meaning::seconds, 3),
                          said(spot.rate, 4)});
  }
  return table;
}

Rendering BatchExplorer::draw(const Options& options) const {
  Sheet sheet(options, 360, 370, std::string(title()), summary());
  const double last = 1 << doublings;
  const double top = chip_.known() ? spot(last).rate : 1e3;
  const double low = chip_.known() ? spot(1).rate : 1;
  const double highest = std::max(top * 2, low * 8);
  LogPlot plot(sheet, {1, last, "sequences in the batch", Meaning::plain},
               {low / 2, highest, "tokens per second", Meaning::plain}, 3);
  if (!chip_.known()) return sheet.finish(table());
  const Palette& colors = sheet.colors();
  std::vector<Vertical> verticals;
  if (full() > 1)
    verticals.push_back({full(), "weights at the ridge: " + said(full(), 3), colors.compute});
  if (phase_ == 0 && half() > 1)
    verticals.push_back({half(), "cache = weights: " + said(half(), 3), colors.bandwidth});
  if (cache_ > 0 && memory_ > 0 && most() > 1)
    verticals.push_back({most(), "memory full: " + said(std::floor(most()), 3), colors.reference});
  plot.verticals(verticals);
  // The dashed line is the rate if additional sequences cost nothing; the solid line is the real
  // rate.
  const double leaves = std::min(last, highest / low);
  plot.curve({{1, low}, {leaves, low * leaves}}, colors.reference, 1.5, "3 4");
  std::vector<Point> line;
  for (int i = 0; i <= doublings * 4; ++i) {
    const double batch = exp2_of(i / 4.0);
    line.push_back({batch, spot(batch).rate});
  }
  plot.curve(line, colors.bandwidth, 2.5);
  for (const Spot& one : trail_)
    plot.dot({one.batch, one.rate}, &one == &trail_.back() ? 5.5 : 3, colors.ink);
  return sheet.finish(table());
}

}  // namespace
}  // namespace batch_explorer_model

std::unique_ptr<Model> make_batch_explorer() {
  return std::make_unique<batch_explorer_model::BatchExplorer>();
}

}  // namespace figures::models
