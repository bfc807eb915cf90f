// comm-roofline: six ways to divide a model, and the arithmetic that rides on each byte they send.
//
// Work and bytes are added up layer by layer and message by message, of one chip, in bf16: collectives as
// rings, the forward pass where both passes send alike, the backward pass for sums of gradients. What
// does more operations for each byte than the ridge P/L of its wire hides behind them. Pieces of a matrix
// and experts stay on the fast links of a box as long as they are eight; everything else goes through the
// port. Experts are a gated perceptron of a width of their own, all asked equally often; a token's row may
// leave in FP8 and always returns in bf16, as DeepSeek-V3's do.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/cards.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace comm_roofline_model {
namespace {

constexpr double bytes = 2;  // of an activation, a weight, a gradient
constexpr int box = 8;       // chips that share the fast links
constexpr int asked = 8;     // experts for each token; bytes and work are both in proportion to it

constexpr Choice chips[] = {{"h100-sxm", "H100"}, {"a100-sxm-80", "A100"}, {"b200-sxm", "B200"}};
constexpr Choice row_formats[] = {{"fp8", "FP8, back in bf16"}, {"bf16", "bf16, both ways"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", card_choices),
    choice("chip", "Chip", chips),
    doubling("pieces", "Pieces of a matrix", "", 2, 64, 8),
    doubling("tokens", "Tokens of a copy in a step", "", 1024, 4194304, 131072),
    more(doubling("copies", "Copies", "", 2, 1024, 128)),
    doubling("microbatch", "Tokens of a microbatch", "", 512, 131072, 8192),
    more(doubling("stages", "Stages of a pipeline", "", 2, 16, 16)),
    more(doubling("context", "Tokens of a sequence", "", 8192, 1048576, 131072)),
    more(doubling("parts", "Parts of a sequence", "", 2, 64, 16)),
    more(doubling("homes", "Chips that share the experts", "", 2, 256, 64)),
    more(doubling("expert", "Width of an expert", "", 256, 16384, 2048)),
    more(choice("rows", "Rows to experts in", row_formats)),
    more(range("port", "Port between boxes", "GB/s", 5, 400, 50)),
};
enum At : std::size_t {
  card,
  chip,
  pieces,
  tokens,
  copies,
  microbatch,
  stages,
  context,
  parts,
  homes,
  expert,
  rows,
  port
};

struct Cut {
  std::string label;
  double flops = 0, sent = 0;  // of one chip
  double closed = 0;           // FLOP for each byte sent, in one formula
  bool inside = false;         // on the links of a box
  double intensity() const { return sent > 0 ? flops / sent : 0; }
};
constexpr int cuts = 6;

class CommRoofline : public Model {
 public:
  std::string_view name() const override { return "comm-roofline"; }
  std::string_view title() const override { return "What rides on each byte sent"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = card_facts();
    for (const Choice& one : card_choices)
      for (const char* what : {".width", ".mlp-width"}) ids.push_back(std::string(one.id) + what);
    for (const Choice& one : chips)
      for (const char* what : {".peak.bf16", ".link"}) ids.push_back(std::string(one.id) + what);
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    std::copy(values.begin(), values.end(), settings_.begin());
    card_ = card_of(whole(values, At::card), numbers);
    const std::string id(card_choices[whole(values, At::card)].id);
    width_ = numbers.fact(id + ".width");
    const double hidden = numbers.fact(id + ".mlp-width");
    layer_ = width_ * (card_.head_width * 2 * (card_.heads + card_.kv_heads) + 3 * hidden);
    const Choice& chosen = chips[whole(values, At::chip)];
    chip_ = chosen.label;
    const double peak = numbers.fact(std::string(chosen.id) + ".peak.bf16");
    const double link = numbers.fact(std::string(chosen.id) + ".link");
    near_ = link > 0 ? peak / link : 0;
    far_ = peak / (values[At::port] * 1e9);
    all_.clear();
    return {};
  }
  // A step divides the model in the next way.
  int length() const override { return cuts; }
  int first() const override { return cuts; }
  int on_paper() const override { return cuts; }
  std::string step_words() const override { return " ways to divide"; }
  void step() override { all_.push_back(cut(all_.size())); }

  std::string broken() const override {
    for (const Cut& cut : all_)
      if (!(cut.sent >= 0) || !(cut.flops >= 0)) return "work or bytes below zero";
    return {};
  }
  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (const Cut& cut : all_)
      all.push_back(exact("FLOP/B of " + cut.label, "FLOP/B", cut.intensity(), cut.closed));
    return all;
  }
  Rendering draw(const Options& options) const override;

 private:
  Cut cut(std::size_t at) const {
    constexpr Cut (CommRoofline::* ways[cuts])()
        const = {&CommRoofline::matrices, &CommRoofline::experts, &CommRoofline::sequences,
                 &CommRoofline::sharded,  &CommRoofline::data,    &CommRoofline::layers};
    const auto way = ways[at];  // GCC 12's UBSan misreads an index within a call through a member
    return (this->*way)();
  }
  double set(At which) const { return settings_[which]; }
  int layer_count() const { return std::max(1, static_cast<int>(card_.layers)); }
  // What each of n chips sends to gather or to add up a vector as a ring: its own nth part, n - 1 times.
  static double ring(double n, double vector) {
    double sent = 0;
    for (int round = 1; round < static_cast<int>(n); ++round) sent += vector / n;
    return sent;
  }

  // Two sums of activations a layer, forward.
  Cut matrices() const {
    const double t = set(At::pieces), m = set(At::microbatch);
    Cut cut{"pieces of a matrix"};
    for (int i = 0; i < layer_count(); ++i) {
      cut.flops += 2 * m * layer_ / t;
      for (int sum = 0; sum < 2; ++sum) cut.sent += 2 * ring(t, bytes * m * width_);
    }
    cut.closed = layer_ / (4 * width_ * (t - 1));
    cut.inside = t <= box;
    return cut;
  }
  // Each chip's tokens to the experts of every other chip, the results of its own experts back to all of
  // them: an all-to-all each way.
  Cut experts() const {
    const double e = set(At::homes), out = set(At::rows) == 0 ? 1 : bytes;
    // Rows from one chip to another, were all experts asked equally often.
    const double pair = set(At::microbatch) * asked / e;
    Cut cut{"experts"};
    for (int i = 0; i < layer_count(); ++i)
      for (int other = 0; other < static_cast<int>(e); ++other) {
        cut.flops += 6 * pair * width_ * set(At::expert);          // rows of the other chip, here
        if (other > 0) cut.sent += pair * width_ * (out + bytes);  // one's own stay
      }
    cut.closed = 6 * set(At::expert) / (out + bytes) * e / (e - 1);
    cut.inside = e <= box;
    return cut;
  }
  // Attention over the part's own queries and all keys that come before; keys and values go around.
  Cut sequences() const {
    const double c = set(At::parts), part = set(At::context) / c;
    Cut cut{"parts of a sequence"};
    for (int i = 0; i < layer_count(); ++i) {
      cut.flops += 4 * part * set(At::context) / 2 * card_.heads * card_.head_width;
      cut.sent += ring(c, bytes * 2 * set(At::context) * card_.kv_heads * card_.head_width);
    }
    cut.closed = set(At::context) / (c - 1) * card_.heads / card_.kv_heads / 2;
    return cut;
  }
  // Weights gathered for each microbatch, forward.
  Cut sharded() const {
    Cut cut{"copies that divide weights"};
    for (int i = 0; i < layer_count(); ++i) {
      cut.flops += 2 * set(At::microbatch) * layer_;
      cut.sent += ring(set(At::copies), bytes * layer_);
    }
    cut.closed = set(At::microbatch) * set(At::copies) / (set(At::copies) - 1);
    return cut;
  }
  double last_tokens() const { return std::min(set(At::tokens), set(At::microbatch)); }
  // Gradients added up once a step, while it goes backward for the last time: before the last microbatch
  // nobody holds a whole gradient.
  Cut data() const {
    Cut cut{"copies"};
    for (int i = 0; i < layer_count(); ++i) {
      cut.flops += 4 * last_tokens() * layer_;
      cut.sent += 2 * ring(set(At::copies), bytes * layer_);
    }
    cut.closed = last_tokens() * set(At::copies) / (set(At::copies) - 1);
    return cut;
  }
  // One row of activations for each token, from a stage to the next.
  Cut layers() const {
    const double m = set(At::microbatch), deep = layer_count() / set(At::stages);
    Cut cut{"stages of a pipeline"};
    cut.flops = 2 * m * layer_ * deep;
    cut.sent = bytes * m * width_;
    cut.closed = layer_ * card_.layers / (set(At::stages) * width_);
    return cut;
  }

  double ridge(const Cut& cut) const { return cut.inside ? near_ : far_; }
  bool hides(const Cut& cut) const { return cut.intensity() >= ridge(cut); }
  static std::string rate(double intensity) { return significant(intensity, 4) + " FLOP/B"; }
  std::string summary() const;

  Card card_;
  std::string chip_;
  double width_ = 1, layer_ = 1, near_ = 0, far_ = 0;  // FLOP/B
  std::array<double, std::size(controls_of_it)> settings_{};
  std::vector<Cut> all_;
};

std::string CommRoofline::summary() const {
  std::string waiting;
  for (const Cut& cut : all_)
    if (!hides(cut)) waiting += (waiting.empty() ? "" : ", ") + cut.label;
  std::string text = all_.empty()      ? "Nothing has been divided yet"
                     : waiting.empty() ? "Everything sent hides behind arithmetic"
                                       : "The chip waits for its neighbours with: " + waiting;
  return text + ". A byte on the links of a box needs " + rate(near_) + ", one through the port " +
         rate(far_) + ".";
}

Rendering CommRoofline::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  std::vector<BarRow> bars;
  Table table{{"Divided", "Wire", "Operations for each byte sent", "Ridge of the wire"}, {}};
  // From ten to a hundred million, logarithmic.
  const auto share = [](double intensity) { return (log10_of(std::max(intensity, 10.0)) - 1) / 7; };
  bars.push_back(
      {chip_ + " on a box’s links, ridge", rate(near_), share(near_), colors.reference, 0, true});
  bars.push_back({chip_ + " on a port, ridge", rate(far_), share(far_), colors.reference, 0, true});
  for (const Cut& cut : all_) {
    const bool hidden = hides(cut);
    bars.push_back({cut.label, rate(cut.intensity()) + (hidden ? ", hides" : ", waits"),
                    share(cut.intensity()), hidden ? colors.compute : colors.bandwidth,
                    share(ridge(cut)), true});
    table.rows.push_back({cut.label, cut.inside ? "links of a box" : "port", rate(cut.intensity()),
                          rate(ridge(cut))});
  }
  for (std::size_t at = all_.size(); at < cuts; ++at) bars.push_back(bar_to_come(cut(at).label));
  return draw_bar_rows(options, cuts + 2, std::string(title()), summary(),
                       "operations for each byte sent, logarithmic", bars, std::move(table));
}

}  // namespace
}  // namespace comm_roofline_model

std::unique_ptr<Model> make_comm_roofline() {
  return std::make_unique<comm_roofline_model::CommRoofline>();
}

}  // namespace figures::models
