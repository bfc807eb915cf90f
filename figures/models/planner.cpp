// planner: every way to cut a training run over chips, and the one that is fastest among those that
// fit.
//
// Tensor parallelism t within a box, a pipeline of p stages (v chunks each), D copies of both,
// microbatches of b sequences, ZeRO stage z, activations kept or computed again. What a plan sends is
// charged at four fifths of the links and 5 µs a message; gradients hide behind the last backward,
// sharded weights behind the whole computation. More chunks cost nothing here but memory, so their
// number is a setting: 8, the most of a published run, unless the reader says otherwise.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/models/models.hpp"
#include "figures/models/sheet.hpp"
#include "figures/scale.hpp"

namespace figures::models {
namespace {

constexpr double link_share = 0.8, message = 5e-6;
constexpr double most_layers = 1000;  // bounds the work, whatever the page sends
constexpr int box = 8;  // chips that share the fast links

constexpr Choice cards[] = {{"llama-3.1-405b", "Llama 3.1 405B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-8b", "Llama 3.1 8B"}};
constexpr Choice chips[] = {{"h100-sxm", "H100"}, {"a100-sxm-80", "A100"}, {"b200-sxm", "B200"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", cards),
    doubling("chips", "Chips", "", 8, 16384, 8192),
    range("memory", "Memory of a chip", "GB", 16, 288, 85),
    more(choice("chip", "Chip", chips)),
    more(doubling("context", "Tokens of a sequence", "", 1024, 131072, 8192)),
    more(doubling("batch", "Sequences of a step", "", 8, 8192, 2048)),
    more(range("outside", "Link between boxes", "GB/s", 5, 400, 50)),
    more(range("chunks", "Chunks of a stage, at most", "", 1, 16, 8)),
};
enum At : std::size_t { card, count, memory, chip, context, batch, outside, chunks };

struct Plan {
  int tensor = 1, stages = 1, copies = 1, sequences = 1, chunks = 1, zero = 0;
  bool again = false;  // activations computed a second time
  double microbatches = 1;
  double compute = 0, tensor_time = 0, bubble = 0, exposed = 0, seconds = 0;
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;  // bytes
  double held() const { return weights + gradients + optimiser + activations; }
};

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
    all_ = fact("parameters");
    read_ = fact("parameters-read");
    layers_ = std::min(fact("layers"), most_layers);
    width_ = fact("width");
    heads_ = fact("heads");
    head_width_ = fact("head-width");
    kept_ = 12 + 4 * fact("kv-heads") / heads_ + 6 * fact("mlp-width") / width_;
    const std::string chip_id(chips[whole(values, At::chip)].id);
    peak_ = numbers.fact(chip_id + ".peak.bf16");
    achieved_ = numbers.fact(chip_id + ".achieved.bf16");
    inside_ = link_share * numbers.fact(chip_id + ".link");
    outside_ = link_share * values[At::outside] * 1e9;
    capacity_ = values[At::memory] * 1e9;
    chips_ = whole(values, At::count);
    context_ = values[At::context];
    batch_ = whole(values, At::batch);
    most_chunks_ = whole(values, At::chunks);
    plans_.clear();
    enumerate();
    std::stable_sort(plans_.begin(), plans_.end(), [](const Plan& a, const Plan& b) {
      return a.seconds != b.seconds ? a.seconds < b.seconds : a.held() < b.held();
    });
    return {};
  }
  int length() const override { return 0; }
  void step() override {}

  std::string broken() const override {
    for (const Plan& plan : plans_) {
      if (plan.tensor * plan.stages * plan.copies != chips_) return "a plan lost chips";
      if (plan.copies * plan.sequences * plan.microbatches != batch_) return "a plan lost sequences";
      const double sum = plan.compute + plan.tensor_time + plan.bubble + plan.exposed;
      if (std::max(sum - plan.seconds, plan.seconds - sum) > 1e-9 * plan.seconds)
        return "the shares of a plan do not add up";
      if (plan.held() > capacity_) return "a plan does not fit";
    }
    return {};
  }
  std::vector<Count> counts() const override {
    if (plans_.empty()) return {exact("plans that fit", "", 0, 0)};
    const Plan& best = plans_.front();
    return {between("seconds of a step", "s", best.seconds, step_flops() / (chips_ * achieved_),
                    plans_.back().seconds),
            between("model FLOP utilisation", "", utilisation(best), 0, achieved_ / peak_),
            exact("idle share of the best", "", best.bubble / (best.compute + best.tensor_time),
                  (best.stages - 1.0) / (best.chunks * best.microbatches))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double token_flops() const { return 6 * read_ + 6 * layers_ * context_ * heads_ * head_width_; }
  double step_flops() const { return token_flops() * batch_ * context_; }
  double utilisation(const Plan& plan) const {
    return step_flops() / (chips_ * peak_ * plan.seconds);
  }

  void enumerate() {
    for (int tensor = 1; tensor <= box; tensor *= 2)
      for (int stages = 1; stages <= 128 && tensor * stages <= chips_; ++stages) {
        // Embedding and output may count as a layer each.
        const int layers = static_cast<int>(layers_);
        const int depth = layers % stages == 0 ? layers : layers + 2;
        if (depth % stages != 0 || chips_ % (tensor * stages) != 0) continue;
        const int copies = chips_ / (tensor * stages);
        for (int sequences = 1; sequences <= 4; sequences *= 2)
          if (batch_ % (copies * sequences) == 0)
            for (int chunks = 1; chunks <= std::min(depth / stages, most_chunks_); ++chunks)
              consider_all({tensor, stages, copies, sequences, chunks}, depth / stages);
      }
  }
  void consider_all(Plan plan, int depth) {
    plan.microbatches = batch_ / (plan.copies * plan.sequences);
    if (plan.chunks > 1 && (plan.stages == 1 || depth % plan.chunks != 0 ||
                            batch_ / (plan.copies * plan.sequences) % plan.stages != 0))
      return;
    for (plan.zero = 0; plan.zero <= (plan.stages == 1 ? 3 : 2); ++plan.zero)
      for (const bool again : {false, true}) {
        plan.again = again;
        consider(plan);
      }
  }
  void consider(Plan plan) {
    const double t = plan.tensor, p = plan.stages, d = plan.copies, m = plan.microbatches;
    const double held = all_ / (t * p), deep = layers_ / p;
    plan.weights = 2 * held;
    if (plan.zero == 3) plan.weights = 2 * held / d + 2 * 2 * all_ / layers_ / t;
    plan.gradients = 4 * held / (plan.zero >= 2 ? d : 1);
    plan.optimiser = 12 * held / (plan.zero >= 1 ? d : 1);
    const double flight =
        std::min(m, p) * (plan.chunks > 1 ? 1 + (p - 1) / (p * plan.chunks) : 1);
    const double layer = context_ * plan.sequences * width_ / t;
    plan.activations = (plan.again ? 2 * flight * deep + kept_ : kept_ * flight * deep) * layer;
    if (plan.held() > capacity_) return;
    plan.compute = step_flops() * (plan.again ? 4.0 / 3 : 1) / (chips_ * achieved_);
    const double vector = 2 * plan.sequences * context_ * width_;
    plan.tensor_time = 4 * deep * m * (2 * (t - 1) / t * vector / inside_ + 2 * (t - 1) * message) *
                       (plan.again ? 1.5 : 1);
    const double link = chips_ <= box ? inside_ : outside_;
    const double sent = plan.zero == 3 ? 3 * m * (d - 1) / d * 2 * all_ / t / link
                                       : 2 * (d - 1) / d * 2 * held / link;
    const double hidden = plan.zero == 3 ? plan.compute : 2.0 / 3 * plan.compute / m;
    plan.exposed = std::max(0.0, sent - hidden);
    plan.bubble = (plan.compute + plan.tensor_time) * (p - 1) / (plan.chunks * m);
    plan.seconds = plan.compute + plan.tensor_time + plan.bubble + plan.exposed;
    plans_.push_back(plan);
  }
  static std::string words(const Plan& plan) {
    std::string text = "t " + said(plan.tensor) + ", p " + said(plan.stages) + ", D " +
                       said(plan.copies) + ", b " + said(plan.sequences);
    if (plan.chunks > 1) text += ", v " + said(plan.chunks);
    if (plan.zero > 0) text += ", ZeRO " + said(plan.zero);
    return text + (plan.again ? ", recomputed" : "");
  }

  int card_ = 0, chips_ = 1, batch_ = 1, most_chunks_ = 1;
  double all_ = 0, read_ = 0, layers_ = 1, width_ = 1, heads_ = 1, head_width_ = 1, kept_ = 0;
  double peak_ = 1, achieved_ = 1, inside_ = 1, outside_ = 1, capacity_ = 0, context_ = 1;
  std::vector<Plan> plans_;  // that fit, fastest first
};

Rendering Planner::draw(const Options& options) const {
  constexpr std::size_t shown = 6;
  const Palette& colors = colors_of(options);
  std::vector<BarRow> bars;
  Table table{{"Plan", "Seconds a step", "Tensor links", "Bubble", "Gradients", "Memory"}, {}};
  // Of plans that differ in v or ZeRO alone the first is enough.
  for (const Plan& plan : plans_) {
    if (bars.size() == shown) break;
    const std::string label = words(plan);
    if (!bars.empty() && table.rows.back()[0] == label) continue;
    bars.push_back({label, said(plan.seconds, 4) + " s, " +
                               quantity_text(utilisation(plan), Meaning::percent, 3),
                    plan.seconds / plans_[std::min(plans_.size(), 2 * shown) - 1].seconds,
                    bars.empty() ? colors.compute : colors.reference});
    const auto share = [&](double part) {
      return quantity_text(part / plan.seconds, Meaning::percent, 2);
    };
    table.rows.push_back({label, said(plan.seconds, 4), share(plan.tensor_time), share(plan.bubble),
                          share(plan.exposed), said(plan.held() / 1e9, 3) + " GB"});
  }
  std::string summary = std::string(cards[card_].label) + " on " + plural(chips_, "chip", "chips") + ": ";
  if (plans_.empty()) {
    summary += "no plan fits.";
  } else {
    const Plan& best = plans_.front();
    summary += plural(double(plans_.size()), "plan fits", "plans fit") + "; the fastest has " +
               words(best) + ", takes " + said(best.seconds, 4) + " s a step at " +
               quantity_text(utilisation(best), Meaning::percent, 3) + " of the peak and holds " +
               said(best.held() / 1e9, 3) + " GB on a chip. A bound: published runs reach about seven tenths of it.";
  }
  return draw_bar_rows(options, shown, std::string(title()), summary,
                       "seconds of a step, share of the peak", bars, std::move(table));
}

}  // namespace

std::unique_ptr<Model> make_planner() { return std::make_unique<Planner>(); }

}  // namespace figures::models
