// chooser: which GPU suits a language model for decode, prefill or training? Bounds from the facts,
// with the rates of data sheets or with measured rates.
//
// Every token reads all weights, including the input embedding, of which it needs only a row.
// Several chips count as one chip with the sum of their memories and rates; their communication
// costs nothing here. Weights of 8 and 4 bits are multiplied in bf16. Training needs 16 bytes per
// parameter (mixed precision, Adam) and 6 FLOPs per parameter and token; its activations take no
// memory here.
#include <algorithm>
#include <array>

#include "figures/costs/counts.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace chooser_model {
namespace {

constexpr double most_layers = 1000;  // bounds the work; the page may send anything
constexpr double usable = 0.92;       // of the memory; the rest belongs to the system
// Per parameter in training, with gradients in 16 bits
constexpr double state_bytes = costs::training_weight_bytes + 2 + costs::optimizer_bytes;

// Facts with measured rates, if there are any: the best matmul found by a search, and a triad at
// full occupancy on this card or on another one with the same memory.
struct Gpu {
  std::string_view id, label, product, triad, triad_of;
};
constexpr Gpu gpus[] = {
    {"a100-sxm-80", "A100", "a100-sxm-80.achieved.bf16", "gpu-stream.a100.triad-100",
     "a100-sxm-80.bandwidth"},
    {"h100-sxm", "H100", "h100-sxm.achieved.bf16", "gpu-stream.gh200.triad-100",
     "gh200-gpu.bandwidth"},
    {"h200-sxm", "H200", "", "gpu-stream.gh200.triad-100", "gh200-gpu.bandwidth"},
    {"b200-sxm", "B200", "b200-sxm.achieved.bf16", "", ""},
    {"l40s", "L40S", "", "gpu-stream.l40.triad-100", "l40s.bandwidth"},
    {"rtx4090", "RTX 4090", "", "", ""},
    {"mi300x", "MI300X", "mi300x.achieved.bf16", "gpu-stream.mi300x.triad-100", "mi300x.bandwidth"},
};
// Assumed for GPUs without a cited measurement.
constexpr double assumed_product = 0.75, assumed_triad = 0.85;

constexpr Choice cards[] = {{"llama-3.1-8b", "Llama 3.1 8B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-405b", "Llama 3.1 405B"}};
constexpr Choice phases[] = {
    {"decode", "decode"}, {"prefill", "prefill"}, {"training", "training"}};
constexpr Choice widths[] = {{"16", "16 bit"}, {"8", "8 bit"}, {"4", "4 bit"}};
constexpr Choice speeds[] = {{"sheet", "data sheets"}, {"measured", "measured by others"}};
constexpr Choice orders[] = {{"time", "per second"}, {"energy", "per joule"}};
constexpr Control controls_of_it[] = {
    choice("phase", "Phase", phases),
    doubling("batch", "Sequences at once", "", 1, 1024, 1),
    choice("card", "Model", cards),
    more(doubling("context", "Tokens per sequence", "", 128, 131072, 4096)),
    more(choice("weights", "Weights", widths)),
    more(doubling("chips", "Chips", "", 1, 64, 1)),
    more(choice("speeds", "Speeds", speeds)),
    more(choice("order", "Tokens", orders)),
};
enum At : std::size_t { phase, batch, card, context, weights, count, measured, order };
enum Phase { decode, prefill, training };

struct Work {
  int phase = decode;
  double batch = 1, context = 1, weight_bytes = 2, chips = 1;
  double parameters = 0, layers = 0, width = 0, kv = 0;

  double cache() const {
    return phase == training ? 0 : layers * costs::cached_elements(1, kv, kv) * 2 * batch * context;
  }
  double held() const {
    return parameters * (phase == training ? state_bytes : weight_bytes) + cache();
  }
  double tokens() const { return phase == decode ? batch : batch * context; }
  // The second term of prefill is attention over all pairs up to a token, which is half of all
  // pairs.
  double flops() const {
    if (phase == decode) return 2 * parameters * batch;
    if (phase == training) return 6 * parameters * tokens();
    return tokens() * (2 * parameters + 2 * layers * width * context);
  }
  double traffic() const { return phase == decode ? held() : 0; }
};

struct Offer {
  std::string label;
  double peak = 0, bandwidth = 0, memory = 0, power = 0;  // sums over all chips
  bool assumed = false;
  bool fits = false, bytes = false;  // bytes: the step is memory-bound
  double seconds = 0;

  void ask(const Work& work) {
    fits = work.held() <= usable * memory;
    const double arithmetic = work.flops() / peak, reading = work.traffic() / bandwidth;
    seconds = std::max(arithmetic, reading);
    bytes = reading > arithmetic;
  }
};

class Chooser : public Model {
 public:
  std::string_view name() const override { return "chooser"; }
  std::string_view title() const override { return "Which GPU for this model?"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> facts() const override {
    std::vector<std::string> ids;
    for (const Gpu& gpu : gpus) {
      for (const char* what : {".peak.bf16", ".bandwidth", ".memory", ".power"})
        ids.push_back(std::string(gpu.id) + what);
      for (const std::string_view id : {gpu.product, gpu.triad, gpu.triad_of})
        if (!id.empty()) ids.emplace_back(id);
    }
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
    work_ = {whole(values, At::phase),
             values[At::batch],
             values[At::context],
             bytes_of[whole(values, At::weights)],
             values[At::count],
             fact("parameters"),
             std::min(fact("layers"), most_layers),
             fact("width"),
             fact("kv-heads") * fact("head-width")};
    by_energy_ = whole(values, At::order) == 1;
    offers_.clear();
    for (const Gpu& gpu : gpus) {
      offers_.push_back(offer(gpu, whole(values, At::measured) == 1, numbers));
      offers_.back().ask(work_);
    }
    done_ = 0;
    return {};
  }
  std::vector<std::string_view> unused() const override {
    if (work_.phase == training) return {"weights"};
    return {};
  }
  // A step evaluates the next chip.
  int length() const override { return static_cast<int>(offers_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  void step() override { ++done_; }

  std::string broken() const override {
    for (const Offer& one : offers_)
      if (one.seconds * one.peak * (1 + 1e-9) < work_.flops()) return "faster than the peak";
    return {};
  }
  std::vector<Count> counts() const override {
    double cache = 0;  // layer by layer, keys and values of every sequence
    if (work_.phase != training)
      for (int layer = 0; layer < static_cast<int>(work_.layers); ++layer)
        for (int half = 0; half < 2; ++half) cache += work_.kv * 2 * work_.batch * work_.context;
    std::vector<Count> out = {exact("bytes of the cache", "B", cache, work_.cache())};
    for (const Offer& one : offers_) {
      const double arithmetic = work_.flops() / one.peak;
      const double bytes = work_.phase == decode
                               ? (work_.parameters * work_.weight_bytes + cache) / one.bandwidth
                               : 0;
      out.push_back(exact(one.label, "s", one.seconds, std::max(arithmetic, bytes)));
    }
    return out;
  }
  Rendering draw(const Options& options) const override;

 private:
  Offer offer(const Gpu& gpu, bool measured, const Numbers& numbers) const {
    const std::string id(gpu.id);
    const auto fact = [&](std::string_view name) { return numbers.fact(std::string(name)); };
    Offer out;
    out.label = gpu.label;
    out.peak = work_.chips * fact(id + ".peak.bf16");
    out.bandwidth = work_.chips * fact(id + ".bandwidth");
    out.memory = work_.chips * fact(id + ".memory");
    out.power = work_.chips * fact(id + ".power");
    if (!measured) return out;
    out.assumed = work_.phase == decode ? gpu.triad.empty() : gpu.product.empty();
    out.peak *= gpu.product.empty() ? assumed_product : fact(gpu.product) / fact(id + ".peak.bf16");
    out.bandwidth *= gpu.triad.empty() ? assumed_triad : fact(gpu.triad) / fact(gpu.triad_of);
    return out;
  }
  std::string label_of(const Offer& one) const {
    return (work_.chips > 1 ? said(work_.chips) + " × " : "") + one.label;
  }
  double rate(const Offer& one, const Work& work) const {
    return work.tokens() / one.seconds / (by_energy_ ? one.power : 1);
  }
  // The best offer that fits the work; null: none.
  const Offer* best(const std::vector<Offer>& offers, const Work& work) const {
    const Offer* out = nullptr;
    for (const Offer& one : offers)
      if (one.fits && (out == nullptr || rate(one, work) > rate(*out, work))) out = &one;
    return out;
  }
  std::string winner(const Work& work) const {
    std::vector<Offer> offers = offers_;
    for (Offer& one : offers) one.ask(work);
    const Offer* found = best(offers, work);
    return found == nullptr ? "" : found->label;
  }
  std::string turns(const std::string& now) const;
  std::string summary() const;

  int card_ = 0, done_ = 0;
  bool by_energy_ = false;
  Work work_;
  std::vector<Offer> offers_;
};

// Describes what would change the choice: another phase, or the nearest other batch.
std::string Chooser::turns(const std::string& now) const {
  constexpr const char* asked[] = {"for decode", "for prefill", "for training"};
  for (const int other : {decode, prefill, training}) {
    Work work = work_;
    work.phase = other;
    const std::string found = winner(work);
    if (other != work_.phase && !found.empty() && found != now)
      return " It would be the " + found + " " + asked[other] + ".";
  }
  for (double factor = 2; factor <= 1024; factor *= 2)
    for (const double batch : {work_.batch * factor, work_.batch / factor}) {
      Work work = work_;
      work.batch = batch;
      const std::string found = batch < 1 || batch > 1024 ? now : winner(work);
      if (!found.empty() && found != now)
        return " It would be the " + found + " with " + plural(batch, "sequence", "sequences") +
               ".";
    }
  return " No other phase or batch changes that.";
}

std::string Chooser::summary() const {
  std::string text =
      std::string(cards[card_].label) +
      (work_.phase == training ? ", trained, takes "
                               : " with " + plural(work_.batch, "sequence", "sequences") + " of " +
                                     said(work_.context) + " tokens takes ") +
      quantity_text(work_.held(), Meaning::bytes, 4);
  if (work_.cache() > 0)
    text += ", " + quantity_text(work_.cache() / work_.held(), Meaning::percent, 2) +
            " of it for the cache";
  text += ". ";
  if (done_ < length()) return text + "Not every GPU is checked yet.";
  const Offer* first = best(offers_, work_);
  if (first == nullptr) return text + "It fits none of these.";
  return text + "At most " + said(rate(*first, work_), 3) +
         (by_energy_ ? " tokens per joule at full power, on " : " tokens per second, on ") +
         first->label + (first->bytes ? ", memory-bound." : ", compute-bound.") +
         turns(first->label);
}

Rendering Chooser::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  std::vector<Offer> asked(offers_.begin(), offers_.begin() + done_);
  std::stable_sort(asked.begin(), asked.end(), [&](const Offer& a, const Offer& b) {
    return a.fits != b.fits ? a.fits : rate(a, work_) > rate(b, work_);
  });
  double most = 0;
  for (const Offer& one : offers_) most = std::max(most, one.fits ? rate(one, work_) : 0);
  std::vector<BarRow> bars;
  Table table{{"GPU", "Fits", by_energy_ ? "Tokens per joule" : "Tokens per second", "Limited by"},
              {}};
  for (const Offer& one : asked) {
    const std::string label = label_of(one);
    const std::string tokens = said(rate(one, work_), 3) + (one.bytes ? ", memory" : ", compute") +
                               (one.assumed ? ", assumed" : "");
    bars.push_back({label, one.fits ? tokens : "does not fit",
                    one.fits ? rate(one, work_) / most : 0,
                    one.bytes ? colors.bandwidth : colors.compute});
    table.rows.push_back({label, one.fits ? "yes" : "no", said(rate(one, work_), 3),
                          one.bytes ? "memory" : "compute"});
  }
  for (const Offer& one : std::span(offers_).subspan(asked.size()))
    bars.push_back(bar_to_come(label_of(one)));
  return draw_bar_rows(options, std::size(gpus), std::string(title()), summary(),
                       by_energy_ ? "tokens per joule at most, and their limit"
                                  : "tokens per second at most, and their limit",
                       bars, std::move(table));
}

}  // namespace
}  // namespace chooser_model

std::unique_ptr<Model> make_chooser() { return std::make_unique<chooser_model::Chooser>(); }

}  // namespace figures::models
