// roofline-explorer: weights times a batch of vectors, and where batch, format and tile put the
// matmul under a machine's roof. A step doubles the batch and leaves a mark of the previous one.
#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/canvas.hpp"
#include "figures/kinds/roofline.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace roofline_explorer_model {
namespace {

constexpr Choice formats[] = {
    {"own", "the machine's"}, {"f32", "f32"}, {"bf16", "bf16"}, {"int8", "int8"}, {"int4", "int4"}};
constexpr Control controls_of_it[] = {
    choice("machine", "Machine", chip_choices, 0),
    choice("format", "Weights in", formats, 0),
    doubling("width", "Matrix side", "", 128, 16384, 8192),
    more(doubling("tile", "Tile of the result", "rows", 32, 4096, 4096)),
};
enum At : std::size_t { machine, format, width, tile };
constexpr int doublings = 12;  // from 1 to 4096

// A batch of rows times a square of weights. The result is computed in tiles of at most t×t, and
// each tile fetches its rows and columns again.
struct Traffic {
  double weights = 0, rows = 0, results = 0;  // elements
};

struct Spot {
  double batch = 1, intensity = 0;
};

class RooflineExplorer : public Model {
 public:
  std::string_view name() const override { return "roofline-explorer"; }
  std::string_view title() const override { return "A growing batch under the roof"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override { return chip_facts(); }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    chip_ = chip_of(whole(values, At::machine), numbers);
    constexpr double bytes[] = {0, 4, 2, 1, 0.5};
    const int chosen = whole(values, At::format);
    weight_bytes_ = chosen == 0 ? chip_.bytes : bytes[chosen];
    width_ = values[At::width];
    tile_ = values[At::tile];
    batch_ = 1;
    trail_ = {{batch_, intensity_of(batch_)}};
    return {};
  }
  int length() const override { return doublings; }
  int first() const override { return 6; }
  int on_paper() const override { return 10; }
  std::string step_words() const override { return " doublings: batch " + significant(batch_, 9); }
  void step() override {
    batch_ *= 2;
    trail_.push_back({batch_, intensity_of(batch_)});
  }

  std::string broken() const override {
    if (!chip_.known()) return {};
    const Spot& now = trail_.back();
    if (attainable(now) > chip_.peak * (1 + 1e-9)) return "above the ceiling";
    if (attainable(now) > chip_.bandwidth * now.intensity * (1 + 1e-9)) return "above the slope";
    return {};
  }
  std::vector<Count> counts() const override {
    const Traffic moved = traffic(batch_);
    const double across = std::ceil(width_ / tile_), down = std::ceil(batch_ / tile_);
    const double closed = (down * width_ * width_) * weight_bytes_ +
                          (across * batch_ * width_ + batch_ * width_) * chip_.bytes;
    return {exact("bytes moved", "B", bytes(moved), closed),
            // A batch reads its weights once per row of tiles: 2b/s for one row, less for more.
            between("FLOP per byte", "FLOP/B", trail_.back().intensity, 0,
                    2 * std::min(batch_, tile_) / weight_bytes_)};
  }

  Rendering draw(const Options& options) const override;

 private:
  Traffic traffic(double rows) const {
    Traffic sum;
    for (double i = 0; i < rows; i += tile_) {
      const double high = std::min(tile_, rows - i);
      for (double j = 0; j < width_; j += tile_) {
        const double wide = std::min(tile_, width_ - j);
        sum.rows += high * width_;
        sum.weights += width_ * wide;
        sum.results += high * wide;
      }
    }
    return sum;
  }
  double bytes(const Traffic& moved) const {
    return moved.weights * weight_bytes_ + (moved.rows + moved.results) * chip_.bytes;
  }
  double intensity_of(double rows) const {
    return 2 * rows * width_ * width_ / bytes(traffic(rows));
  }
  double attainable(const Spot& spot) const {
    return std::min(chip_.peak, chip_.bandwidth * spot.intensity);
  }
  // The batch at which the matmul is no longer memory-bound: s·I*/2.
  double critical() const { return weight_bytes_ * chip_.ridge() / 2; }
  std::string summary() const;

  Chip chip_;
  double weight_bytes_ = 4, width_ = 1, tile_ = 1, batch_ = 1;
  std::vector<Spot> trail_;  // the last one is the current spot
};

std::string RooflineExplorer::summary() const {
  if (!chip_.known()) return "No machine has been measured here yet: choose a chip.";
  const double work = 2 * batch_ * width_ * width_, moved = bytes(traffic(batch_));
  const double arithmetic = work / chip_.peak, carried = moved / chip_.bandwidth;
  std::string text = "A batch of " + significant(batch_, 4) + " on " + the_machine(chip_.label) +
                     ": its bytes take " + quantity_text(carried, Meaning::seconds, 3) +
                     ", its arithmetic " + quantity_text(arithmetic, Meaning::seconds, 3) +
                     ", so it is " + (carried > arithmetic ? "memory" : "compute") + "-bound" +
                     " and reaches at most " +
                     quantity_text(attainable(trail_.back()) / chip_.peak, Meaning::percent, 2) +
                     " of the ceiling. ";
  if (tile_ < critical())
    return text + "Tiles of " + significant(tile_, 4) +
           " rows fetch the weights again for each tile, so the dots stop below the ridge.";
  return text + "The weights alone reach the ridge at a batch of " + significant(critical(), 3) +
         ".";
}

Rendering RooflineExplorer::draw(const Options& options) const {
  Roofline picture;
  picture.title = std::string(title());
  picture.description = summary();
  if (chip_.known()) {
    figures::Machine machine;
    machine.name = chip_.label;
    machine.slopes.push_back({"", chip_.bandwidth});
    machine.ceilings.push_back({"", chip_.peak});
    if (chip_.label == reader_name) machine.role = Role::reader;
    picture.machines.push_back(machine);
  }
  Table table{{"Batch", "FLOPs per byte", "At most", "Of the ceiling"}, {}};
  for (const Spot& spot : trail_) {
    if (!chip_.known()) break;
    const double rate = attainable(spot);
    const bool named = &spot == &trail_.front() || &spot == &trail_.back();
    picture.marks.push_back({named ? "batch " + significant(spot.batch, 4) : std::string(),
                             picture.machines[0].role, spot.intensity, rate, 0, chip_.ridge(),
                             chip_.peak});
    table.rows.push_back({significant(spot.batch, 4), significant(spot.intensity, 3),
                          quantity_text(rate, Meaning::flop_rate, 3),
                          quantity_text(rate / chip_.peak, Meaning::percent, 2)});
  }
  // The axes depend only on the machine, so that the axes stay still during a walk.
  const double ridge = chip_.known() ? chip_.ridge() : 1, peak = chip_.known() ? chip_.peak : 1e12;
  picture.x_low = std::min(0.25, ridge / 8);
  picture.x_high = std::max(4096.0, ridge * 8);
  // Room above the ceiling for the label of a batch that reaches it.
  picture.y_low = power_of_ten(decade_of(peak * 0.25 / ridge));
  picture.y_high = peak * 6;
  picture.said = Roofline::Said::share_of_peak;
  Rendering drawing = draw_roofline(picture, options);
  say_natively(options.words, table);
  drawing.table = std::move(table);
  return drawing;
}

}  // namespace
}  // namespace roofline_explorer_model

std::unique_ptr<Model> make_roofline_explorer() {
  return std::make_unique<roofline_explorer_model::RooflineExplorer>();
}

}  // namespace figures::models
