// dataflow-energy: the energy of moving the data of a convolution, for four dataflows on an array
// of cells.
//
// A simplified count after Eyeriss (Chen, Emer and Sze 2016). It reproduces the order of the four
// dataflows but not their factors, because the paper gives each dataflow the same area and its best
// layout. Each word is read from DRAM once; the rest is buffer, neighbor and register traffic of
// the chosen blocks. A step adds a layer.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace dataflow_energy_model {
namespace {

struct Layer {
  double channels, filters, side, stride, input,
      output;  // side of the filter, the input, the output
};
// The convolutions of AlexNet as Eyeriss runs them: padded inputs, groups counted separately.
constexpr Layer layers[] = {{3, 96, 11, 4, 227, 55},
                            {48, 256, 5, 1, 31, 27},
                            {256, 384, 3, 1, 15, 13},
                            {192, 384, 3, 1, 15, 13},
                            {192, 256, 3, 1, 15, 13}};
constexpr Choice which[] = {{"all", "all five"}, {"conv1", "first"},  {"conv2", "second"},
                            {"conv3", "third"},  {"conv4", "fourth"}, {"conv5", "fifth"}};
constexpr Control controls_of_it[] = {
    choice("layer", "Convolutions of AlexNet", which),
    range("dram", "Word from DRAM / multiply-add", "×", 1, 400, 200),
    range("buffer", "From the buffer / multiply-add", "×", 1, 50, 6),
    more(range("neighbour", "From a neighbor / multiply-add", "×", 1, 20, 2)),
    more(doubling("images", "Images", "", 1, 64, 16)),
    more(doubling("cells", "Cells", "", 256, 1024, 256)),
    more(range("registers", "Weights per cell", "", 32, 512, 224)),
};
enum At : std::size_t { layer, dram, buffer, neighbour, images, cells, registers };

enum Part : std::size_t { arithmetic, in_cell, between_cells, in_buffer, off_chip };
constexpr const char* part_names[] = {"arithmetic", "registers", "neighbors", "buffer", "DRAM"};
using Words = std::array<double, 5>;  // multiply-adds, and words moved at each level

enum Flow : std::size_t { rows, weights, outputs, none };
constexpr const char* flow_names[] = {"row-stationary", "weight-stationary", "output-stationary",
                                      "no local reuse"};

double ceiled(double a, double b) {
  const double whole_blocks = std::floor(a / b);
  return whole_blocks * b < a ? whole_blocks + 1 : whole_blocks;
}

// The blocks of a layer: filters and channels (outputs, for output-stationary) per block.
struct Cut {
  double first = 1, second = 1;
};

class Mapping {
 public:
  Mapping(const Layer& shape, double batch, double array, double held)
      : l_(shape), images_(batch), cells_(array), registers_(held) {
    height_ = cells_ == 1024 ? 32 : 16;
    const double width = cells_ / height_;
    strip_ = std::min(l_.output, width);
    sets_down_ = std::floor(height_ / l_.side);
    sets_across_ = std::floor(width / strip_);
  }

  double macs() const { return output_words() * l_.channels * l_.side * l_.side; }

  // The traffic according to the formulas.
  Words closed(Flow flow, const Cut& cut) const {
    const double n = macs(), by_filter = ceiled(l_.filters, cut.first);
    const double by_channel = ceiled(l_.channels, cut.second);
    const double taps = images_ * l_.channels * l_.output * l_.output * l_.side;
    const double all = weight_words() + input_words() + output_words();
    switch (flow) {
      case weights:
        return {n, n, 2 * n,
                weight_words() + input_words() * by_filter + 2 * output_words() * by_channel, all};
      case outputs:
        return {n, 2 * n, 2 * n,
                weight_words() * ceiled(images_ * l_.output * l_.output, cut.second) +
                    taps * l_.stride * by_filter + output_words(),
                all};
      case none:
        return {n, 0, 2 * n, n + taps * l_.side * by_filter + 2 * n / l_.channels * by_channel,
                all};
      case rows: break;
    }
    const double groups = ceiled(images_, sets_across_) * ceiled(l_.output, strip_);
    return {n, 4 * n,
            n / l_.output + taps * l_.stride * by_filter + n / (l_.channels * l_.side) * by_channel,
            weight_words() * groups + input_words() * ceiled(l_.filters, cut.first * sets_down_) +
                2 * output_words() * by_channel,
            all};
  }

  // The traffic counted by walking through the blocks; the last ones have fewer filters and
  // channels.
  Words walked(Flow flow, const Cut& cut) const {
    const double pixels = l_.output * l_.output, taps = l_.side * l_.side;
    Words sum{};
    sum[off_chip] = weight_words() + input_words() + output_words();
    for (double f = 0; f < l_.filters; f += cut.first) {
      const double some = std::min(cut.first, l_.filters - f);
      if (flow == outputs) {
        walk_outputs(sum, some, cut.second);
        continue;
      }
      for (double c = 0; c < l_.channels; c += cut.second) {
        const double deep = std::min(cut.second, l_.channels - c);
        const double n = images_ * pixels * taps * some * deep, sums = images_ * pixels * some;
        sum[arithmetic] += n;
        if (flow == weights) {
          sum[in_cell] += n;
          sum[between_cells] += 2 * n;
          sum[in_buffer] += some * deep * taps + images_ * deep * l_.input * l_.input + 2 * sums;
        } else if (flow == none) {
          sum[between_cells] += 2 * n;
          sum[in_buffer] += n + n / some + 2 * sums * taps;
        } else {
          sum[in_cell] += 4 * n;
          sum[between_cells] += n / l_.output + n / (some * l_.side) * l_.stride + sums * l_.side;
          sum[in_buffer] += 2 * sums;
        }
      }
    }
    if (flow == rows) walk_sets(sum, cut);
    return sum;
  }

  // The cheapest cut that fits.
  Cut best(Flow flow, const Words& prices) const {
    Cut best;
    double least = -1;
    const auto consider = [&](const Cut& cut) {
      const Words words = closed(flow, cut);
      double cost = 0;
      for (std::size_t i = 0; i < words.size(); ++i) cost += words[i] * prices[i];
      if (least < 0 || cost < least) least = cost, best = cut;
    };
    const double room = flow == weights ? std::floor(cells_ / (l_.side * l_.side)) : cells_;
    const double held = std::floor(registers_ / l_.side);
    const double most = std::min(l_.filters, flow == rows ? held : room);
    for (double first = 1; first <= most; ++first) {
      const double second = std::floor((flow == rows ? held : room) / first);
      if (flow == outputs) consider({first, std::min(second, l_.output * l_.output)});
      else consider({first, std::min(second, l_.channels)});
    }
    return best;
  }

 private:
  double weight_words() const { return l_.filters * l_.channels * l_.side * l_.side; }
  double input_words() const { return images_ * l_.channels * l_.input * l_.input; }
  double output_words() const { return images_ * l_.filters * l_.output * l_.output; }

  void walk_outputs(Words& sum, double some, double at_once) const {
    const double all = images_ * l_.output * l_.output, depth = l_.channels * l_.side * l_.side;
    for (double o = 0; o < all; o += at_once) {
      const double n = std::min(at_once, all - o) * some * depth;
      sum[arithmetic] += n;
      sum[in_cell] += 2 * n;
      sum[between_cells] += 2 * n;
      sum[in_buffer] += some * depth + std::min(at_once, all - o) * some;
    }
    // An output row slides over `side` input rows and reads `stride` new words per output.
    sum[in_buffer] += all * l_.stride * l_.side * l_.channels;
  }

  void walk_sets(Words& sum, const Cut& cut) const {
    for (double image = 0; image < images_; image += sets_across_)
      for (double row = 0; row < l_.output; row += strip_) sum[in_buffer] += weight_words();
    for (double f = 0; f < l_.filters; f += cut.first * sets_down_) sum[in_buffer] += input_words();
  }

  const Layer& l_;
  double images_, cells_, registers_, height_ = 16, strip_ = 1, sets_down_ = 1, sets_across_ = 1;
};

class DataflowEnergy : public Model {
 public:
  std::string_view name() const override { return "dataflow-energy"; }
  std::string_view title() const override { return "Energy of four dataflows"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    const int chosen = whole(values, At::layer);
    first_ = chosen == 0 ? 0 : chosen - 1;
    last_ = chosen == 0 ? 5 : chosen;
    prices_ = {1, 1, values[At::neighbour], values[At::buffer], values[At::dram]};
    images_ = values[At::images];
    cells_ = values[At::cells];
    registers_ = values[At::registers];
    done_ = first_;
    walked_ = {};
    closed_ = {};
    most_ = 0;
    for (std::size_t flow = 0; flow < 4; ++flow) {
      double cost = 0;
      for (int i = first_; i < last_; ++i) {
        const Mapping mapping = mapping_of(i);
        const Flow kind = static_cast<Flow>(flow);
        cost += cost_of(mapping.closed(kind, mapping.best(kind, prices_)));
      }
      most_ = std::max(most_, cost);
    }
    return {};
  }
  int length() const override { return last_ - first_; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return length() == 1 ? " layer" : " layers"; }
  void step() override {
    const Mapping mapping = mapping_of(done_++);
    for (std::size_t flow = 0; flow < 4; ++flow) {
      const Flow kind = static_cast<Flow>(flow);
      const Cut cut = mapping.best(kind, prices_);
      const Words walked = mapping.walked(kind, cut), closed = mapping.closed(kind, cut);
      for (std::size_t i = 0; i < walked.size(); ++i)
        walked_[flow][i] += walked[i], closed_[flow][i] += closed[i];
    }
  }

  std::string broken() const override {
    for (const Words& words : walked_)
      if (words[arithmetic] != walked_[0][arithmetic]) return "the flows do not do the same work";
    return {};
  }
  std::vector<Count> counts() const override {
    std::vector<Count> counts;
    for (std::size_t flow = 0; flow < 4; ++flow)
      for (const Part part : {arithmetic, between_cells, in_buffer})
        counts.push_back(exact(std::string(flow_names[flow]) + ", " + part_names[part], "words",
                               walked_[flow][part], closed_[flow][part]));
    for (std::size_t flow = 0; flow < 4; ++flow)
      counts.push_back(exact(std::string(flow_names[flow]) + ", energy", "multiply-adds",
                             cost_of(walked_[flow]), cost_of(closed_[flow])));
    return counts;
  }
  Rendering draw(const Options& options) const override;

 private:
  Mapping mapping_of(int i) const { return {layers[i], images_, cells_, registers_}; }
  double cost_of(const Words& words) const {
    double sum = 0;
    for (std::size_t i = 0; i < words.size(); ++i) sum += words[i] * prices_[i];
    return sum;
  }
  std::string per_mac(std::size_t flow) const {
    return said(cost_of(walked_[flow]) / walked_[flow][arithmetic], 3);
  }
  std::string summary() const;

  int first_ = 0, last_ = 5, done_ = 0;
  double images_ = 16, cells_ = 256, registers_ = 224, most_ = 1;
  Words prices_{};
  std::array<Words, 4> walked_{}, closed_{};
};

std::string DataflowEnergy::summary() const {
  if (done_ == first_) return "No layer has run yet.";
  std::string text = "Energy per multiply-add with all data movement, in multiply-adds: ";
  for (std::size_t flow = 0; flow < 4; ++flow)
    text += (flow == 0 ? "" : ", ") + std::string(flow_names[flow]) + " " + per_mac(flow);
  return text + ". The count is simplified: the order is the paper's, the factors are not.";
}

Rendering DataflowEnergy::draw(const Options& options) const {
  constexpr double wide_pitch = 40, narrow_pitch = 52;
  Sheet sheet(options, 66 + 4 * wide_pitch, 84 + 4 * narrow_pitch, std::string(title()), summary());
  const bool narrow = sheet.narrow();
  const std::array<std::pair<std::string_view, std::string_view>, 5> hues = {
      {{sheet.colors().compute, ""},
       {sheet.colors().compute, "0.5"},
       {sheet.colors().bandwidth, "0.3"},
       {sheet.colors().bandwidth, "0.6"},
       {sheet.colors().bandwidth, ""}}};
  double x = 12, y = 18;
  for (std::size_t i = 0; i < hues.size(); ++i) {
    const double width = 20 + sheet.note_width(part_names[i]);
    if (x > 12 && x + width > sheet.width() - 12) x = 12, y += 19;
    sheet.boxes({{x, y - 10, x + 14, y}}, hues[i].first, hues[i].second);
    sheet.note(part_names[i], {x + 20, y});
    x += width + 16;
  }
  const double left = narrow ? 12 : 160, room = sheet.width() - left - (narrow ? 12 : 150);
  Table table{{"Dataflow", "Arithmetic", "Registers", "Neighbors", "Buffer", "DRAM", "All"}, {}};
  for (std::size_t flow = 0; flow < 4; ++flow) {
    const double top = (narrow ? 56 : 34) + double(flow) * (narrow ? narrow_pitch : wide_pitch);
    const double bar = narrow ? top + 18 : top;
    double at = left;
    for (std::size_t i = 0; i < hues.size(); ++i) {
      const double width = room * walked_[flow][i] * prices_[i] / most_;
      if (width > 0) sheet.boxes({{at, bar, at + width, bar + 24}}, hues[i].first, hues[i].second);
      at += width;
    }
    table.rows.push_back({flow_names[flow]});
    for (std::size_t i = 0; i < hues.size(); ++i)
      table.rows.back().push_back(said(walked_[flow][i] * prices_[i], 4));
    table.rows.back().push_back(said(cost_of(walked_[flow]), 4));
    if (narrow) sheet.note(flow_names[flow], {left, top + 13});
    else sheet.note(flow_names[flow], {left - 10, bar + 16}, 1);
    if (done_ == first_) continue;
    const double ratio = cost_of(walked_[flow]) / cost_of(walked_[0]);
    const std::string text = said(ratio, 3) + " ×, " + per_mac(flow) + " each";
    if (narrow) sheet.note(text, {sheet.width() - 12, top + 13}, 1, sheet.colors().ink);
    else sheet.note(text, {at + 8, bar + 16}, -1, sheet.colors().ink);
  }
  const double base = sheet.height() - 10;
  sheet.note("after " + plural(done_ - first_, "layer", "layers"), {12, base});
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace dataflow_energy_model

std::unique_ptr<Model> make_dataflow_energy() {
  return std::make_unique<dataflow_energy_model::DataflowEnergy>();
}

}  // namespace figures::models
