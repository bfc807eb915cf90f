// little: how many loads must be in flight to saturate a memory, by Little's law.
//
// A thread issues `u` loads of `e` bytes, waits for them and is replaced. Its lifetime is the
// memory's latency λ plus the overhead o of launching and retiring it. N threads deliver N·u·e/(λ +
// o) until the memory is saturated. A step doubles the number of threads.
#include <algorithm>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace little_model {
namespace {

constexpr int doublings = 6;  // from 1/64 of all threads to all
constexpr int rounds = 5;     // per thread in the simulation

// RRZE-HPC, gpu-benches (gpu-latency and gpu-stream): latency of an idle memory, and bandwidth of a
// kernel whose threads read 8 bytes once, at 1/8, 1/4, 1/2 and all of the threads that fit.
struct Gpu {
  double threads, bandwidth, latency;  // B/s from the data sheet, s
  double published[4];                 // GB/s
};
constexpr Choice chips[] = {
    {"a100", "A100"}, {"gh200", "GH200"}, {"v100", "V100"}, {"l40", "L40"}, {"mi300x", "MI300X"}};
constexpr Gpu gpus[] = {{108 * 2048, 2039e9, 392e-9, {323, 615, 1119, 1776}},
                        {132 * 2048, 4000e9, 348e-9, {486, 935, 1715, 2775}},
                        {80 * 2048, 900e9, 315e-9, {263, 491, 746, 867}},
                        {142 * 1536, 864e9, 251e-9, {470, 824, 845, 845}},
                        {304 * 2048, 5300e9, 426e-9, {1049, 1959, 3098, 4199}}};
constexpr int published_at[] = {3, 4, 5, 6};  // steps

constexpr Control controls_of_it[] = {
    choice("chip", "Chip", chips),
    range("loads", "Loads per thread", "at once", 1, 8, 1),
    range("overhead", "Thread start and exit", "ns", 0, 400, 200),
    more(doubling("bytes", "Bytes per load", "B", 1, 16, 8)),
};
enum At : std::size_t { chip, loads, overhead, bytes };

struct Spot {
  double threads = 1, rate = 0;
};

class Little : public Model {
 public:
  std::string_view name() const override { return "little"; }
  std::string_view title() const override { return "Bytes in flight hide latency"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    chip_ = whole(values, At::chip);
    gpu_ = gpus[chip_];
    thread_bytes_ = values[At::loads] * values[At::bytes];
    one_load_ = values[At::loads] == 1 && values[At::bytes] == 8;
    life_ = gpu_.latency + values[At::overhead] * 1e-9;
    trail_ = {simulated(gpu_.threads / 64)};
    return {};
  }
  int length() const override { return doublings; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override {
    return " doublings: " + said(trail_.back().threads) + " threads";
  }
  void step() override { trail_.push_back(simulated(trail_.back().threads * 2)); }

  std::string broken() const override {
    return trail_.back().rate > gpu_.bandwidth * (1 + 1e-9) ? "faster than the memory" : "";
  }
  std::vector<Count> counts() const override {
    const Spot& now = trail_.back();
    return {exact("bytes a second", "B/s", now.rate, closed(now.threads))};
  }
  Rendering draw(const Options& options) const override;

 private:
  double closed(double threads) const {
    return std::min(gpu_.bandwidth, threads * thread_bytes_ / life_);
  }
  double needed() const { return gpu_.bandwidth * life_ / thread_bytes_; }

  // Threads are alike, so they are simulated in groups that share one memory, round after round.
  // The bytes of a group occupy the memory for their share of its bandwidth, and its next loads
  // follow one lifetime later.
  Spot simulated(double threads) const {
    constexpr int groups = 1024;
    const double service = threads / groups * thread_bytes_ / gpu_.bandwidth;
    std::vector<double> ready(groups, 0.0);
    double free = 0, begin = 0, end = 0;
    for (int round = 0; round < rounds; ++round) {
      for (double& at : ready) {
        const double taken = std::max(at, free);
        free = taken + service;
        at = taken + std::max(life_, service);
      }
      // The first round fills the pipeline; the others are the steady state.
      (round == 0 ? begin : end) = ready[0];
    }
    return {threads, (rounds - 1) * threads * thread_bytes_ / (end - begin)};
  }
  std::string summary() const;
  Table table() const;
  void draw_axes(Sheet& sheet, const LogScale& x, const LinearScale& y) const;
  void draw_curves(Sheet& sheet, const LogScale& x, const LinearScale& y) const;

  int chip_ = 0;
  Gpu gpu_ = gpus[0];
  double thread_bytes_ = 8, life_ = 1;
  bool one_load_ = true;  // true: one load per thread, as in the published kernel
  std::vector<Spot> trail_;
};

std::string Little::summary() const {
  const Spot& now = trail_.back();
  const std::string share = quantity_text(now.rate / gpu_.bandwidth, Meaning::percent, 3);
  std::string text = said(now.threads) + " threads with " + plural(thread_bytes_, "byte", "bytes") +
                     " each in flight for " + quantity_text(life_, Meaning::seconds, 3) +
                     " deliver " + quantity_text(now.rate, Meaning::byte_rate, 3) + ", " + share +
                     " of what the " + std::string(chips[chip_].label) + "'s memory can deliver. ";
  if (needed() > gpu_.threads)
    return text + "The full rate would need " + said(needed(), 3) + " threads, more than fit.";
  return text + "The full rate needs " + said(needed(), 3) + " threads, " +
         quantity_text(needed() / gpu_.threads, Meaning::percent, 3) + " of those that fit.";
}

Table Little::table() const {
  Table table{{"Threads", "Of those that fit", "Delivered", "Published, 8 B once"}, {}};
  for (std::size_t i = 0; i < trail_.size(); ++i) {
    const bool known = i >= 3;
    table.rows.push_back({said(trail_[i].threads),
                          quantity_text(trail_[i].threads / gpu_.threads, Meaning::percent, 3),
                          quantity_text(trail_[i].rate, Meaning::byte_rate, 3),
                          known ? quantity_text(gpu_.published[i - 3] * 1e9, Meaning::byte_rate, 3)
                                : std::string()});
  }
  return table;
}

void Little::draw_axes(Sheet& sheet, const LogScale& x, const LinearScale& y) const {
  for (int i = 0; i <= doublings; ++i) {
    const double at = x(gpu_.threads / 64 * (1 << i));
    sheet.line({at, y(0)}, {at, y(1)}, sheet.colors().rule);
    if (i % 2 == 0)
      sheet.note(i == doublings ? "all that fit" : "1/" + said(64 >> i), {at, y(0) + 17},
                 i == doublings ? 1 : 0);
  }
  for (const double share : {0.0, 0.5, 1.0}) {
    sheet.line({x.from, y(share)}, {x.to, y(share)}, sheet.colors().rule);
    sheet.note(quantity_text(share, Meaning::percent, 3), {x.from - 6, y(share) + 4}, 1);
  }
  sheet.note("↑ share of the memory's bandwidth", {12, 18});
  sheet.note("threads →", {x.to, y(0) + 34}, 1);
}

void Little::draw_curves(Sheet& sheet, const LogScale& x, const LinearScale& y) const {
  const auto at = [&](double threads, double rate) {
    return Point{x(threads), y(rate / gpu_.bandwidth)};
  };
  // A fine curve for the formula, dots for the steps, squares for published measurements.
  std::vector<Point> line;
  for (int i = 0; i <= 48; ++i) {
    const double threads = gpu_.threads / 64 * exp2_of(i / 8.0);
    line.push_back(at(threads, closed(threads)));
  }
  sheet.polyline(line, sheet.colors().bandwidth, 2.5);
  if (one_load_)
    for (int i = 0; i < 4; ++i) {
      const Point p = at(gpu_.threads / 64 * (1 << published_at[i]), gpu_.published[i] * 1e9);
      sheet.box({p.x - 4, p.y - 4, p.x + 4, p.y + 4}, sheet.colors().paper, sheet.colors().ink);
    }
  for (const Spot& spot : trail_)
    sheet.dot(at(spot.threads, spot.rate), &spot == &trail_.back() ? 5.5 : 3, sheet.colors().ink);
}

Rendering Little::draw(const Options& options) const {
  Sheet sheet(options, 320, 300, std::string(title()), summary());
  const LogScale x{gpu_.threads / 64, gpu_.threads, 58, sheet.width() - 16};
  const LinearScale y{0, 1, sheet.height() - 72, 36};
  draw_axes(sheet, x, y);
  draw_curves(sheet, x, y);
  const double base = sheet.height() - 14;
  const std::string now = quantity_text(trail_.back().rate, Meaning::byte_rate, 3);
  sheet.name(now, {12, base});
  const std::string published = "published kernel, 8 B once";
  const double from = sheet.width() - 16 - sheet.note_width(published);
  sheet.box({from - 14, base - 9, from - 6, base - 1}, sheet.colors().paper, sheet.colors().ink);
  sheet.note(published, {from, base});
  return sheet.finish(table());
}

}  // namespace
}  // namespace little_model

std::unique_ptr<Model> make_little() { return std::make_unique<little_model::Little>(); }

}  // namespace figures::models
