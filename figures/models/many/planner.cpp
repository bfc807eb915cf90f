// planner: all ways to parallelize a training run, and the fastest of those that fit
// (plan_search.hpp).
//
// In this model, more chunks cost nothing but memory, so the reader sets their limit. The default
// is 8, the most in any published run.
#include <algorithm>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/many/plan_search.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace planner_model {
namespace {

constexpr double most_layers = 1000;  // bounds the work; the page may send anything

constexpr Choice cards[] = {{"llama-3.1-405b", "Llama 3.1 405B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-8b", "Llama 3.1 8B"}};
constexpr Choice chips[] = {{"h100-sxm", "H100"}, {"a100-sxm-80", "A100"}, {"b200-sxm", "B200"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", cards),
    doubling("chips", "Chips", "", 8, 16384, 8192),
    range("memory", "Memory per chip", "GB", 16, 288, 85),
    more(choice("chip", "Chip", chips)),
    more(doubling("context", "Tokens per sequence", "", 1024, 131072, 8192)),
    more(doubling("batch", "Sequences per step", "", 8, 8192, 2048)),
    more(range("outside", "Link between nodes", "GB/s", 5, 400, 50)),
    more(range("chunks", "Chunks per stage, at most", "", 1, 16, 8)),
};
enum At : std::size_t { card, count, memory, chip, context, batch, outside, chunks };

class Planner : public Model {
 public:
  std::string_view name() const override { return "planner"; }
  std::string_view title() const override { return "Every plan for a training run"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> facts() const override {
    std::vector<std::string> ids;
    for (const Choice& one : cards)
      for (const char* what : {"parameters", "parameters-read", "layers", "width", "mlp-width",
                               "heads", "kv-heads", "head-width"})
        ids.push_back(std::string(one.id) + "." + what);
    for (const Choice& one : chips)
      for (const char* what : {"peak.bf16", "achieved.bf16", "link"})
        ids.push_back(std::string(one.id) + "." + what);
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    card_ = whole(values, At::card);
    const std::string id(cards[card_].id);
    const auto fact = [&](const char* what) { return numbers.fact(id + "." + what); };
    const std::string chip_id(chips[whole(values, At::chip)].id);
    peak_ = numbers.fact(chip_id + ".peak.bf16");
    run_.parameters = fact("parameters");
    run_.read = fact("parameters-read");
    run_.layers = std::min(fact("layers"), most_layers);
    run_.width = fact("width");
    run_.heads = fact("heads");
    run_.head_width = fact("head-width");
    run_.kept = 12 + 4 * fact("kv-heads") / run_.heads + 6 * fact("mlp-width") / run_.width;
    run_.achieved = numbers.fact(chip_id + ".achieved.bf16");
    run_.inside = numbers.fact(chip_id + ".link");
    run_.outside = values[At::outside] * 1e9;
    run_.capacity = values[At::memory] * 1e9;
    run_.chips = whole(values, At::count);
    run_.context = values[At::context];
    run_.batch = whole(values, At::batch);
    run_.most_chunks = whole(values, At::chunks);
    plans_ = plans_that_fit(run_);
    return {};
  }
  int length() const override { return 0; }
  void step() override {}

  std::string broken() const override {
    for (const Plan& plan : plans_) {
      if (plan.tensor * plan.stages * plan.copies != run_.chips) return "a plan lost chips";
      if (plan.copies * plan.sequences * plan.microbatches != run_.batch)
        return "a plan lost sequences";
      const double sum = plan.compute + plan.tensor_time + plan.bubble + plan.exposed;
      if (std::max(sum - plan.seconds, plan.seconds - sum) > 1e-9 * plan.seconds)
        return "the shares of a plan do not add up";
      if (plan.held() > run_.capacity) return "a plan does not fit";
    }
    return {};
  }
  std::vector<Count> counts() const override {
    if (plans_.empty()) return {exact("plans that fit", "", 0, 0)};
    const Plan& best = plans_.front();
    return {between("seconds of a step", "s", best.seconds,
                    run_.flops() / (run_.chips * run_.achieved), plans_.back().seconds),
            between("model FLOP utilisation", "", utilisation(best), 0, run_.achieved / peak_),
            exact("idle share of the best", "", best.bubble / (best.compute + best.tensor_time),
                  (best.stages - 1.0) / (best.chunks * best.microbatches))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double utilisation(const Plan& plan) const {
    return run_.flops() / (run_.chips * peak_ * plan.seconds);
  }

  static std::string words(const Plan& plan) {
    std::string text = "t " + said(plan.tensor) + ", p " + said(plan.stages) + ", D " +
                       said(plan.copies) + ", b " + said(plan.sequences);
    if (plan.chunks > 1) text += ", v " + said(plan.chunks);
    if (plan.zero > 0) text += ", ZeRO " + said(plan.zero);
    return text + (plan.again ? ", recomputed" : "");
  }

  int card_ = 0;
  double peak_ = 1;
  Run run_;
  std::vector<Plan> plans_;  // that fit, fastest first
};

Rendering Planner::draw(const Options& options) const {
  constexpr std::size_t shown = 6;
  const Palette& colors = colors_of(options);
  std::vector<BarRow> bars;
  Table table{{"Plan", "Seconds per step", "Tensor links", "Bubble", "Gradients", "Memory"}, {}};
  // If plans differ only in v or ZeRO, show the first one.
  for (const Plan& plan : plans_) {
    if (bars.size() == shown) break;
    const std::string label = words(plan);
    if (!bars.empty() && table.rows.back()[0] == label) continue;
    bars.push_back(
        {label,
         said(plan.seconds, 4) + " s, " + quantity_text(utilisation(plan), Meaning::percent, 3),
         plan.seconds / plans_[std::min(plans_.size(), 2 * shown) - 1].seconds,
         bars.empty() ? colors.compute : colors.reference});
    const auto share = [&](double part) {
      return quantity_text(part / plan.seconds, Meaning::percent, 2);
    };
    table.rows.push_back({label, said(plan.seconds, 4), share(plan.tensor_time), share(plan.bubble),
                          share(plan.exposed), said(plan.held() / 1e9, 3) + " GB"});
  }
  std::string summary =
      std::string(cards[card_].label) + " on " + plural(run_.chips, "chip", "chips") + ": ";
  if (plans_.empty()) {
    summary += "no plan fits.";
  } else {
    const Plan& best = plans_.front();
    summary += plural(double(plans_.size()), "plan fits", "plans fit") + "; the fastest has " +
               words(best) + ", takes " + said(best.seconds, 4) + " s per step at " +
               quantity_text(utilisation(best), Meaning::percent, 3) + " of the peak and needs " +
               said(best.held() / 1e9, 3) +
               " GB per chip. A bound: published runs reach about three quarters of it.";
  }
  return draw_bar_rows(options, shown, std::string(title()), summary,
                       "seconds per step, share of the peak", bars, std::move(table));
}

}  // namespace
}  // namespace planner_model

std::unique_ptr<Model> make_planner() { return std::make_unique<planner_model::Planner>(); }

}  // namespace figures::models
