// decode-floor: tokens generated one after another, and the bytes that each token must read.
//
// Token t reads N'·w bytes of weights and (S0 + t)·κ bytes of cache, and appends κ. No step is
// shorter than its bytes divided by the bandwidth of all chips. G steps read G·N'w + κ(G·S0 + G(G −
// 1)/2).
#include <algorithm>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/cards.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace decode_floor_model {
namespace {

constexpr Choice formats[] = {
    {"own", "the machine's"}, {"bf16", "bf16"}, {"int8", "int8"}, {"int4", "int4"}};
constexpr Choice head_choices[] = {
    {"grouped", "the model's"}, {"all", "one per query head"}, {"one", "one for all"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", card_choices),
    choice("chip", "Chip", chip_choices, 1),
    doubling("chips", "Chips that share it", "", 1, 64, 8),
    doubling("prompt", "Prompt", "tokens", 256, 131072, 8192),
    choice("weights", "Weights in", formats),
    more(doubling("written", "Tokens to generate", "", 64, 8192, 4096)),
    more(choice("heads", "KV heads", head_choices)),
};
enum At : std::size_t { card, chip, count, prompt, weights, written, heads };

class DecodeFloor : public Model {
 public:
  std::string_view name() const override { return "decode-floor"; }
  std::string_view title() const override { return "Bytes read per generated token"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = chip_facts();
    for (std::string& id : card_facts()) ids.push_back(std::move(id));
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    card_ = card_of(whole(values, At::card), numbers);
    chip_ = chip_of(whole(values, At::chip), numbers);
    bandwidth_ = values[At::count] * chip_.bandwidth;
    constexpr double bytes[] = {0, 2, 1, 0.5};
    const int format = whole(values, At::weights);
    weights_ = card_.read * (format == 0 ? chip_.bytes : bytes[format]);
    const double kv[] = {card_.kv_heads, card_.heads, 1};
    append_ = card_.cache_per_token(kv[whole(values, At::heads)], chip_.bytes);
    prompt_ = values[At::prompt];
    goal_ = whole(values, At::written);
    done_ = 0;
    read_ = 0;
    cache_ = prompt_ * append_;
    return {};
  }
  int length() const override { return goal_; }
  int first() const override { return goal_ / 2; }
  std::string step_words() const override { return " tokens"; }
  void step() override {
    read_ += weights_ + cache_;
    cache_ += append_;
    ++done_;
  }

  std::string broken() const override {
    const double held = (prompt_ + done_) * append_;
    return std::max(held - cache_, cache_ - held) > 1e-9 * held ? "the cache lost a token" : "";
  }
  std::vector<Count> counts() const override {
    return {exact("bytes read", "B", read_, total(done_))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double total(double tokens) const {
    return tokens * weights_ + append_ * (tokens * prompt_ + tokens * (tokens - 1) / 2);
  }
  double seconds(double bytes) const { return bandwidth_ > 0 ? bytes / bandwidth_ : 0; }
  std::string summary() const;

  Card card_;
  Chip chip_;
  double bandwidth_ = 1, weights_ = 1, append_ = 1, prompt_ = 1, read_ = 0, cache_ = 0;
  int goal_ = 1, done_ = 0;
};

std::string DecodeFloor::summary() const {
  if (!chip_.known()) return "No machine has been measured here yet: choose a chip.";
  const double now = weights_ + cache_;
  return "After " + plural(done_, "token", "tokens") + " the cache holds " +
         quantity_text(cache_, Meaning::bytes, 3) + ", " +
         quantity_text(cache_ / now, Meaning::percent, 2) +
         " of what the next token reads. It takes at least " +
         quantity_text(seconds(now), Meaning::seconds, 3) + ", so one sequence gets at most " +
         said(1 / seconds(now), 3) + " tokens per second. All " + said(goal_) + " take " +
         quantity_text(seconds(total(goal_)), Meaning::seconds, 4) + " or longer.";
}

Rendering DecodeFloor::draw(const Options& options) const {
  Sheet sheet(options, 320, 330, std::string(title()), summary());
  Table table{{"Token", "Weights", "Cache", "At least"}, {}};
  for (const int token : {0, goal_ / 4, goal_ / 2, goal_ * 3 / 4, goal_}) {
    const double held = (prompt_ + token) * append_;
    table.rows.push_back({said(token), quantity_text(weights_, Meaning::bytes, 3),
                          quantity_text(held, Meaning::bytes, 3),
                          quantity_text(seconds(weights_ + held), Meaning::seconds, 3)});
  }
  if (!chip_.known()) return sheet.finish(std::move(table));
  const Palette& colors = sheet.colors();
  const LinearScale x{0, double(goal_), 74, sheet.width() - 16};
  const double most = seconds(weights_ + (prompt_ + goal_) * append_);
  const LinearScale y{0, most * 1.08, sheet.height() - 66, 34};
  // Weights are a block and the cache is a wedge on top of it, drawn in strips up to the current
  // token.
  constexpr int strips = 48;
  std::vector<Box> block, wedge, ahead;
  for (int i = 0; i < strips; ++i) {
    const double from = goal_ * i / double(strips), to = goal_ * (i + 1) / double(strips);
    const double high = seconds(weights_ + (prompt_ + to) * append_);
    if (from < done_) {
      const double end = std::min(to, double(done_));
      block.push_back({x(from), y(seconds(weights_)), x(end), y(0)});
      wedge.push_back({x(from), y(high), x(end), y(seconds(weights_))});
    }
    if (to > done_) ahead.push_back({x(std::max(from, double(done_))), y(high), x(to), y(0)});
  }
  sheet.boxes(ahead, colors.rule, "0.5");
  sheet.boxes(block, colors.compute, "0.55");
  sheet.boxes(wedge, colors.bandwidth, "0.55");
  for (const Tick& tick : linear_ticks(0, most * 1.08, 5)) {
    sheet.line({x.from, y(tick.value)}, {x.to, y(tick.value)}, colors.rule);
    const std::string words = tick.value > 0 ? quantity_text(tick.value, Meaning::seconds, 3) : "0";
    sheet.note(words, {x.from - 6, y(tick.value) + 4}, 1);
  }
  sheet.note("0", {x(0), y(0) + 17}, 0);
  sheet.note(said(goal_), {x(goal_), y(0) + 17}, 1);
  sheet.note("↑ shortest time per token", {12, 18});
  sheet.note("tokens generated →", {x.to, y(0) + 35}, 1);
  const double base = sheet.height() - 12;
  sheet.boxes({{12, base - 9, 22, base + 1}}, colors.compute, "0.55");
  sheet.note("weights", {27, base});
  sheet.boxes({{100, base - 9, 110, base + 1}}, colors.bandwidth, "0.55");
  sheet.note("cache", {115, base});
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace decode_floor_model

std::unique_ptr<Model> make_decode_floor() {
  return std::make_unique<decode_floor_model::DecodeFloor>();
}

}  // namespace figures::models
