// zero-memory: the memory of training per chip, divided among the copies of a model by stages of
// ZeRO.
//
// Mixed precision with Adam stores 2 bytes of weight, 2 or 4 of gradient and 12 of optimizer state
// for each of Ψ parameters. ZeRO (Rajbhandari et al. 2020, section 5) divides the optimizer state
// among D copies, then also the gradients, then also the weights, which must be gathered again
// layer by layer for every pass. The next layer is gathered while one computes. A step of the model
// is the pass of one layer, and the last step updates the weights. Divided gradients are reduced
// after each microbatch, others once.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace zero_memory_model {
namespace {

constexpr double weight_bytes = 2, optimiser_bytes = 12;
constexpr double most_layers = 1000;  // bounds the work; the page may send anything

constexpr Choice cards[] = {{"zero-example", "7.5 billion parameters"},
                            {"llama-3.1-8b", "Llama 3.1 8B"},
                            {"llama-3.1-70b", "Llama 3.1 70B"},
                            {"llama-3.1-405b", "Llama 3.1 405B"}};
constexpr Choice stages[] = {
    {"0", "nothing"}, {"1", "optimizer"}, {"2", "and gradients"}, {"3", "and weights"}};
constexpr Choice widths[] = {{"bf16", "bf16"}, {"fp32", "fp32"}};
constexpr Control controls_of_it[] = {
    choice("card", "Model", cards),
    choice("stage", "Sharded", stages, 3),
    doubling("copies", "Copies", "", 1, 4096, 64),
    more(doubling("microbatches", "Microbatches per step", "", 1, 8, 1)),
    more(choice("gradients", "Gradients in", widths)),
};
enum At : std::size_t { card, stage, copies, microbatches, gradients };

// Bytes per chip.
struct Held {
  double weights = 0, gradients = 0, optimiser = 0;
  double all() const { return weights + gradients + optimiser; }
};

class ZeroMemory : public Model {
 public:
  std::string_view name() const override { return "zero-memory"; }
  std::string_view title() const override { return "Training memory per chip"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override {
    std::vector<std::string> ids;
    for (const Choice& one : cards)
      for (const char* what : {".parameters", ".layers"}) ids.push_back(std::string(one.id) + what);
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    card_ = whole(values, At::card);
    const std::string id(cards[card_].id);
    parameters_ = numbers.fact(id + ".parameters");
    layers_ = static_cast<int>(std::clamp(numbers.fact(id + ".layers"), 1.0, most_layers));
    stage_ = whole(values, At::stage);
    copies_ = values[At::copies];
    microbatches_ = whole(values, At::microbatches);
    gradient_bytes_ = whole(values, At::gradients) == 0 ? 2 : 4;
    done_ = 0;
    sent_weights_ = sent_gradients_ = 0;
    fullest_ = kept(stage_).all();
    return {};
  }
  int length() const override { return 2 * layers_ * microbatches_ + 1; }
  int first() const override { return layers_ * 3 / 2; }  // in the middle of the backward pass
  int on_paper() const override { return first(); }
  std::string step_words() const override { return " passes of a layer"; }
  void step() override {
    ++done_;
    fullest_ = std::max(fullest_, held(done_).all());
    send();
  }

  std::string broken() const override {
    if (held(0).all() != kept(stage_).all()) return "something is left from the step before";
    if (stage_ > 0 && kept(stage_).all() > kept(stage_ - 1).all())
      return "dividing more holds more";
    return {};
  }
  std::vector<Count> counts() const override {
    const double d = copies_, g = gradient_bytes_, m = microbatches_;
    // Rajbhandari et al. 2020, section 5.1 to 5.3, with gradients of g bytes.
    const double bytes[] = {14 + g, 2 + g + 12 / d, 2 + (12 + g) / d, (14 + g) / d};
    // A layer's pass adds its gradient and two layers of weights.
    const double layer = parameters_ / layers_ * (d - 1) / d;
    const double extra[] = {0, 0, g * layer, (g + weight_bytes * std::min(2, layers_)) * layer};
    const double elements[] = {2, 2, m + 1, 3 * m};
    return {
        exact("bytes kept", "B", kept(stage_).all(), bytes[stage_] * parameters_),
        exact("bytes at the fullest", "B", fullest_, bytes[stage_] * parameters_ + extra[stage_]),
        exact("elements sent", "", sent_weights_ + sent_gradients_,
              elements[stage_] * parameters_ * (d - 1) / d)};
  }
  Rendering draw(const Options& options) const override;

 private:
  // Bytes stored between steps.
  Held kept(int stage) const {
    const auto part = [&](int from) { return parameters_ / (stage >= from ? copies_ : 1); };
    return {weight_bytes * part(3), gradient_bytes_ * part(2), optimiser_bytes * part(1)};
  }
  // The position of a pass within its direction, 0 to layers - 1; and the direction.
  int place(int step) const { return (step - 1) % layers_; }
  bool backward(int step) const { return (step - 1) / layers_ % 2 == 1; }
  bool updates(int step) const { return step == length(); }
  // Bytes stored during step number `step`; 0: before the first.
  Held held(int step) const {
    Held now = kept(stage_);
    if (step == 0 || updates(step)) return now;
    const double missing = parameters_ / layers_ * (copies_ - 1) / copies_;  // of a layer
    if (stage_ == 3) now.weights += weight_bytes * missing * std::min(2, layers_ - place(step));
    if (stage_ >= 2 && backward(step)) now.gradients += gradient_bytes_ * missing;
    return now;
  }
  // Counts the elements that left each chip during the last step.
  void send() {
    const double share = (copies_ - 1) / copies_, layer = parameters_ / layers_ * share;
    if (updates(done_)) {
      if (stage_ == 1 || stage_ == 2) sent_weights_ += parameters_ * share;
      return;
    }
    // The first pass gathers its own layer and the next one, the last pass gathers none.
    const int at = place(done_), ahead = at + 1 < layers_ ? 1 : 0;
    if (stage_ == 3) sent_weights_ += layer * (at == 0 ? 1 + ahead : ahead);
    const bool last = done_ > 2 * layers_ * (microbatches_ - 1);
    if (backward(done_) && (last || stage_ >= 2)) sent_gradients_ += layer * (stage_ == 0 ? 2 : 1);
  }
  double sent() const { return weight_bytes * sent_weights_ + gradient_bytes_ * sent_gradients_; }
  static std::string bytes(double value) { return said(value / 1e9, 3) + " GB"; }
  std::string summary() const;
  Table table() const;
  void draw_stages(Sheet& sheet) const;
  void draw_course(Sheet& sheet, double top) const;

  int card_ = 0, stage_ = 0, layers_ = 1, microbatches_ = 1, done_ = 0;
  double parameters_ = 1, copies_ = 1, gradient_bytes_ = 2;
  double sent_weights_ = 0, sent_gradients_ = 0, fullest_ = 0;  // elements; bytes
};

std::string ZeroMemory::summary() const {
  std::string text =
      "Each of " + plural(copies_, "chip stores ", "chips stores ") + bytes(kept(stage_).all());
  if (stage_ > 0) text += " instead of " + bytes(kept(0).all());
  text += ". While this step runs it holds " + bytes(held(done_).all()) + "; so far it has sent " +
          bytes(sent()) + ". ";
  constexpr std::string_view costs[] = {
      "An all-reduce sends every gradient twice: in the reduce-scatter and in the all-gather.",
      "No more is sent than before: the weights are gathered instead of the gradients.",
      "No more is sent as long as a step is one microbatch.",
      "The weights are gathered in each pass, forward and backward, and again per microbatch."};
  return text + std::string(costs[stage_]);
}

// Draws one bar per stage, in three parts.
void ZeroMemory::draw_stages(Sheet& sheet) const {
  const Palette& colors = sheet.colors();
  const double left = 112, far = sheet.width() - 12, room = far - left - 84;
  const std::array<std::string_view, 3> fills{colors.ochre, colors.reference, colors.teal};
  constexpr std::string_view parts[] = {"weights", "gradients", "optimizer"};
  double x = 12;
  for (std::size_t i = 0; i < fills.size(); ++i) {
    sheet.boxes({{x, 12, x + 10, 22}}, fills[i]);
    sheet.note(std::string(parts[i]), {x + 15, 21});
    x += 33 + sheet.note_width(parts[i]);
  }
  const double most = kept(0).all();
  std::array<std::vector<Box>, 3> chosen, others;  // one list per part
  for (int row = 0; row < 4; ++row) {
    const Held part = kept(row);
    const double y = 36 + row * 28, sizes[] = {part.weights, part.gradients, part.optimiser};
    if (row == stage_) sheet.name(std::string(stages[row].label), {left - 10, y + 14}, 1);
    else sheet.note(std::string(stages[row].label), {left - 10, y + 14}, 1);
    double from = left;
    for (std::size_t i = 0; i < fills.size(); ++i) {
      const double to = from + (most > 0 ? room * sizes[i] / most : 0);
      (row == stage_ ? chosen : others)[i].push_back({from, y, to, y + 19});
      from = to;
    }
    sheet.note(bytes(part.all()), {from + 8, y + 14}, -1,
               row == stage_ ? colors.ink : std::string_view{});
  }
  for (std::size_t i = 0; i < fills.size(); ++i) {
    sheet.boxes(others[i], fills[i], "0.45");
    sheet.boxes(chosen[i], fills[i]);
  }
}

// Draws the chip's memory over the step, up to the current point.
void ZeroMemory::draw_course(Sheet& sheet, double top) const {
  const Palette& colors = sheet.colors();
  const int steps = length();
  const LinearScale x{0, double(steps), 84, sheet.width() - 16};
  const double most = held(layers_ + 1).all() * 1.08;
  const LinearScale y{0, most > 0 ? most : 1, sheet.height() - 44, top + 26};
  for (const Tick& tick : linear_ticks(0, y.high, 4)) {
    sheet.line({x.from, y(tick.value)}, {x.to, y(tick.value)}, colors.rule);
    sheet.note(bytes(tick.value), {x.from - 6, y(tick.value) + 4}, 1);
  }
  const int strips = std::min(steps, sheet.narrow() ? 48 : 96);  // at least 6 px each
  std::array<std::vector<Box>, 3> run;
  std::vector<Box> ahead;
  for (int i = 0; i < strips; ++i) {
    const int from = steps * i / strips, to = steps * (i + 1) / strips;
    const Held now = held(to);
    const double l = x(from), r = x(to), a = y(now.weights), b = y(now.weights + now.gradients);
    if (to > done_) {
      ahead.push_back({l, y(now.all()), r, y(0)});
      continue;
    }
    run[0].push_back({l, a, r, y(0)});
    run[1].push_back({l, b, r, a});
    run[2].push_back({l, y(now.all()), r, b});
  }
  sheet.boxes(ahead, colors.rule, "0.5");
  const std::array<std::string_view, 3> fills{colors.ochre, colors.reference, colors.teal};
  for (std::size_t i = 0; i < run.size(); ++i) sheet.boxes(run[i], fills[i], "0.6");
  sheet.note("↑ memory per chip", {12, top + 10});
  sheet.note("forward and backward, layer by layer →", {x.to, sheet.height() - 12}, 1);
}

// The data of the bars and of the memory over time. Passes differ by direction and by whether a
// layer follows.
Table ZeroMemory::table() const {
  Table table{{"Sharded", "Weights", "Gradients", "Optimizer", "On each chip"}, {}};
  const auto row = [&](std::string label, const Held& part) {
    table.rows.push_back({std::move(label), bytes(part.weights), bytes(part.gradients),
                          bytes(part.optimiser), bytes(part.all())});
  };
  for (int stage = 0; stage < 4; ++stage) row(std::string(stages[stage].label), kept(stage));
  row("forward, all but the last layer", held(1));
  row("forward, the last layer", held(layers_));
  row("backward, all but the last layer", held(layers_ + 1));
  row("backward, the last layer", held(2 * layers_));
  row("weight update", held(length()));
  return table;
}

Rendering ZeroMemory::draw(const Options& options) const {
  Sheet sheet(options, 400, 400, std::string(title()), summary());
  draw_stages(sheet);
  draw_course(sheet, 164);
  return sheet.finish(table());
}

}  // namespace
}  // namespace zero_memory_model

std::unique_ptr<Model> make_zero_memory() {
  return std::make_unique<zero_memory_model::ZeroMemory>();
}

}  // namespace figures::models
