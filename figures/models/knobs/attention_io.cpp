// attention-io: attention over n tokens in tiles, and the number of elements moved to and from far
// memory.
//
// Naive: the scores are written and read twice, 4n² + 4nd. Tiled with queries outermost (Dao 2023):
// each block of B queries stays while all keys and values pass, 2nd⌈n/B⌉ + 2nd. Tiled with keys
// outermost (Dao 2022, the algorithm of Theorem 2): 2nd + ⌈n/B⌉(3nd + 4n). The side of a tile is B
// = ⌈M/4d⌉ for a near memory of M elements. A step is one tile.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace attention_io_model {
namespace {

constexpr double float_bytes = 4;
constexpr double softmax_flops = 5;  // per element of the scores, in addition to the two matmuls

constexpr Choice orders[] = {{"queries", "a block of queries stays"},
                             {"keys", "a block of keys stays"}};
constexpr Control controls_of_it[] = {
    doubling("tokens", "Tokens", "", 256, 8192, 1024),
    range("near", "On-chip memory", "KiB", 32, 1024, 200),
    doubling("width", "Width of a head", "", 32, 128, 64),
    choice("order", "Order", orders),
};
enum At : std::size_t { tokens, near, width, order };

// Computes eight queries against eight keys of width four with a running maximum and sum, in the
// same tiles as the figure. This shows that the counted order gives the right result.
class Example {
 public:
  static constexpr int n = 8, d = 4;
  Example() {
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < d; ++k) {
        q_[at(i, k)] = ((i * 5 + k * 3) % 7 - 3) * 0.4;
        key_[at(i, k)] = ((i * 3 + k * 5) % 11 - 5) * 0.3;
        v_[at(i, k)] = (i * 7 + k * 2) % 5 - 2;
      }
    maximum_.fill(-1e30);
  }
  void tile(int first_query, int queries, int first_key, int keys) {
    for (int i = first_query; i < first_query + queries; ++i) {
      const std::size_t row = static_cast<std::size_t>(i);
      for (int j = first_key; j < first_key + keys; ++j) {
        const double score = dot(i, j), high = std::max(maximum_[row], score);
        const double keep = exponential(maximum_[row] - high), weight = exponential(score - high);
        sum_[row] = sum_[row] * keep + weight;
        for (int k = 0; k < d; ++k) out_[at(i, k)] = out_[at(i, k)] * keep + weight * v_[at(j, k)];
        maximum_[row] = high;
      }
    }
  }
  // The largest difference from the result computed in whole rows.
  double error() const {
    double worst = 0;
    for (int i = 0; i < n; ++i) {
      double high = -1e30, sum = 0;
      for (int j = 0; j < n; ++j) high = std::max(high, dot(i, j));
      std::array<double, d> row{};
      for (int j = 0; j < n; ++j) {
        const double weight = exponential(dot(i, j) - high);
        sum += weight;
        for (int k = 0; k < d; ++k) row[static_cast<std::size_t>(k)] += weight * v_[at(j, k)];
      }
      for (int k = 0; k < d; ++k) {
        const double off = row[static_cast<std::size_t>(k)] / sum -
                           out_[at(i, k)] / sum_[static_cast<std::size_t>(i)];
        worst = std::max(worst, std::max(off, -off));
      }
    }
    return worst;
  }

 private:
  static std::size_t at(int i, int k) { return static_cast<std::size_t>(i * d + k); }
  static double exponential(double x) { return x < -60 ? 0 : exp2_of(x * 1.4426950408889634); }
  double dot(int i, int j) const {
    double sum = 0;
    for (int k = 0; k < d; ++k) sum += q_[at(i, k)] * key_[at(j, k)];
    return sum * 0.5;  // divided by the square root of d
  }
  std::array<double, n * d> q_{}, key_{}, v_{}, out_{};
  std::array<double, n> maximum_{}, sum_{};
};

class AttentionIo : public Model {
 public:
  std::string_view name() const override { return "attention-io"; }
  std::string_view title() const override { return "Tiled attention"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    n_ = values[At::tokens];
    d_ = values[At::width];
    near_ = values[At::near] * 1024 / float_bytes;
    keys_stay_ = whole(values, At::order) == 1;
    side_ = std::min(n_, rounded_up(near_, 4 * d_));
    blocks_ = static_cast<int>(rounded_up(n_, side_));
    machine_ = numbers.machine;
    done_ = 0;
    moved_ = flops_ = 0;
    example_ = Example();
    return {};
  }
  int length() const override { return blocks_ * blocks_; }
  int first() const override { return length() * 2 / 5; }
  std::string step_words() const override { return length() == 1 ? " tile" : " tiles"; }
  void step() override {
    const int outer = done_ / blocks_, inner = done_ % blocks_;
    const double stay = extent(outer), pass = extent(inner);
    if (keys_stay_) {
      if (inner == 0) moved_ += 2 * stay * d_;  // keys and values are read
      moved_ += 3 * pass * d_ + 4 * pass;       // queries, results and both sums; results twice
    } else {
      if (inner == 0) moved_ += stay * d_;            // queries are read
      moved_ += 2 * pass * d_;                        // keys and values pass
      if (inner == blocks_ - 1) moved_ += stay * d_;  // results are written
    }
    flops_ += stay * pass * (4 * d_ + softmax_flops);
    const int small = std::min(blocks_, Example::n);
    if (outer < small && inner < small) {
      const auto first = [&](int block) { return block * Example::n / small; };
      const int a = first(outer), b = first(outer + 1), c = first(inner), e = first(inner + 1);
      if (keys_stay_) example_.tile(c, e - c, a, b - a);
      else example_.tile(a, b - a, c, e - c);
    }
    ++done_;
  }

  std::string broken() const override {
    if (4 * side_ * d_ > near_ + 4 * d_ && side_ < n_)
      return "the tiles do not fit the near memory";
    if (done_ == length() && example_.error() > 1e-6) return "the tiles' result is not the rows'";
    return {};
  }
  std::vector<Count> counts() const override {
    return {exact("elements moved", "", moved_, closed()),
            exact("FLOP", "", flops_, n_ * n_ * (4 * d_ + softmax_flops))};
  }
  Rendering draw(const Options& options) const override;

 private:
  static double rounded_up(double value, double by) {
    const double whole = static_cast<double>(static_cast<long long>(value / by));
    return whole * by < value ? whole + 1 : whole;
  }
  double extent(int block) const { return std::min(side_, n_ - block * side_); }
  double closed() const {
    return keys_stay_ ? 2 * n_ * d_ + blocks_ * (3 * n_ * d_ + 4 * n_)
                      : 2 * n_ * d_ * blocks_ + 2 * n_ * d_;
  }
  double naive() const { return 4 * n_ * n_ + 4 * n_ * d_; }
  std::string summary() const;
  void draw_scores(Sheet& sheet, Point corner, double size) const;
  void draw_bars(Sheet& sheet, Point corner, double room) const;

  double n_ = 1, d_ = 1, near_ = 1, side_ = 1, moved_ = 0, flops_ = 0;
  bool keys_stay_ = false;
  int blocks_ = 1, done_ = 0;
  Machine machine_;
  Example example_;
};

std::string AttentionIo::summary() const {
  std::string text = said(n_) + " tokens in tiles of " + said(side_) + ": " +
                     quantity_text(closed() * float_bytes, Meaning::bytes, 3) +
                     " move to and from main memory, where whole rows of scores need " +
                     quantity_text(naive() * float_bytes, Meaning::bytes, 3) + ", " +
                     said(naive() / closed(), 3) + " times as many. The scores are " +
                     quantity_text(n_ * n_ * float_bytes, Meaning::bytes, 3) + ", a tile of them " +
                     quantity_text(side_ * side_ * float_bytes, Meaning::bytes, 3) + ".";
  if (machine_.peak > 0 && machine_.bandwidth > 0) {
    const double work = n_ * n_ * (4 * d_ + softmax_flops) / machine_.peak;
    const auto time = [&](double elements) {
      return std::max(work, elements * float_bytes / machine_.bandwidth);
    };
    text += " At the roof of " + the_machine(machine_.label) + " that is a speedup of " +
            said(time(naive()) / time(closed()), 3) + ".";
  }
  return text;
}

void AttentionIo::draw_scores(Sheet& sheet, Point corner, double size) const {
  const Palette& colors = sheet.colors();
  const double unit = size / n_;
  const int outer = done_ / blocks_, inner = done_ % blocks_;
  // Rows of the figure are queries, columns are keys.
  const auto box = [&](double from_outer, double to_outer, double from_inner, double to_inner) {
    return keys_stay_ ? Box{corner.x + from_outer * unit, corner.y + from_inner * unit,
                            corner.x + to_outer * unit, corner.y + to_inner * unit}
                      : Box{corner.x + from_inner * unit, corner.y + from_outer * unit,
                            corner.x + to_inner * unit, corner.y + to_outer * unit};
  };
  std::vector<Box> past;
  if (outer > 0) past.push_back(box(0, std::min(n_, outer * side_), 0, n_));
  if (inner > 0)
    past.push_back(box(outer * side_, outer * side_ + extent(outer), 0, inner * side_));
  sheet.boxes(past, colors.reference, "0.35");
  if (done_ < length())
    sheet.box(box(outer * side_, outer * side_ + extent(outer), inner * side_,
                  inner * side_ + extent(inner)),
              colors.compute);
  sheet.outlines({{corner.x, corner.y, corner.x + size, corner.y + size}}, colors.ink);
  sheet.note("keys and values →", {corner.x, corner.y - 8});
  sheet.note("queries ↓", {corner.x, corner.y + size + 17});
}

void AttentionIo::draw_bars(Sheet& sheet, Point corner, double room) const {
  const Palette& colors = sheet.colors();
  const struct {
    std::string name;
    double elements;
    std::string_view fill;
  } bars[] = {{"whole rows", naive(), colors.reference},
              {"tiles, all", closed(), colors.bandwidth},
              {"tiles, so far", moved_, colors.bandwidth}};
  const double most = std::max(naive(), closed());
  double y = corner.y;
  sheet.note("bytes to and from main memory", {corner.x, y});
  for (const auto& bar : bars) {
    y += 22;
    sheet.note(bar.name, {corner.x, y});
    sheet.note(quantity_text(bar.elements * float_bytes, Meaning::bytes, 3), {corner.x + room, y},
               1, colors.ink);
    sheet.boxes({{corner.x, y + 6, corner.x + std::max(1.5, room * bar.elements / most), y + 20}},
                bar.fill);
    y += 18;
  }
}

Rendering AttentionIo::draw(const Options& options) const {
  Sheet sheet(options, 290, 470, std::string(title()), summary());
  const bool narrow = sheet.narrow();
  draw_scores(sheet, {narrow ? 64.0 : 40.0, 36}, 220);
  draw_bars(sheet, {narrow ? 16.0 : 330.0, narrow ? 316.0 : 80.0},
            narrow ? sheet.width() - 32 : sheet.width() - 370);
  Table table{{"What", "Whole rows", "Tiles"}, {}};
  table.rows.push_back({"elements moved", said(naive()), said(closed())});
  table.rows.push_back({"scores held at once",
                        quantity_text(n_ * n_ * float_bytes, Meaning::bytes, 3),
                        quantity_text(side_ * side_ * float_bytes, Meaning::bytes, 3)});
  table.rows.push_back(
      {"FLOP", said(n_ * n_ * (4 * d_ + softmax_flops)), said(n_ * n_ * (4 * d_ + softmax_flops))});
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace attention_io_model

std::unique_ptr<Model> make_attention_io() {
  return std::make_unique<attention_io_model::AttentionIo>();
}

}  // namespace figures::models
