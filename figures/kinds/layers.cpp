#include "figures/kinds/layers.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

enum class Does { product, elementwise, reduction };
constexpr std::string_view words_of[] = {"matmul", "elementwise", "reduction"};

struct Kernel {
  std::string label;
  Does does = Does::product;
  double flops = 0, bytes = 0;
  double intensity() const { return flops / bytes; }
};

struct Layer {
  std::string label;
  std::vector<Kernel> kernels;
};

struct Network {
  std::string title, description;
  SpecMachine machine;
  std::vector<Layer> layers;
  Table table;

  std::size_t count() const {
    std::size_t sum = 0;
    for (const Layer& layer : layers) sum += layer.kernels.size();
    return sum;
  }
  bool has(Does does) const {
    for (const Layer& layer : layers)
      for (const Kernel& kernel : layer.kernels)
        if (kernel.does == does) return true;
    return false;
  }
  bool waits_for_bytes(const Kernel& kernel) const {
    return machine.known() && kernel.intensity() < machine.ridge();
  }
};

std::string flops_text(double value) { return format(Quantity{value, flop_dimension}, 3); }
std::string bytes_text(double value) { return format(Quantity{value, byte_dimension}, 3); }

class LayersReader : private GivenReader {
 public:
  LayersReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Network> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    if (const nlohmann::json* machine = fields_.member("machine")) {
      Fields one(*machine, "machine", error_);
      out_.machine = read_machine(one, scope_);
    }
    fields_.each("layers", [&](Fields& one) { read_layer(one); });
    if (error_) return *error_;
    if (out_.count() > 24) return Error{"layers: more than 24 kernels"}.of("layers");
    tabulate();
    return std::move(out_);
  }

 private:
  void read_layer(Fields& one) {
    Layer layer;
    layer.label = one.text("label");
    one.each("kernels", [&](Fields& kernel) { read_kernel(kernel, layer); });
    out_.layers.push_back(std::move(layer));
  }

  void read_kernel(Fields& one, Layer& layer) {
    Kernel kernel;
    kernel.label = one.text("label");
    const std::string does = one.text("does", "product");
    kernel.does = does == "product"       ? Does::product
                  : does == "elementwise" ? Does::elementwise
                                          : Does::reduction;
    kernel.flops = one.quantity("flops", scope_, flop_dimension);
    kernel.bytes = one.quantity("bytes", scope_, byte_dimension);
    if (!error_ && !(kernel.flops >= 0 && kernel.flops < 1e24)) one.fail("flops", "are negative");
    if (!error_ && !(kernel.bytes > 0 && kernel.bytes < 1e24))
      one.fail("bytes", "are not positive");
    layer.kernels.push_back(std::move(kernel));
  }

  void tabulate() {
    out_.table.columns = {"Layer", "Kernel", "Kind", "Arithmetic", "Bytes", "FLOP/B"};
    if (out_.machine.known()) out_.table.columns.push_back("On " + out_.machine.label);
    for (const Layer& layer : out_.layers)
      for (const Kernel& k : layer.kernels) {
        out_.table.add({layer.label, k.label, std::string(words_of[static_cast<int>(k.does)]),
                        flops_text(k.flops), bytes_text(k.bytes), significant(k.intensity(), 3)});
        if (!out_.machine.known()) continue;
        const double time = std::max(k.flops / out_.machine.peak, k.bytes / out_.machine.bandwidth);
        out_.table.rows.back().push_back(
            "at least " + quantity_text(time, Meaning::seconds) +
            (out_.waits_for_bytes(k) ? ", memory-bound" : ", compute-bound"));
      }
  }

  Network out_;
};

// Wide: one line per kernel, with a strip for its intensity. Narrow: two lines per kernel.
class LayersDrawing {
 public:
  LayersDrawing(const Network& net, const Options& options)
      : net_(net),
        sheet_(options, wide_height(net), narrow_height(net), net.title, net.description),
        colors_(sheet_.colors()) {
    for (const Layer& layer : net.layers)
      for (const Kernel& kernel : layer.kernels) {
        most_flops_ = std::max(most_flops_, kernel.flops);
        most_bytes_ = std::max(most_bytes_, kernel.bytes);
        names_ = std::max(names_, sheet_.note_width(kernel.label));
      }
  }

  Rendering draw() {
    if (sheet_.narrow()) draw_narrow();
    else draw_wide();
    return sheet_.finish(net_.table);
  }

 private:
  static constexpr double pitch = 23, narrow_pitch = 40, head = 40, layer_head = 26;
  // The first line of the key explains the marks. The second explains the bounds, if a machine is
  // known.
  static double foot(const Network& net) { return net.machine.known() ? 50 : 30; }

  static double wide_height(const Network& net) {
    return head + pitch * static_cast<double>(net.count()) +
           7 * static_cast<double>(net.layers.size()) + foot(net);
  }
  static double narrow_height(const Network& net) {
    return 30 + narrow_pitch * static_cast<double>(net.count()) +
           layer_head * static_cast<double>(net.layers.size()) + foot(net);
  }

  // Shows the kind of a kernel by shape: a filled square, a bar or a triangle.
  void mark(Does does, double x, double y) {
    if (does == Does::product) sheet_.box({x, y - 9, x + 9, y}, colors_.ink_soft);
    if (does == Does::elementwise) sheet_.box({x, y - 6, x + 9, y - 3}, colors_.ink_soft);
    if (does == Does::reduction) sheet_.triangle({x + 4.5, y - 4.5}, 5, colors_.ink_soft);
  }

  void key() {
    double x = sheet_.narrow() ? 8 : 12, y = sheet_.height() - foot(net_) + 21;
    for (const Does does : {Does::product, Does::elementwise, Does::reduction}) {
      if (!net_.has(does)) continue;
      const std::string_view words = words_of[static_cast<int>(does)];
      mark(does, x, y);
      sheet_.note(std::string(words), {x + 15, y});
      x += 15 + sheet_.note_width(words) + 20;
    }
    if (!net_.machine.known()) return;
    x = sheet_.narrow() ? 8 : 12, y += 20;
    const std::string below =
        "below the ridge of " + net_.machine.label + ", " + significant(net_.machine.ridge(), 3);
    sheet_.diamond({x + 5, y - 4}, 5.5, colors_.bandwidth);
    sheet_.note(below, {x + 15, y});
    x += 15 + sheet_.note_width(below) + 20;
    sheet_.dot({x + 5, y - 4}, 4.5, colors_.compute);
    sheet_.note("above it", {x + 15, y});
  }

  // A bar followed by its number.
  void bar(double left, double room, double y, double share, const std::string& said,
           std::string_view color) {
    const double long_enough = std::max(1.0, room * share);
    const Box box{left, y - 10, left + long_enough, y + 1};
    sheet_.box(box, color);
    sheet_.hatch(box, color);
    sheet_.note(said, {left + long_enough + 5, y});
  }

  void dot(double x, double y, const Kernel& kernel) {
    const bool bytes = net_.waits_for_bytes(kernel);
    if (bytes) sheet_.diamond({x, y}, 5.5, colors_.bandwidth);
    else sheet_.dot({x, y}, 4.5, net_.machine.known() ? colors_.compute : colors_.ink);
  }

  std::string_view hue(const Kernel& kernel) const {
    if (!net_.machine.known()) return colors_.ink;
    return net_.waits_for_bytes(kernel) ? colors_.bandwidth : colors_.compute;
  }

  void draw_wide() {
    double layers = 0;
    for (const Layer& layer : net_.layers)
      layers = std::max(layers, sheet_.name_width(layer.label));
    const double first = 12 + std::min(layers, 120.0) + 16, second = first + 16;
    const double left = second + std::min(names_, 190.0) + 18, right = sheet_.width() - 12;
    const double number = 78, strip = std::max(130.0, (right - left) * 0.36);
    const double room = (right - strip - left - 2 * number - 24) / 2;
    const double bytes = left + room + number + 6, start = right - strip;
    sheet_.note("arithmetic", {left, 20}, -1, colors_.compute);
    sheet_.note("bytes", {bytes, 20}, -1, colors_.bandwidth);
    const auto [low, high] = range();
    // Leave room for the last number, which is to the right of its dot.
    const LogScale x{low, high, start, right - 36};
    strip_head(x, start, right);
    double y = head;
    for (const Layer& layer : net_.layers) {
      sheet_.line({12, y + 0.5}, {right, y + 0.5}, colors_.rule);
      y += 7;
      sheet_.name_in(120, layer.label, {12, y + 14});
      for (const Kernel& kernel : layer.kernels) {
        mark(kernel.does, first, y + 13.5);
        sheet_.note_in(190, kernel.label, {second, y + 14}, -1, colors_.ink);
        bar(left, room, y + 14, kernel.flops / most_flops_, flops_text(kernel.flops),
            colors_.compute);
        bar(bytes, room, y + 14, kernel.bytes / most_bytes_, bytes_text(kernel.bytes),
            colors_.bandwidth);
        if (kernel.flops > 0) intensity(kernel, x, y + 9.5, start, right);
        y += pitch;
      }
    }
    key();
  }

  std::pair<double, double> range() const {
    double low = 1e300, high = 0;
    for (const Layer& layer : net_.layers)
      for (const Kernel& kernel : layer.kernels)
        if (kernel.flops > 0) {
          low = std::min(low, kernel.intensity());
          high = std::max(high, kernel.intensity());
        }
    if (net_.machine.known()) {
      low = std::min(low, net_.machine.ridge());
      high = std::max(high, net_.machine.ridge());
    }
    if (!(low < high)) low = high > 0 ? high / 2 : 1, high = low * 4;
    return {low / 1.6, high * 1.2};
  }

  // The ridge point, across all rows. To the right of it a kernel is compute-bound.
  void strip_head(const LogScale& x, double start, double right) {
    sheet_.note("FLOPs per byte →", {start, 20});
    if (!net_.machine.known()) return;
    const double ridge = x(net_.machine.ridge());
    sheet_.line({ridge, head}, {ridge, sheet_.height() - foot(net_)}, colors_.ink_soft, 1, "2 4");
    const std::string said = "ridge, " + significant(net_.machine.ridge(), 3);
    const double half = sheet_.note_width(said) / 2;
    sheet_.note(said, {std::clamp(ridge, start + half, right - half), head - 5}, 0);
  }

  void intensity(const Kernel& kernel, const LogScale& x, double y, double start, double right) {
    const double at = x(kernel.intensity());
    dot(at, y, kernel);
    const std::string said = significant(kernel.intensity(), 3);
    const double wide = sheet_.note_width(said) + 10;
    // Put the number on the side with more room that does not cross the ridge.
    const double ridge = net_.machine.known() ? x(net_.machine.ridge()) : 0;
    const bool crosses = at < ridge && at + wide > ridge - 3;
    const bool fits_left = at - wide > start && !(at > ridge && at - wide < ridge + 3);
    const bool on_left = fits_left && (crosses || at + wide > right);
    sheet_.note(said, {at + (on_left ? -9 : 9), y + 4.5}, on_left ? 1 : -1, hue(kernel));
  }

  void draw_narrow() {
    const double left = 8, right = sheet_.width() - 8, half = (right - left) / 2 + 2;
    sheet_.note("arithmetic", {left, 18}, -1, colors_.compute);
    sheet_.note("bytes", {left + half, 18}, -1, colors_.bandwidth);
    sheet_.note("FLOPs per byte", {right, 18}, 1);
    double y = 26;
    for (const Layer& layer : net_.layers) {
      sheet_.line({left, y + 0.5}, {right, y + 0.5}, colors_.rule);
      sheet_.name_in(right - left, layer.label, {left, y + 18});
      y += layer_head;
      for (const Kernel& kernel : layer.kernels) {
        mark(kernel.does, left, y + 11.5);
        const std::string said = significant(kernel.intensity(), 3);
        sheet_.note_in(right - left - 80, kernel.label, {left + 15, y + 12}, -1, colors_.ink);
        if (kernel.flops > 0) {
          sheet_.note(said, {right, y + 12}, 1, hue(kernel));
          dot(right - sheet_.note_width(said) - 9, y + 8, kernel);
        }
        const double room = half - 84;
        bar(left, room, y + 29, kernel.flops / most_flops_, flops_text(kernel.flops),
            colors_.compute);
        bar(left + half, room, y + 29, kernel.bytes / most_bytes_, bytes_text(kernel.bytes),
            colors_.bandwidth);
        y += narrow_pitch;
      }
    }
    key();
  }

  const Network& net_;
  models::Sheet sheet_;
  const Palette& colors_;
  double most_flops_ = 1e-300, most_bytes_ = 0, names_ = 0;
};

}  // namespace

Result<Rendering> render_layers(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options) {
  const Result<Network> net = LayersReader(spec, inputs).read();
  if (!net) return net.error();
  return LayersDrawing(*net, options).draw();
}

}  // namespace figures
