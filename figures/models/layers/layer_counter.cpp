// layer-counter: the layers of a network as kernels with their compute and memory times, and which
// of the two bounds each kernel on a machine.
#include <algorithm>
#include <utility>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/layers/kernel_list.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace layer_counter_model {
namespace {

constexpr Choice nets[] = {{"mlp-mnist", "perceptron 784-256-10"},
                           {"resnet-conv", "convolution 3×3, 64 to 64"},
                           {"gpt2-small", "GPT-2 small"},
                           {"llama-3.1-8b", "Llama 3.1 8B"},
                           {"llama-3.1-70b", "Llama 3.1 70B"}};
constexpr Choice phases[] = {
    {"training", "training step"}, {"prefill", "forward pass"}, {"decode", "one decode step"}};
constexpr Choice parts[] = {{"block", "one block"}, {"whole", "all blocks and the output"}};
constexpr Control controls_of_it[] = {
    choice("net", "Network", nets, 2),
    choice("phase", "Phase", phases, 1),
    choice("machine", "On", chip_choices, 1),
    doubling("batch", "Sequences or rows", "", 1, 1024, 8),
    doubling("context", "Sequence", "tokens", 64, 131072, 1024),
    more(choice("part", "Transformer part", parts, 0)),
};
enum At : std::size_t { net, phase, machine, batch, context, part };

class LayerCounter : public Model {
 public:
  std::string_view name() const override { return "layer-counter"; }
  std::string_view title() const override {
    return "A network as a list of kernels, FLOPs and bytes";
  }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> facts() const override {
    std::vector<std::string> ids = chip_facts();
    for (const char* card : {"gpt2-small", "llama-3.1-8b", "llama-3.1-70b"})
      for (const char* what : {"layers", "width", "mlp-width", "heads", "head-width", "vocabulary"})
        ids.push_back(std::string(card) + "." + what);
    ids.insert(ids.end(), {"llama-3.1-8b.kv-heads", "llama-3.1-70b.kv-heads", "mlp-mnist.inputs",
                           "mlp-mnist.hidden", "mlp-mnist.outputs", "resnet-conv.channels-in",
                           "resnet-conv.channels-out", "resnet-conv.kernel", "resnet-conv.height",
                           "resnet-conv.width"});
    return ids;
  }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    std::vector<std::string> notices;
    net_ = whole(values, At::net);
    whole_ = whole(values, At::part) == 1;
    chip_ = chip_of(whole(values, At::machine), numbers);
    pass_ = {static_cast<Phase>(whole(values, At::phase)), values[At::batch], values[At::context],
             chip_.bytes};
    if (net_ < 2 && pass_.phase == Phase::decode) {
      pass_.phase = Phase::prefill;
      notices.emplace_back("This network generates no tokens: the forward pass is shown");
    }
    kernels_ = kernels(numbers);
    done_ = 0;
    flops_ = bytes_ = time_ = 0;
    return notices;
  }
  int length() const override { return static_cast<int>(kernels_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return " kernels"; }
  std::vector<std::string_view> unused() const override {
    if (net_ < 2) return {"context", "part"};
    return {};
  }
  void step() override {
    const Kernel& kernel = kernels_[static_cast<std::size_t>(done_++)];
    flops_ += kernel.flops;
    bytes_ += kernel.bytes;
    time_ += time_of(kernel);
  }

  std::string broken() const override {
    if (chip_.known() && time_ * (1 + 1e-9) < flops_ / chip_.peak) return "faster than the peak";
    if (chip_.known() && time_ * (1 + 1e-9) < bytes_ / chip_.bandwidth)
      return "faster than the memory";
    return {};
  }
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  std::vector<Kernel> kernels(const Numbers& numbers);
  // Compute time in seconds. Without a known machine, the bytes stand in for the memory time.
  double arithmetic_of(const Kernel& kernel) const {
    return chip_.known() ? kernel.flops / chip_.peak : 0;
  }
  double bytes_of(const Kernel& kernel) const {
    return chip_.known() ? kernel.bytes / chip_.bandwidth : kernel.bytes;
  }
  bool waits_for_bytes(const Kernel& kernel) const {
    return arithmetic_of(kernel) < bytes_of(kernel);
  }
  double time_of(const Kernel& kernel) const {
    return chip_.known() ? std::max(arithmetic_of(kernel), bytes_of(kernel)) : 0;
  }
  double products(Work work) const {
    double sum = 0;
    for (const Kernel& kernel : kernels_)
      if (kernel.work == work) sum += kernel.products;
    return sum;
  }
  std::string summary() const;
  Table table() const;
  void draw_heading(Sheet& sheet) const;
  void draw_row(Sheet& sheet, int at, double top, double pitch, double most) const;
  void draw_total(Sheet& sheet) const;

  int net_ = 0, done_ = 0;
  bool whole_ = false;
  Chip chip_;
  Pass pass_;
  Transformer card_;
  std::vector<Kernel> kernels_;
  double flops_ = 0, bytes_ = 0, time_ = 0;
  double perceptron_weights_ = 0, conv_weights_ = 0, conv_pixels_ = 0, first_layer_ = 0;
};

std::vector<Kernel> LayerCounter::kernels(const Numbers& numbers) {
  const std::string id(nets[net_].id);
  const auto fact = [&](const char* what) { return numbers.fact(id + "." + what); };
  if (net_ == 0) {
    first_layer_ = fact("inputs") * fact("hidden");
    perceptron_weights_ = first_layer_ + fact("hidden") * fact("outputs");
    return perceptron_kernels(fact("inputs"), fact("hidden"), fact("outputs"), pass_);
  }
  if (net_ == 1) {
    conv_pixels_ = fact("height") * fact("width");
    conv_weights_ = fact("channels-in") * fact("channels-out") * fact("kernel") * fact("kernel");
    return convolution_kernels(fact("channels-in"), fact("channels-out"), fact("kernel"),
                               conv_pixels_, pass_);
  }
  const bool gated = net_ > 2;
  card_ = {fact("layers"),
           fact("width"),
           fact("mlp-width"),
           fact("heads"),
           gated ? fact("kv-heads") : fact("heads"),
           fact("head-width"),
           fact("vocabulary"),
           gated};
  return transformer_kernels(card_, pass_, whole_);
}

std::vector<Count> LayerCounter::counts() const {
  double flops = 0, weights = 0;
  for (const Kernel& kernel : kernels_) {
    if (kernel.work != Work::rest) flops += kernel.flops;
    weights += kernel.weights;
  }
  const bool training = pass_.phase == Phase::training;
  double closed_flops = 0, closed_weights = 0;
  if (net_ == 0) {
    closed_weights = perceptron_weights_;
    closed_flops = 2 * pass_.sequences *
                   (training ? 3 * perceptron_weights_ - first_layer_ : perceptron_weights_);
  } else if (net_ == 1) {
    closed_weights = conv_weights_;
    closed_flops = 2 * pass_.sequences * conv_weights_ * conv_pixels_ * (training ? 3 : 1);
  } else {
    closed_weights = product_weights(card_, whole_);
    closed_flops = product_flops(card_, pass_, whole_);
  }
  return {
      exact("FLOP of all products", "FLOP", flops, closed_flops),
      exact("weights read in a forward pass", "", weights, closed_weights),
      between("time over the two bills", "",
              chip_.known() ? time_ / std::max(flops_ / chip_.peak, bytes_ / chip_.bandwidth) : 1,
              1, 2)};
}

std::string LayerCounter::summary() const {
  double bound = 0, all = 0, rest_flops = 0, rest_time = 0, flops = 0, bytes = 0;
  for (const Kernel& kernel : kernels_) {
    all += time_of(kernel);
    flops += kernel.flops;
    bytes += kernel.bytes;
    if (chip_.known() && waits_for_bytes(kernel)) bound += time_of(kernel);
    if (kernel.work == Work::rest) {
      rest_flops += kernel.flops;
      rest_time += time_of(kernel);
    }
  }
  std::string text = std::string(nets[net_].label) + ", " +
                     std::string(phases[static_cast<int>(pass_.phase)].label) + ": " +
                     plural(products(Work::product), "matmul", "matmuls") + " with weights, " +
                     quantity_text(flops / bytes, Meaning::intensity, 3) + " over the whole list. ";
  if (!chip_.known()) return text + "No machine has been measured here yet.";
  text += capital(the_machine(chip_.label)) + " needs at least " +
          quantity_text(all, Meaning::seconds, 3) + " and is memory-bound for " +
          quantity_text(bound / all, Meaning::percent, 2) + " of it. ";
  return text +
         "Everything but matmuls: " + quantity_text(rest_flops / flops, Meaning::percent, 2) +
         " of the FLOPs, " + quantity_text(rest_time / all, Meaning::percent, 2) + " of the time.";
}

Table LayerCounter::table() const {
  Table table{
      {"Kernel", "Matmuls", "Shape", "FLOPs", "Bytes", "FLOPs per byte", "Time", "Limited by"}, {}};
  for (const Kernel& kernel : kernels_) {
    const bool product = kernel.m > 0;
    table.rows.push_back(
        {kernel.name, product ? said(kernel.products) : "",
         product ? said(kernel.m) + " × " + said(kernel.k) + " × " + said(kernel.n) : "",
         said(kernel.flops, 3), said(kernel.bytes, 3), said(kernel.flops / kernel.bytes, 3),
         chip_.known() ? quantity_text(time_of(kernel), Meaning::seconds, 3) : "not measured",
         !chip_.known()            ? ""
         : waits_for_bytes(kernel) ? "memory"
                                   : "compute"});
  }
  return table;
}

constexpr double most_rows = 11, margin = 12;

void LayerCounter::draw_heading(Sheet& sheet) const {
  const bool narrow = sheet.narrow();
  std::string arithmetic = "arithmetic", bytes = "bytes", ratio = "FLOP/B";
  if (chip_.known() && !narrow) {
    arithmetic += " at " + quantity_text(chip_.peak, Meaning::flop_rate, 3);
    bytes += " at " + quantity_text(chip_.bandwidth, Meaning::byte_rate, 3);
  }
  if (chip_.known()) ratio += ", ridge " + significant(chip_.ridge(), 3);
  double x = narrow ? margin : 190;
  for (const auto& [text, fill] : {std::pair{arithmetic, sheet.colors().compute},
                                   std::pair{bytes, sheet.colors().bandwidth}}) {
    sheet.boxes({{x, 9, x + 14, 19}}, fill);
    sheet.hatch({x, 9, x + 14, 19}, fill);
    sheet.note(text, {x + 20, 18}, -1, fill);
    x += 20 + sheet.note_width(text) + 18;
  }
  sheet.note(ratio, {sheet.width() - margin, 18}, 1);
}

// Draws the two times of a kernel, one above the other. The longer one is the bound.
void LayerCounter::draw_row(Sheet& sheet, int at, double top, double pitch, double most) const {
  const Kernel& kernel = kernels_[static_cast<std::size_t>(at)];
  const bool narrow = sheet.narrow(), shown = at < done_;
  const double far = sheet.width() - margin, left = narrow ? margin : 190;
  const double room = far - left - (narrow ? 0 : 150);
  const double height = narrow ? std::min(18.0, (pitch - 21) / 2) : std::min(15.0, pitch * 0.36);
  const double bars = narrow ? top + 18 : top + (pitch - 2 * height) / 2;
  const double words = narrow ? top + 13 : top + pitch / 2 + 4;
  const std::string_view ink = shown ? sheet.colors().ink : sheet.colors().ink_soft;
  const double arithmetic = room * arithmetic_of(kernel) / most;
  const double bytes = room * bytes_of(kernel) / most, longer = std::max(arithmetic, bytes);
  if (narrow) sheet.note_in(sheet.width() * 0.5, kernel.name, {left, words}, -1, ink);
  else sheet.note_in(left - margin - 10, kernel.name, {left - 10, words}, 1, ink);
  if (!shown) {
    sheet.outlines({{left, bars, left + std::max(1.5, longer), bars + 2 * height}},
                   sheet.colors().rule);
    return;
  }
  const bool waits = waits_for_bytes(kernel);
  const auto bill = [&](double length, double y, std::string_view fill, bool longest) {
    const Box bar{left, y, left + std::max(1.5, length), y + height};
    sheet.boxes({bar}, fill, longest ? "" : "0.4");
    sheet.hatch(bar, fill);
  };
  if (chip_.known()) bill(arithmetic, bars, sheet.colors().compute, !waits);
  bill(bytes, bars + height, sheet.colors().bandwidth, waits);
  const std::string ratio = said(kernel.flops / kernel.bytes, 2);
  const std::string time =
      chip_.known() ? quantity_text(time_of(kernel), Meaning::seconds, 3) : std::string();
  const std::string_view hue = waits ? sheet.colors().bandwidth : sheet.colors().compute;
  if (narrow) {
    sheet.note(time.empty() ? ratio : time + ", " + ratio, {far, words}, 1, hue);
    return;
  }
  sheet.note(time, {left + std::max(1.5, longer) + 8, words}, -1, ink);
  sheet.note(ratio, {far, words}, 1, hue);
}

void LayerCounter::draw_total(Sheet& sheet) const {
  const double base = sheet.height() - 14, far = sheet.width() - margin;
  sheet.line({margin, base - 22}, {far, base - 22}, sheet.colors().rule);
  sheet.name(sheet.narrow() ? "so far" : "all so far", {margin, base});
  std::string total = quantity_text(flops_, Meaning::flop_rate, 3);
  total.resize(total.size() - 2);  // FLOP instead of FLOP/s
  std::string moved = quantity_text(bytes_, Meaning::byte_rate, 3);
  moved.resize(moved.size() - 2);
  if (chip_.known()) moved += ", " + quantity_text(time_, Meaning::seconds, 3);
  sheet.note(total + ", " + moved, {far, base}, 1, sheet.colors().ink);
}

Rendering LayerCounter::draw(const Options& options) const {
  // The height is that of the longest list, so that it never changes; a short list has thicker
  // rows.
  constexpr double wide_rows = most_rows * 27, narrow_rows = most_rows * 40;
  Sheet sheet(options, 78 + wide_rows, 78 + narrow_rows, std::string(title()), summary());
  const double pitch = sheet.narrow() ? std::min(88.0, narrow_rows / double(kernels_.size()))
                                      : std::min(60.0, wide_rows / double(kernels_.size()));
  double most = 0;
  for (const Kernel& kernel : kernels_)
    most = std::max({most, arithmetic_of(kernel), bytes_of(kernel)});
  draw_heading(sheet);
  for (int i = 0; i < length(); ++i) draw_row(sheet, i, 30 + i * pitch, pitch, most);
  draw_total(sheet);
  return sheet.finish(table());
}

}  // namespace
}  // namespace layer_counter_model

std::unique_ptr<Model> make_layer_counter() {
  return std::make_unique<layer_counter_model::LayerCounter>();
}

}  // namespace figures::models
