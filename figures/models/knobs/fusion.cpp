// fusion: a matmul and the elementwise operations after it, as separate kernels or fused.
//
// C = A·B (m×n×k), then bias, activation, residual and scale. A kernel reads its inputs from memory
// and writes its outputs: a separate operation costs two passes over C, the residual three. An
// operation fused with the previous kernel finds C on the chip. The time of a kernel is the longer
// of its memory and its compute time.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace fusion_model {
namespace {

constexpr int operations = 4;
constexpr std::string_view names[] = {"matmul", "bias", "activation", "residual", "scale"};

constexpr Choice cut_choices[] = {{"none", "nothing: five kernels"},
                                  {"bias", "bias"},
                                  {"activation", "bias, activation"},
                                  {"residual", "bias, activation, residual"},
                                  {"all", "everything: one kernel"}};
constexpr Control controls_of_it[] = {
    doubling("inner", "Inner size k", "", 16, 16384, 1024),
    choice("fused", "Fused into the matmul", cut_choices, 0),
    choice("chip", "Chip", chip_choices, 1),
    more(doubling("side", "Rows and columns of C", "", 256, 16384, 4096)),
};
enum At : std::size_t { inner, fused, chip, side };

struct Kernel {
  int first = 0, last = 0;                  // operations; 0 is the matmul
  double read = 0, written = 0, flops = 0;  // elements, FLOPs
};

class Fusion : public Model {
 public:
  std::string_view name() const override { return "fusion"; }
  std::string_view title() const override { return "Time saved by fusion"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override { return chip_facts(); }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    inner_ = values[At::inner];
    side_ = values[At::side];
    fused_ = whole(values, At::fused);
    chip_ = chip_of(whole(values, At::chip), numbers);
    kernels_ = cut(fused_);
    done_ = 0;
    memory_ = numbers_before();
    return {};
  }
  int length() const override { return static_cast<int>(kernels_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return length() == 1 ? " kernel" : " kernels"; }
  void step() override { run(kernels_[static_cast<std::size_t>(done_++)], memory_); }

  std::string broken() const override {
    if (done_ < length()) return {};
    Example apart = numbers_before();
    for (const Kernel& kernel : cut(0)) run(kernel, apart);
    return apart.c == memory_.c ? "" : "another cut gives another result";
  }
  std::vector<Count> counts() const override {
    double elements = 0;
    for (const Kernel& kernel : kernels_) elements += kernel.read + kernel.written;
    double extra = 0;  // passes over C in addition to the matmul's
    for (int op = fused_ + 1; op <= operations; ++op) extra += op == residual ? 3 : 2;
    // A fused residual still reads the other summand.
    if (fused_ >= residual) extra += 1;
    return {exact("elements moved", "", elements, 2 * side_ * inner_ + side_ * side_ * (1 + extra)),
            exact("kernels", "", length(), 1 + operations - fused_)};
  }
  Rendering draw(const Options& options) const override;

 private:
  static constexpr int residual = 3;

  // The operations on four elements of C, to check that all ways of fusing give the same result.
  struct Example {
    std::array<double, 4> c{}, bias{1, -8, 2, 3}, other{5, 6, 7, 8};
  };
  static Example numbers_before() { return {}; }
  static void run(const Kernel& kernel, Example& in_memory) {
    for (std::size_t i = 0; i < 4; ++i) {
      double kept = in_memory.c[i];  // the value on the chip between the operations of a kernel
      for (int op = kernel.first; op <= kernel.last; ++op) {
        if (op == 0) kept = 3.0 * static_cast<double>(i) - 2;
        if (op == 1) kept += in_memory.bias[i];
        if (op == 2) kept = std::max(kept, 0.0);
        if (op == 3) kept += in_memory.other[i];
        if (op == 4) kept *= 0.5;
      }
      in_memory.c[i] = kept;
    }
  }
  std::vector<Kernel> cut(int fused) const {
    std::vector<Kernel> all;
    const double c = side_ * side_;
    for (int op = 0; op <= operations; ++op) {
      if (op == 0 || op > fused) all.push_back({op, op, op == 0 ? 2 * side_ * inner_ : c, c, 0});
      Kernel& now = all.back();
      now.last = op;
      if (op == residual) now.read += c;
      now.flops += op == 0 ? 2 * c * inner_ : c;
    }
    return all;
  }
  double seconds(const Kernel& kernel) const {
    return std::max((kernel.read + kernel.written) * chip_.bytes / chip_.bandwidth,
                    kernel.flops / chip_.peak);
  }
  double seconds(const std::vector<Kernel>& all) const {
    double sum = 0;
    for (const Kernel& kernel : all) sum += seconds(kernel);
    return sum;
  }
  static std::string words(const Kernel& kernel) {
    std::string text(names[kernel.first]);
    if (kernel.last > kernel.first) text += " to " + std::string(names[kernel.last]);
    return text;
  }

  Chip chip_;
  double inner_ = 1, side_ = 1;
  int fused_ = 0, done_ = 0;
  std::vector<Kernel> kernels_;
  Example memory_;
};

Rendering Fusion::draw(const Options& options) const {
  const Palette& colors = colors_of(options);
  std::vector<BarRow> bars;
  Table table{{"Kernel", "Bytes", "FLOP", "Time", "Limited by"}, {}};
  std::string summary = "No machine has been measured here yet: choose a chip.";
  if (chip_.known()) {
    const double longest = seconds(cut(0).front());
    for (int i = 0; i < done_; ++i) {
      const Kernel& kernel = kernels_[static_cast<std::size_t>(i)];
      const double bytes = (kernel.read + kernel.written) * chip_.bytes;
      const bool waits = bytes / chip_.bandwidth > kernel.flops / chip_.peak;
      bars.push_back({words(kernel), quantity_text(seconds(kernel), Meaning::seconds, 3),
                      seconds(kernel) / std::max(longest, seconds(kernels_.back())),
                      waits ? colors.bandwidth : colors.compute});
      table.rows.push_back(
          {words(kernel), quantity_text(bytes, Meaning::bytes, 3), said(kernel.flops, 3),
           quantity_text(seconds(kernel), Meaning::seconds, 3), waits ? "memory" : "compute"});
    }
    for (const Kernel& kernel : std::span(kernels_).subspan(static_cast<std::size_t>(done_)))
      bars.push_back(bar_to_come(words(kernel)));
    const double apart = seconds(cut(0)), now = seconds(kernels_), whole = seconds(cut(operations));
    summary = "On " + the_machine(chip_.label) + " with k = " + said(inner_) + ": " +
              plural(length(), "kernel takes ", "kernels take ") +
              quantity_text(now, Meaning::seconds, 3) + ", all separate " +
              quantity_text(apart, Meaning::seconds, 3) + ", all fused " +
              quantity_text(whole, Meaning::seconds, 3) + ". Fusing everything is a speedup of " +
              said(apart / whole, 3) + ".";
  }
  return draw_bar_rows(options, operations + 1, std::string(title()), summary,
                       "time of each kernel", bars, std::move(table));
}

}  // namespace
}  // namespace fusion_model

std::unique_ptr<Model> make_fusion() { return std::make_unique<fusion_model::Fusion>(); }

}  // namespace figures::models
