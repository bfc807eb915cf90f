// occupancy: how many blocks of a kernel fit on a multiprocessor, and which resource limits them.
#include <algorithm>
#include <array>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace occupancy_model {
namespace {

// Limits of one multiprocessor per compute capability, from the technical specifications in
// NVIDIA's CUDA programming guide.
struct Multiprocessor {
  double warps, blocks, shared, reserved;  // bytes; `reserved` is the system's, per block
};
constexpr double kib = 1024;
constexpr Choice chips[] = {{"h100", "H100, H200 (9.0)"},
                            {"a100", "A100 (8.0)"},
                            {"rtx-4090", "RTX 4090, L40S (8.9)"},
                            {"b200", "B200 (10.0)"}};
constexpr Multiprocessor limits[] = {{64, 32, 228 * kib, kib},
                                     {64, 32, 164 * kib, kib},
                                     {48, 24, 100 * kib, kib},
                                     {64, 32, 228 * kib, kib}};
constexpr double registers = 65536, quarter = registers / 4, warp_grain = 256, shared_grain = 128;

constexpr Control controls_of_it[] = {
    range("registers", "Registers per thread", "", 16, 255, 64),
    range("shared", "Shared memory per block", "KiB", 0, 227, 0),
    range("threads", "Threads per block", "", 32, 1024, 256),
    more(choice("chip", "Chip", chips)),
};
enum At : std::size_t { regs, shared, threads, chip };

constexpr const char* resources[] = {"registers", "shared memory", "warps", "block slots"};

class Occupancy : public Model {
 public:
  std::string_view name() const override { return "occupancy"; }
  std::string_view title() const override { return "Occupancy of one SM"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    std::vector<std::string> notices;
    limit_ = limits[whole(values, At::chip)];
    warps_ = (whole(values, At::threads) + 31) / 32;
    warp_registers_ = rounded_up(32 * values[At::regs], warp_grain);
    double asked = values[At::shared] * kib;
    if (asked > limit_.shared - limit_.reserved) {
      asked = limit_.shared - limit_.reserved;
      notices.push_back("A block has at most " + quantity_text(asked, Meaning::bytes, 4) +
                        " of shared memory here");
    }
    block_shared_ = rounded_up(asked + limit_.reserved, shared_grain);
    free_registers_.fill(quarter);
    free_shared_ = limit_.shared;
    free_warps_ = limit_.warps;
    blocks_ = 0;
    return notices;
  }
  // A step places one block. The run ends when no further block fits.
  int length() const override { return static_cast<int>(closed()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  void step() override {
    if (place()) ++blocks_;
  }

  std::string broken() const override {
    if (free_shared_ < 0 || free_warps_ < 0) return "more was given away than there is";
    for (const double left : free_registers_)
      if (left < 0) return "more registers were given away than there are";
    return {};
  }
  std::vector<Count> counts() const override {
    // Checks that one more block does not fit; otherwise the formula is too small.
    Occupancy again = *this;
    const bool fits = again.place();
    return {exact("blocks", "", blocks_ + (fits ? 1 : 0), closed())};
  }
  Rendering draw(const Options& options) const override;

 private:
  static double rounded_up(double value, double grain) {
    return static_cast<double>((static_cast<long long>(value) + static_cast<long long>(grain) - 1) /
                               static_cast<long long>(grain)) *
           grain;
  }
  // Assigns each warp to the partition with the most free registers. False: no partition has
  // enough.
  bool place() {
    if (blocks_ + 1 > limit_.blocks || free_warps_ < warps_ || free_shared_ < block_shared_)
      return false;
    std::array<double, 4> left = free_registers_;
    for (int warp = 0; warp < warps_; ++warp) {
      double& most = *std::max_element(left.begin(), left.end());
      most -= warp_registers_;
      if (most < 0) return false;
    }
    free_registers_ = left;
    free_warps_ -= warps_;
    free_shared_ -= block_shared_;
    return true;
  }
  static double whole_times(double have, double need) {
    return static_cast<double>(static_cast<long long>(have / need));
  }
  std::array<double, 4> by_resource() const {
    return {whole_times(4 * whole_times(quarter, warp_registers_), warps_),
            whole_times(limit_.shared, block_shared_), whole_times(limit_.warps, warps_),
            limit_.blocks};
  }
  double closed() const {
    const std::array<double, 4> all = by_resource();
    return *std::min_element(all.begin(), all.end());
  }

  Multiprocessor limit_{};
  int warps_ = 1;
  double warp_registers_ = 0, block_shared_ = 0;
  std::array<double, 4> free_registers_{};
  double free_shared_ = 0, free_warps_ = 0, blocks_ = 0;
};

Rendering Occupancy::draw(const Options& options) const {
  const std::array<double, 4> all = by_resource();
  const double blocks = closed(), share = blocks * warps_ / limit_.warps;
  const Palette& colors = colors_of(options);
  std::string tight;
  std::vector<BarRow> bars;
  Table table{{"Resource", "Blocks that fit"}, {}};
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool limits_it = all[i] == blocks;
    if (limits_it) tight += (tight.empty() ? "" : " and ") + std::string(resources[i]);
    bars.push_back({std::string("by ") + resources[i], plural(all[i], "block", "blocks"),
                    all[i] * warps_ / limit_.warps / 2,
                    limits_it ? colors.compute : colors.reference});
    table.rows.push_back({resources[i], said(all[i])});
  }
  // The last bar grows with each placed block.
  bars.push_back({"resident warps", said(blocks_ * warps_) + " of " + said(limit_.warps),
                  blocks_ * warps_ / limit_.warps / 2, colors.teal});
  const std::string summary =
      plural(blocks, "block", "blocks") + " of " + plural(warps_, "warp", "warps") + ": " +
      quantity_text(share, Meaning::percent, 3) + " of the warps that an SM can hold. " +
      (blocks == 0 ? "No block fits: " : "The limit: ") + tight + "." +
      (blocks_ < blocks ? " Placed so far: " + said(blocks_) + "." : "");
  return draw_bar_rows(options, 5, std::string(title()), summary,
                       "blocks that each resource allows", bars, std::move(table));
}

}  // namespace
}  // namespace occupancy_model

std::unique_ptr<Model> make_occupancy() { return std::make_unique<occupancy_model::Occupancy>(); }

}  // namespace figures::models
