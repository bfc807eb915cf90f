// Compares one step on many chips with a second simulation of the same schedules, with closed forms
// and with published numbers.
#include "figures/models/many/cluster.hpp"

#include <algorithm>
#include <map>
#include <random>
#include <tuple>

#include "figures/models/many/published_runs.hpp"
#include "published.hpp"
#include "rounds.hpp"

namespace {

using namespace figures::models;
using published::fact;

// A second implementation of the schedules, after Narayanan et al. 2021: pieces by name, and the
// clock of each stage.
struct Piece {
  char kind;
  int microbatch, chunk;
};
std::vector<Piece> order(int p, int m, int v, int stage, bool all_forward) {
  const auto pieces = [&](char kind) {
    std::vector<Piece> out;
    const int group = v == 1 ? m : p;
    for (int first = 0; first < m; first += group)
      for (int c = 0; c < v; ++c)
        for (int i = first; i < std::min(first + group, m); ++i)
          out.push_back({kind, i, kind == 'F' ? c : v - 1 - c});
    return out;
  };
  const std::vector<Piece> forward = pieces('F'), backward = pieces('B');
  const auto whole = static_cast<int>(forward.size());
  int warm = v == 1 ? p - stage - 1 : 2 * (p - stage - 1) + (v - 1) * p;
  warm = all_forward ? whole : std::min(warm, whole);
  std::vector<Piece> out(forward.begin(), forward.begin() + warm);
  for (int i = warm; i < whole; ++i) {
    out.push_back(forward[static_cast<std::size_t>(i)]);
    out.push_back(backward[static_cast<std::size_t>(i - warm)]);
  }
  out.insert(out.end(), backward.end() - warm, backward.end());
  return out;
}

double makespan(int p, int m, int v, double hop, double f, double b, bool all_forward = false) {
  std::vector<std::vector<Piece>> todo;
  for (int stage = 0; stage < p; ++stage) todo.push_back(order(p, m, v, stage, all_forward));
  std::vector<double> clock(todo.size());
  std::vector<std::size_t> next(todo.size());
  std::map<std::tuple<char, int, int>, double> ended;
  for (bool moved = true; moved;) {
    moved = false;
    for (std::size_t stage = 0; stage < todo.size(); ++stage)
      for (; next[stage] < todo[stage].size(); ++next[stage], moved = true) {
        const auto [kind, i, chunk] = todo[stage][next[stage]];
        const int here = chunk * p + static_cast<int>(stage), last = p * v - 1;
        double ready = 0;
        if (kind == 'F' ? here > 0 : true) {
          const bool turn = kind == 'B' && here == last;
          const auto found =
              ended.find({turn ? 'F' : kind, i, turn ? here : here + (kind == 'F' ? -1 : 1)});
          if (found == ended.end()) break;
          ready = found->second + (turn || p == 1 ? 0 : hop);
        }
        clock[stage] = std::max(clock[stage], ready) + (kind == 'F' ? f : b) / v;
        ended[{kind, i, here}] = clock[stage];
      }
  }
  return *std::max_element(clock.begin(), clock.end());
}

Cut cut_of(Schedule schedule, int p, int m, int v = 1) {
  Cut cut;
  cut.schedule = schedule;
  cut.stages = p;
  cut.microbatches = m;
  cut.chunks = v;
  return cut;
}
Pieces lasting(double f, double b, double hop = 0, double weights = 1) {
  Pieces pieces;
  pieces.forward.products = f;
  pieces.backward.products = b;
  pieces.weights = weights;
  pieces.hop = hop;
  return pieces;
}
double run(const Cut& cut, const Pieces& pieces) {
  const Timeline line = simulate(cut, pieces, cut.microbatches);
  CHECK(line.broken == "");
  return line.work_end;
}

const Numbers& book() {
  static const Numbers numbers = [] {
    Numbers all;
    for (const std::string& id : make_model("cluster-sim")->facts()) all.facts[id] = fact(id);
    return all;
  }();
  return numbers;
}

}  // namespace

TEST_CASE("pipelines of four and of sixteen stages, by hand", "[models]") {
  const Pieces still = lasting(1, 2), moving = lasting(1, 2, 0.001);
  CHECK(run(cut_of(Schedule::gpipe, 4, 8), still) == 33);
  CHECK(run(cut_of(Schedule::one_one, 4, 8), still) == 33);
  CHECK(run(cut_of(Schedule::interleaved, 4, 8, 2), still) == 28.5);
  CHECK(run(cut_of(Schedule::interleaved, 16, 16, 8), still) == 53.625);
  // Splitting the backward pass into halves leaves a third of the bubble: 24 + 3 instead of 24 + 9.
  CHECK(run(cut_of(Schedule::zero_bubble, 4, 8), still) == 27);
  const auto hops = [&](const Cut& cut) { return (run(cut, moving) - run(cut, still)) * 1000; };
  CHECK_THAT(hops(cut_of(Schedule::gpipe, 4, 8)), WithinAbs(6, 1e-6));
  CHECK_THAT(hops(cut_of(Schedule::one_one, 4, 8)), WithinAbs(16, 1e-6));
  CHECK_THAT(hops(cut_of(Schedule::interleaved, 4, 8, 2)), WithinAbs(14, 1e-6));
  CHECK_THAT(hops(cut_of(Schedule::interleaved, 16, 16, 8)), WithinAbs(254, 1e-6));
  CHECK(closed_hops(cut_of(Schedule::interleaved, 16, 16, 8)) == 254);
}

TEST_CASE("a second simulation of the schedules takes as long", "[models]") {
  std::mt19937 random(5);
  const int sets = rounds("SETS", 200, 1000);
  for (int set = 0; set < sets; ++set) {
    const int p = 1 + static_cast<int>(random() % 12), groups = 1 + static_cast<int>(random() % 3);
    const int v = p == 1 ? 1 : 1 + static_cast<int>(random() % 4), m = p * groups;
    const double f = 1 + static_cast<double>(random() % 8) / 4;
    const double b = 1 + static_cast<double>(random() % 12) / 4;
    const double hop = static_cast<double>(random() % 5) / 64;
    const bool all_forward = v == 1 && random() % 2 == 0;
    const Schedule schedule = v > 1         ? Schedule::interleaved
                              : all_forward ? Schedule::gpipe
                                            : Schedule::one_one;
    INFO(p << " " << m << " " << v << " " << f << " " << b << " " << hop << " " << all_forward);
    const Cut cut = cut_of(schedule, p, m, v);
    const Pieces still = lasting(f, b), moving = lasting(f, b, hop);
    CHECK_THAT(run(cut, moving), WithinAbs(makespan(p, m, v, hop, f, b, all_forward), 1e-9));
    CHECK_THAT(run(cut, still), WithinAbs(m * (f + b) + closed_corners(cut, still), 1e-9));
    CHECK_THAT(run(cut, moving) - run(cut, still), WithinAbs(closed_hops(cut) * hop, 1e-9));
    // Every microbatch crosses every boundary between chunks twice, and stored activations are
    // counted.
    const Timeline line = simulate(cut, moving, m);
    double sent = 0;
    for (const Lanes& lanes : line.stages)
      for (const Span& span : lanes.port) sent += span.end - span.begin;
    CHECK_THAT(sent, WithinAbs(p == 1 ? 0 : 2 * m * (p * v - 1) * hop, 1e-9));
    int kept = 0, most = 0;
    for (const Span& span : line.stages.front().work)
      most = std::max(most, kept += span.kind == Kind::forward ? 1 : -1);
    CHECK_THAT(static_cast<double>(most) / v, WithinAbs(in_flight(cut), 1e-9));
  }
}

TEST_CASE("gradients hide behind the chunks that follow, all but the last", "[models]") {
  const Network network = network_of("llama-3.1-405b", book());
  Cut cut{8, 16, 1, 128, 8, 1, 16, 8192, 1};
  cut.schedule = Schedule::interleaved;
  const Hardware hardware = hardware_of("h100-sxm", book());
  const Step step = step_of(network, hardware, cut);
  // Sixteen pieces pass between the chunks of the first stage.
  std::vector<double> ready(8);
  for (const Span& span : step.timeline.stages.front().work)
    if (span.kind == Kind::backward) ready[static_cast<std::size_t>(span.chunk)] = span.end;
  const double apart = 16 * step.pieces.backward.all() / 8;
  for (std::size_t i = 1; i < 8; ++i) CHECK(ready[i - 1] - ready[i] >= apart - 1e-9);
  CHECK_THAT(step.gradients, WithinRel((step.pieces.reduce + step.pieces.gather) / 8, 1e-9));
  CHECK_THAT(step.gradients, WithinRel(fact("llama3-step.sums"), 0.01));
  // One stage, DDP: the formula of the chapter, with one bucket per layer.
  for (const double port : {1e9, 5e9, 20e9, 50e9, 400e9}) {
    Cut plain{1, 1, 1, 64, 1, 1, 4, 8192, 0};
    Hardware slow = hardware;
    slow.port = port;
    const Network small = network_of("llama-3.1-8b", book());
    const Step one = step_of(small, slow, plain);
    const double T = one.pieces.reduce, b = one.pieces.backward.all(), K = small.layers;
    CHECK_THAT(one.gradients, WithinRel(std::max(T / K, T - b * (1 - 1 / K)), 1e-9));
    double sent = 0;
    for (const Span& span : one.timeline.stages.front().port) sent += span.end - span.begin;
    CHECK_THAT(sent, WithinRel(T, 1e-9));
  }
}

TEST_CASE("Llama 3's step is the one that chapter 6 lays out by hand", "[published]") {
  const auto counts = published::run("cluster-sim", nlohmann::json::object());
  CHECK_THAT(counts.at("FLOP/s of a chip"), WithinRel(fact("llama3-step.rate"), 0.002));
  CHECK_THAT(counts.at("seconds of a step"), WithinRel(fact("llama3-step.seconds-16k"), 0.002));
  CHECK_THAT(counts.at("seconds of corners"), WithinRel(fact("llama3-step.corners"), 0.005));
  CHECK_THAT(counts.at("seconds of hops"), WithinRel(fact("llama3-step.hops"), 0.001));
  const Network network = network_of("llama-3.1-405b", book());
  Cut cut{8, 16, 1, 64, 8, 1, 32, 8192, 2};
  cut.schedule = Schedule::interleaved;
  CHECK_THAT(held(network, cut).all(), WithinRel(83.7e9, 0.001));
  cut.copies = 128, cut.microbatches = 16;
  CHECK_THAT(held(network, cut).all(), WithinRel(75.4e9, 0.001));
  const Pieces one = pieces(network, hardware_of("h100-sxm", book()), cut);
  CHECK_THAT(one.hop, WithinRel(fact("llama3-step.hop"), 0.001));
  CHECK_THAT(one.forward.sums, WithinRel(126 / 16.0 * 4 * fact("llama3-step.collective"), 0.001));
}

TEST_CASE("the assumption about hidden all-reduces changes the fit, not the prediction",
          "[published]") {
  const Network network = network_of("llama-3.1-405b", book());
  Hardware hardware = hardware_of("h100-sxm", book());
  const auto rate = [&](int copies, Hidden hidden, double share) {
    Cut cut{8, 16, 1, copies, 8, 1, 2048 / copies, 8192, 2};
    cut.schedule = Schedule::interleaved;
    cut.hidden = hidden;
    hardware.share = share;
    return network.flops(8192.0 * 2048, 8192) /
           (8 * 16 * copies * step_of(network, hardware, cut).seconds());
  };
  for (const Hidden hidden : {Hidden::nothing, Hidden::backward, Hidden::pieces}) {
    double low = 0.4, high = 1;
    for (int i = 0; i < 60; ++i) {
      const double middle = (low + high) / 2;
      (rate(64, hidden, middle) < fact("llama3-run.rate-8k") ? low : high) = middle;
    }
    CHECK_THAT(rate(128, hidden, low), WithinRel(399.3e12, 0.001));
  }
}

TEST_CASE("three runs are fitted, and the others predicted", "[published]") {
  const std::vector<PublishedRun> runs = published_runs(book());
  int fitted = 0, predicted = 0;
  for (const PublishedRun& run : runs) {
    INFO(run.label);
    ++(run.fitted ? fitted : predicted);
    // The chapter promises 5 % for the runs that no constant was fitted to.
    CHECK_THAT(run.here, WithinRel(run.printed, run.fitted ? 0.002 : 0.05));
  }
  CHECK(fitted == 3);
  CHECK(predicted == 12);
}
