// loom: one warp scheduler. Each warp repeats a loop: issue loads, wait for the data, compute. Per
// cycle, the scheduler issues one instruction of a warp that is ready.
#include <algorithm>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace loom_model {
namespace {

constexpr int rounds = 12;  // loop iterations per warp
constexpr double load_bytes = 128;

constexpr Choice policies[] = {{"greedy", "greedy, then oldest"}, {"robin", "round robin"}};
constexpr Control controls_of_it[] = {
    range("warps", "Warps", "", 1, 16, 13),
    range("loads", "Independent loads", "", 1, 8, 1),
    range("latency", "Load latency", "cycles", 20, 800, 400),
    more(range("arithmetic", "Arithmetic instructions", "", 0, 64, 3)),
    more(range("dependency", "Arithmetic latency", "cycles", 1, 8, 5)),
    more(range("gap", "Cycles between loads", "cycles", 1, 16, 1)),
    more(choice("policy", "Next warp", policies)),
};
enum At : std::size_t { warps, loads, latency, arithmetic, dependency, gap, policy };

struct Warp {
  int at = 0, done = 0;         // next instruction of the program; finished iterations
  int ready = 0;                // the next instruction may issue from this cycle on
  int data = 0;                 // the loads of this iteration are complete in this cycle
  int issued = 0, latest = -1;  // instructions so far, and the cycle of the last one
  bool waits_for_data = false;
};

// `waiting` is for memory. A warp that waits for arithmetic is in no state.
enum State { waiting, ready, issuing };

// Cycles in which a warp was in a state: from `from` until before `to`.
struct Span {
  State state;
  int from, to;
};

class Loom : public Model {
 public:
  std::string_view name() const override { return "loom"; }
  std::string_view title() const override { return "A scheduler and its warps"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    loads_ = whole(values, At::loads);
    latency_ = whole(values, At::latency);
    arithmetic_ = whole(values, At::arithmetic);
    dependency_ = whole(values, At::dependency);
    gap_ = whole(values, At::gap);
    robin_ = whole(values, At::policy) == 1;
    const auto count = static_cast<std::size_t>(whole(values, At::warps));
    // The first pass only determines the length; the second one starts again from the beginning.
    for (int pass = 0; pass < 2; ++pass) {
      warps_.assign(count, {});
      now_ = issued_ = port_free_ = end_ = last_ = 0;
      idle_memory_ = idle_dependency_ = idle_end_ = 0;
      history_.assign(count, {});
      if (pass > 0) break;
      while (!finished()) step();
      length_ = now_;
    }
    return {};
  }
  int length() const override { return length_; }
  int first() const override { return std::min(length(), 500); }
  void step() override {
    const int chosen = choose();
    remember(chosen);
    if (chosen >= 0) issue(chosen);
    else count_idle();
    ++now_;
  }

  std::string broken() const override {
    if (issued_ + idle_memory_ + idle_dependency_ + idle_end_ != now_)
      return "issued and idle cycles do not add up";
    for (const Warp& warp : warps_)
      if (warp.done > rounds) return "a warp ran too far";
    return {};
  }
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  int program() const { return loads_ + arithmetic_; }
  bool finished() const {
    return now_ >= end_ && std::all_of(warps_.begin(), warps_.end(),
                                       [](const Warp& warp) { return warp.done == rounds; });
  }
  bool eligible(const Warp& warp) const {
    if (warp.done == rounds || now_ < warp.ready) return false;
    return warp.at >= loads_ || now_ >= port_free_;
  }
  // "Greedy" stays with a warp while it is ready and then takes the oldest. "Round robin" moves on
  // to the next.
  int choose() const {
    const int count = static_cast<int>(warps_.size());
    if (!robin_ && eligible(warps_[static_cast<std::size_t>(last_)])) return last_;
    for (int i = 0; i < count; ++i) {
      const int at = robin_ ? (last_ + 1 + i) % count : i;
      if (eligible(warps_[static_cast<std::size_t>(at)])) return at;
    }
    return -1;
  }
  // Adds this cycle to the history of each warp.
  void remember(int chosen) {
    for (std::size_t i = 0; i < warps_.size(); ++i) {
      const Warp& warp = warps_[i];
      const bool chosen_now = static_cast<int>(i) == chosen;
      if (warp.done == rounds || (now_ < warp.ready && !warp.waits_for_data)) continue;
      const State state = chosen_now ? issuing : now_ >= warp.ready ? ready : waiting;
      std::vector<Span>& spans = history_[i];
      if (!spans.empty() && spans.back().state == state && spans.back().to == now_)
        ++spans.back().to;
      else spans.push_back({state, now_, now_ + 1});
    }
  }
  void issue(int chosen) {
    Warp& warp = warps_[static_cast<std::size_t>(chosen)];
    ++warp.issued;
    warp.latest = now_;
    last_ = chosen;
    ++issued_;
    warp.ready = now_ + 1;
    warp.waits_for_data = false;
    if (warp.at < loads_) {
      port_free_ = now_ + gap_;
      warp.data = now_ + latency_;
      if (warp.at == loads_ - 1) {
        warp.ready = warp.data;
        warp.waits_for_data = true;
      }
    } else {
      warp.ready = now_ + dependency_;
    }
    end_ = std::max(end_, warp.ready);
    if (++warp.at == program()) {
      warp.at = 0;
      ++warp.done;
    }
  }
  void count_idle() {
    bool memory = false, dependency = false;
    for (const Warp& warp : warps_) {
      if (warp.done == rounds) continue;
      // Stalled on data, or on the memory port
      memory = memory || warp.waits_for_data || now_ >= warp.ready;
      dependency = dependency || !warp.waits_for_data;
    }
    ++(memory ? idle_memory_ : dependency ? idle_dependency_ : idle_end_);
  }
  double warps() const { return static_cast<double>(warps_.size()); }
  // Cycles of one iteration of a single warp.
  double alone() const {
    return (loads_ - 1) * std::max(gap_, 1) + latency_ + arithmetic_ * dependency_;
  }
  double highest_rate() const {
    return std::min({warps() / alone(), 1.0 / program(), 1.0 / (loads_ * gap_)});
  }
  double lowest_rate() const {
    return warps() / (alone() + (warps() - 1) * (program() + loads_ * std::max(gap_ - 1, 0)));
  }
  std::string summary() const;
  std::string_view state_of(const Warp& warp) const;
  Table table() const;

  int loads_ = 1, latency_ = 1, arithmetic_ = 0, dependency_ = 1, gap_ = 1, length_ = 0;
  bool robin_ = false;
  std::vector<Warp> warps_;
  std::vector<std::vector<Span>> history_;  // of each warp
  int now_ = 0, issued_ = 0, port_free_ = 0, end_ = 0, last_ = 0;
  int idle_memory_ = 0, idle_dependency_ = 0, idle_end_ = 0;
};

std::vector<Count> Loom::counts() const {
  const double iterations = warps() * rounds;
  return {exact("instructions issued", "", issued_, iterations * program()),
          between("cycles", "", now_, iterations / highest_rate(), iterations / lowest_rate())};
}

std::string Loom::summary() const {
  return plural(warps(), "warp", "warps") + ", each with " + plural(loads_, "load", "loads") +
         " of " + said(latency_) + " cycles and " +
         plural(arithmetic_, "arithmetic instruction", "arithmetic instructions") +
         ": the scheduler issues in " +
         quantity_text(double(issued_) / std::max(now_, 1), Meaning::percent, 3) +
         " of the first " + plural(now_, "cycle", "cycles") + "; in the long run at most " +
         quantity_text(highest_rate() * program(), Meaning::percent, 3) +
         ". Filling every cycle takes " + said(alone() / program(), 3) + " warps; " +
         quantity_text(warps() * loads_ * load_bytes, Meaning::bytes, 3) +
         " are in flight at most.";
}

std::string_view Loom::state_of(const Warp& warp) const {
  if (warp.done == rounds) return "finished";
  if (now_ >= warp.ready) return "ready";
  return warp.waits_for_data ? "waits for memory" : "waits for arithmetic";
}

// The number of cycles of each warp, and the idle cycles.
Table Loom::table() const {
  Table table{{"Warp", "Cycles", "Latest", "Iterations, of 12", "Now"}, {}};
  for (std::size_t i = 0; i < warps_.size(); ++i) {
    const Warp& warp = warps_[i];
    table.rows.push_back({said(double(i) + 1), said(warp.issued),
                          warp.issued == 0 ? "–" : said(warp.latest), said(warp.done),
                          std::string(state_of(warp))});
  }
  const auto row = [&](std::string label, int cycles) {
    table.rows.push_back({std::move(label), said(cycles), "", "", ""});
  };
  row("idle, waiting for memory", idle_memory_);
  row("idle, waiting for arithmetic", idle_dependency_);
  row("idle, warps finished", idle_end_);
  return table;
}

// Draws a row per warp slot and, below, the issue slot: the cycles in which any warp issued.
Rendering Loom::draw(const Options& options) const {
  Sheet sheet(options, 366, 366, std::string(title()), summary());
  const Palette& colors = sheet.colors();
  constexpr int slots = 16, window = 500;
  const double left = sheet.narrow() ? 52 : 76, right = sheet.width() - 12, top = 40;
  const double row = 15, slot = top + slots * row + 8, floor = slot + 22;
  const int from = std::max(0, now_ - window);
  const double cycle = (right - left) / window;
  std::vector<Box> empty, states[3];
  for (int i = 0; i < slots; ++i) {
    const double y = top + i * row;
    if (i % 2 == 0)
      sheet.note((sheet.narrow() ? "" : "warp ") + said(i + 1), {left - 8, y + row / 2 + 4}, 1);
    if (static_cast<std::size_t>(i) >= warps_.size()) {
      empty.push_back({left, y + 2, right, y + row - 2});
      continue;
    }
    for (const Span& span : history_[static_cast<std::size_t>(i)]) {
      if (span.to <= from) continue;
      const double begin = left + (std::max(span.from, from) - from) * cycle;
      const double end = left + (span.to - from) * cycle;
      states[span.state].push_back({begin, y + 2, end, y + row - 2});
      if (span.state == issuing) states[issuing].push_back({begin, slot, end, floor - 4});
    }
  }
  sheet.outlines(empty, colors.rule);
  sheet.outlines({{left, slot, right, floor - 4}}, colors.ink_soft);
  sheet.boxes(states[waiting], colors.bandwidth, "0.2");
  sheet.boxes(states[ready], colors.ochre, "0.6");
  sheet.boxes(states[issuing], colors.compute);
  sheet.note("issues", {left - 8, slot + 13}, 1, colors.ink);
  double x = left;
  const auto legend = [&](const std::string& label, std::string_view fill,
                          std::string_view opacity) {
    sheet.boxes({{x, 10, x + 10, 20}}, fill, opacity);
    sheet.note(label, {x + 14, 20});
    x += sheet.note_width(label) + (sheet.narrow() ? 22 : 34);
  };
  legend("issues", colors.compute, {});
  legend("ready", colors.ochre, "0.6");
  legend("waits for memory", colors.bandwidth, "0.2");
  sheet.note("busy " + quantity_text(double(issued_) / std::max(now_, 1), Meaning::percent, 3),
             {right, floor + 38}, 1, colors.ink);
  sheet.note("cycle " + said(from), {left, floor + 16});
  sheet.note(said(from + window), {right, floor + 16}, 1);
  return sheet.finish(table());
}

}  // namespace
}  // namespace loom_model

std::unique_ptr<Model> make_loom() { return std::make_unique<loom_model::Loom>(); }

}  // namespace figures::models
