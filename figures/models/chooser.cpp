// chooser: does a model fit, and how fast may it write or read on each chip? Bounds from the facts.
//
// All weights count as read for every token, also the input embedding, of which only a row is.
// Several chips count as one with their memories and speeds added: what they say to each other is not
// charged here.
#include <algorithm>

#include "figures/models/chips.hpp"
#include "figures/models/models.hpp"
#include "figures/models/sheet.hpp"
#include "figures/scale.hpp"

namespace figures::models {
namespace {

constexpr double most_layers = 1000;  // bounds the work, whatever the page sends
constexpr double usable = 0.92;  // of the memory, beside what the system keeps

constexpr Choice cards[] = {{"llama-3.1-8b", "Llama 3.1 8B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-405b", "Llama 3.1 405B"}};
constexpr Choice phases[] = {{"decode", "writing"}, {"prefill", "reading the prompt"}};
constexpr Choice widths[] = {{"16", "16 bit"}, {"8", "8 bit"}, {"4", "4 bit"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", cards),
    doubling("batch", "Sequences at once", "", 1, 1024, 1),
    doubling("context", "Tokens behind each", "", 128, 131072, 4096),
    more(choice("phase", "Phase", phases)),
    more(choice("weights", "Weights", widths)),
    more(doubling("chips", "Chips", "", 1, 64, 1)),
};
enum At : std::size_t { card, batch, context, phase, weights, count };

struct Offer {
  Chip chip;
  double memory = 0;    // bytes, of all
  bool fits = false;
  double seconds = 0;   // of a step, or of reading the prompts
  bool bytes = false;   // waits for them
};

class Chooser : public Model {
 public:
  std::string_view name() const override { return "chooser"; }
  std::string_view title() const override { return "Which chip for this model?"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = chip_facts();
    for (const Choice& chip : chip_choices)
      if (chip.id != "machine") ids.push_back(std::string(chip.id) + ".memory");
    for (const Choice& one : cards)
      for (const char* what : {"parameters", "layers", "width", "kv-heads", "head-width"})
        ids.push_back(std::string(one.id) + "." + what);
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    const std::string id(cards[whole(values, At::card)].id);
    const auto fact = [&](const char* what) { return numbers.fact(id + "." + what); };
    constexpr double bytes_of[] = {2, 1, 0.5};
    card_ = whole(values, At::card);
    batch_ = values[At::batch];
    context_ = values[At::context];
    prefill_ = whole(values, At::phase) == 1;
    count_ = values[At::count];
    weight_bytes_ = bytes_of[whole(values, At::weights)];
    parameters_ = fact("parameters");
    layers_ = std::min(fact("layers"), most_layers);
    width_ = fact("width");
    kv_ = fact("kv-heads") * fact("head-width");
    offers_.clear();
    for (int chip = 1; chip < static_cast<int>(std::size(chip_choices)); ++chip)
      offers_.push_back(offer(chip, numbers));
    done_ = 0;
    return {};
  }
  // A step asks the next chip.
  int length() const override { return static_cast<int>(offers_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  void step() override { ++done_; }

  std::string broken() const override {
    for (const Offer& one : offers_)
      if (one.seconds * one.chip.peak * (1 + 1e-9) < flops()) return "faster than the peak";
    return {};
  }
  std::vector<Count> counts() const override {
    double cache = 0;  // one layer after another, keys and values of every sequence
    for (int layer = 0; layer < static_cast<int>(layers_); ++layer)
      for (int half = 0; half < 2; ++half) cache += kv_ * 2 * batch_ * context_;
    std::vector<Count> out = {exact("bytes of the cache", "B", cache, cache_bytes())};
    for (const Offer& one : offers_) {
      const double work = flops() / one.chip.peak;
      const double bytes = prefill_ ? 0 : (parameters_ * weight_bytes_ + cache) / one.chip.bandwidth;
      out.push_back(between(one.chip.label, "s", one.seconds, std::max(work, bytes),
                            std::max(work, bytes)));
    }
    return out;
  }
  Rendering draw(const Options& options) const override;

 private:
  double cache_bytes() const { return 2 * layers_ * kv_ * 2 * batch_ * context_; }
  // Attention over all pairs before a token (half of all): the second term.
  double flops() const {
    if (!prefill_) return 2 * parameters_ * batch_;
    return batch_ * context_ * (2 * parameters_ + 2 * layers_ * width_ * context_);
  }
  Offer offer(int choice, const Numbers& numbers) const {
    Offer out;
    out.chip = chip_of(choice, numbers);
    out.chip.peak *= count_;
    out.chip.bandwidth *= count_;
    out.memory = count_ * numbers.fact(std::string(chip_choices[choice].id) + ".memory");
    const double held = parameters_ * weight_bytes_ + cache_bytes();
    out.fits = held <= usable * out.memory;
    const double work = flops() / out.chip.peak;
    const double bytes =
        prefill_ ? 0 : (parameters_ * weight_bytes_ + cache_bytes()) / out.chip.bandwidth;
    out.seconds = std::max(work, bytes);
    out.bytes = bytes > work;
    return out;
  }
  double rate(const Offer& one) const { return (prefill_ ? batch_ * context_ : batch_) / one.seconds; }

  int card_ = 0, done_ = 0;
  double batch_ = 1, context_ = 1, count_ = 1, weight_bytes_ = 2;
  double parameters_ = 0, layers_ = 0, width_ = 0, kv_ = 0;
  bool prefill_ = false;
  std::vector<Offer> offers_;
};

Rendering Chooser::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  std::vector<Offer> asked(offers_.begin(), offers_.begin() + done_);
  std::stable_sort(asked.begin(), asked.end(), [](const Offer& a, const Offer& b) {
    return a.fits != b.fits ? a.fits : a.seconds < b.seconds;
  });
  double most = 0;
  for (const Offer& one : offers_) most = std::max(most, rate(one));
  std::vector<BarRow> bars;
  Table table{{"Chip", "Fits", "Tokens per second", "Waits for"}, {}};
  for (const Offer& one : asked) {
    const std::string label = (count_ > 1 ? said(count_) + " × " : "") + one.chip.label;
    const std::string tokens = said(rate(one), 3) + " tokens/s";
    bars.push_back({label, one.fits ? tokens : "does not fit", one.fits ? rate(one) / most : 0,
                    one.bytes ? colors.bandwidth : colors.compute});
    table.rows.push_back({label, one.fits ? "yes" : "no", said(rate(one), 3),
                          one.bytes ? "bytes" : "arithmetic"});
  }
  const double held = parameters_ * weight_bytes_ + cache_bytes();
  std::string summary = std::string(cards[card_].label) + " with " +
                        plural(batch_, "sequence", "sequences") + " of " + said(context_) +
                        " tokens holds " + quantity_text(held, Meaning::bytes, 4) + ", " +
                        quantity_text(cache_bytes() / held, Meaning::percent, 2) + " of it cache. ";
  if (asked.empty()) summary += "No chip asked yet.";
  else if (!asked[0].fits) summary += "It fits none of these.";
  else summary += "At most " + said(rate(asked[0]), 3) + " tokens a second, on " + asked[0].chip.label + ", waiting for " + (asked[0].bytes ? "bytes." : "arithmetic.");
  return draw_bar_rows(options, std::size(chip_choices) - 1, std::string(title()), summary,
                       "tokens per second, at most", bars, std::move(table));
}

}  // namespace

std::unique_ptr<Model> make_chooser() { return std::make_unique<Chooser>(); }

}  // namespace figures::models
