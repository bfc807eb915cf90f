#include "figures/models/many/cluster.hpp"

#include <algorithm>

#include "figures/costs/counts.hpp"

namespace figures::models {
namespace {

constexpr double wire_share = 0.8, memory_share = 0.9;
constexpr double near_message = 3e-6, far_message = 5e-6;
constexpr double attention_share = 0.5;  // of the peak
constexpr int most_pieces = 20'000;      // limit of a simulation

double positive(double x) { return std::max(x, 0.0); }

// The number of ranks with the same weights, and how many of them are in one node.
double ranks(const Cut& cut) { return double(cut.copies) * cut.parts; }
double near_ranks(const Hardware& hardware, const Cut& cut) {
  return std::max(1.0, std::min(ranks(cut), double(hardware.node / cut.tensor)));
}

// The time of a reduce-scatter or an all-gather of `bytes` over all copies, in two overlapping
// levels: inside the node, and the rest through the ports.
double shared_out(double bytes, const Hardware& hardware, const Cut& cut) {
  const double near = near_ranks(hardware, cut), far = ranks(cut) / near;
  return std::max(bytes * (near - 1) / near / (wire_share * hardware.inside),
                  bytes / near * (far - 1) / far / (wire_share * hardware.port));
}

StagePass forward_of(const Network& network, const Hardware& hardware, const Cut& cut) {
  const double tokens = cut.tokens(), t = cut.tensor, depth = network.layers / cut.stages;
  const double rate = hardware.share * hardware.achieved;
  const double scores = costs::pair_flops(network.heads, network.head_width, network.head_width) /
                        2 * cut.context * tokens;
  StagePass pass;
  pass.products = depth * 2 * network.layer_weights() * tokens / (t * rate);
  // A causal mask hides half of the scores. If scores are stored, all are computed, and they cross
  // the memory twice in two bytes, with a one-byte mask and their softmax.
  pass.attention = depth * (network.scores_stored ? 2 * scores / (t * rate) +
                                                        12 * cut.context * network.heads * tokens /
                                                            (memory_share * hardware.bandwidth * t)
                                                  : scores / (t * attention_share * hardware.peak));
  const double norms = 10 * network.width * (network.whole_norms ? t : 1);
  pass.rest = depth * 2 * (norms + (network.gated ? 3 : 2) * network.mlp) * tokens /
              (memory_share * hardware.bandwidth * t);
  const double one = (t - 1) / t * 2 * tokens * network.width / (wire_share * hardware.inside) +
                     (t - 1) * near_message;
  pass.sums = depth * 4 * one / (cut.hidden == Hidden::pieces ? t : 1);
  const double parts = cut.parts;
  const double wire = cut.tensor * cut.parts <= hardware.node ? hardware.inside : hardware.port;
  const double keys =
      2 * costs::cached_elements(network.kv_heads, network.head_width, network.head_width) *
      cut.context * cut.sequences / t;
  pass.keys = depth * (parts - 1) / parts * keys / (wire_share * wire);
  return pass;
}

StagePass backward_of(const Network& network, const Cut& cut, const StagePass& forward) {
  StagePass pass = forward;
  pass.products *= 2;
  pass.attention *= network.scores_stored ? 2 : 2.5;
  pass.rest *= 2;
  pass.keys *= 2;
  // Half of the collectives can overlap with the matmuls for the gradients of the weights.
  if (cut.hidden == Hidden::backward) pass.sums -= std::min(pass.sums / 2, forward.products);
  if (!cut.again) return pass;
  pass.products += forward.products;
  pass.attention += forward.attention;
  pass.rest += forward.rest;
  pass.sums += forward.sums;
  pass.keys += forward.keys;
  return pass;
}

// The unit of sending: a layer, if the layers of a stage send one after another; otherwise a chunk.
double units(const Cut& cut, double layers) {
  if (cut.zero == 3 || cut.late) return 1;
  if (cut.chunks > 1) return cut.chunks;
  return std::max(1, static_cast<int>(layers / cut.stages + 0.5));
}

class Simulation {
 public:
  Simulation(const Cut& cut, const Pieces& pieces, int microbatches, double hop)
      : cut_(cut), pieces_(pieces), m_(microbatches), hop_(hop) {
    arrivals_.assign(2 * static_cast<std::size_t>(depth() * m_), -1);
    for (int stage = 0; stage < cut.stages; ++stage) orders_.push_back(order(stage));
    line_.stages.resize(static_cast<std::size_t>(cut.stages));
    next_.resize(line_.stages.size());
  }

  Timeline run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (int stage = 0; stage < cut_.stages; ++stage)
        while (advance(stage)) moved = true;
    }
    for (std::size_t i = 0; i < next_.size(); ++i)
      if (next_[i] < orders_[i].size()) line_.broken = "a stage waits for itself";
    return std::move(line_);
  }

 private:
  int depth() const { return cut_.stages * cut_.chunks; }
  bool split() const { return cut_.schedule == Schedule::zero_bubble; }
  double& arrival(bool forward, int virtual_stage, int microbatch) {
    return arrivals_[static_cast<std::size_t>(((forward ? 0 : depth()) + virtual_stage) * m_ +
                                              microbatch)];
  }

  std::vector<Span> order(int stage) const {
    std::vector<Span> all;
    int left = 0;  // the next microbatch whose gradients of weights are due
    for (const Op& op : order_of({cut_.schedule, cut_.stages, m_, cut_.chunks, 2}, stage)) {
      all.push_back({op.forward ? Kind::forward : Kind::backward, op.microbatch, op.chunk});
      // A stage delays the gradients of its weights by its number, so that they fill the bubble at
      // the end.
      if (split() && !op.forward && op.microbatch >= stage)
        all.push_back({Kind::weights, left++, 0});
    }
    while (split() && left < m_) all.push_back({Kind::weights, left++, 0});
    return all;
  }
  double lasts(Kind kind) const {
    const double backward = pieces_.backward.all() - (split() ? pieces_.weights : 0);
    if (kind == Kind::weights) return pieces_.weights;
    return (kind == Kind::forward ? pieces_.forward.all() : backward) / cut_.chunks;
  }

  // Runs the next piece of a stage if its input has been sent. False: it has not.
  bool advance(int stage) {
    const auto at = static_cast<std::size_t>(stage);
    if (next_[at] == orders_[at].size()) return false;
    Span span = orders_[at][next_[at]];
    Lanes& lanes = line_.stages[at];
    const int here = span.chunk * cut_.stages + stage;
    const bool forward = span.kind == Kind::forward;
    double ready = lanes.work.empty() ? 0 : lanes.work.back().end;
    if (span.kind != Kind::weights && !(forward && here == 0)) {
      const bool turn = !forward && here == depth() - 1;
      const double there = turn ? arrival(true, here, span.microbatch)
                                : arrival(forward, here - (forward ? 1 : -1), span.microbatch);
      if (there < 0) return false;
      ready = std::max(ready, there);
    }
    span.begin = ready;
    span.end = ready + lasts(span.kind);
    lanes.work.push_back(span);
    line_.work_end = std::max(line_.work_end, span.end);
    if (span.kind != Kind::weights) send(lanes, span, forward, here);
    ++next_[at];
    return true;
  }
  void send(Lanes& lanes, const Span& span, bool forward, int here) {
    double& there = arrival(forward, here, span.microbatch);
    there = span.end;
    // The last chunk sends nothing forward, the first sends nothing backward, and a single stage
    // never sends.
    if (cut_.stages == 1 || !(hop_ > 0) || here == (forward ? depth() - 1 : 0)) return;
    const double begin = lanes.port.empty() ? span.end : std::max(span.end, lanes.port.back().end);
    lanes.port.push_back({Kind::hop, span.microbatch, span.chunk, begin, begin + hop_});
    there = begin + hop_;
  }

  const Cut& cut_;
  const Pieces& pieces_;
  int m_;
  double hop_;
  std::vector<double> arrivals_;  // when the outputs of each virtual stage arrive; -1: not yet
  std::vector<std::vector<Span>> orders_;
  std::vector<std::size_t> next_;
  Timeline line_;
};

// When the gradients of a stage are complete, sorted by time, and how long each takes to send.
std::vector<Span> gradients_ready(const Cut& cut, const Pieces& pieces, const Lanes& lanes,
                                  double layers, int microbatches) {
  const double count = units(cut, layers), one = pieces.reduce / count;
  std::vector<Span> ready;
  const Span& last = lanes.work.back();
  if (count == 1) return {{Kind::gradients, 0, 0, last.end, last.end + one}};
  const Kind kind = cut.schedule == Schedule::zero_bubble ? Kind::weights : Kind::backward;
  const bool divided = cut.zero == 2;
  // Microbatches that pass a chunk consecutively are summed before they are sent.
  const int group = cut.chunks > 1 ? cut.stages : 1;
  for (const Span& span : lanes.work) {
    const bool ends = span.microbatch == microbatches - 1;
    if (span.kind != kind || (!ends && !divided)) continue;
    if (cut.chunks > 1) {
      if (ends || span.microbatch % group == group - 1)
        ready.push_back({Kind::gradients, span.microbatch, span.chunk, span.end, span.end + one});
    } else if (!ends) {
      ready.push_back({Kind::gradients, span.microbatch, 0, span.end, span.end + pieces.reduce});
    } else {
      for (int i = 1; i <= static_cast<int>(count); ++i) {
        const double at = span.begin + (span.end - span.begin) * i / count;
        ready.push_back({Kind::gradients, span.microbatch, 0, at, at + one});
      }
    }
  }
  return ready;
}

// The exposed time of the all-gather of new weights before the next step: those of the first unit.
double gather_exposed(const Cut& cut, const Pieces& pieces, double layers) {
  const double count = units(cut, layers), forward = pieces.forward.all();
  const double apart = cut.chunks > 1 ? cut.stages * forward / cut.chunks : forward / count;
  return std::max(pieces.gather / count, pieces.gather - (count - 1) * apart);
}

}  // namespace

double Network::flops(double tokens, double context) const {
  return (6 * parameters + 6 * layers * context * heads * head_width) * tokens;
}

Pieces pieces(const Network& network, const Hardware& hardware, const Cut& cut) {
  Pieces out;
  out.forward = forward_of(network, hardware, cut);
  out.backward = backward_of(network, cut, out.forward);
  out.weights = out.forward.products;
  const double row = 2 * cut.tokens() * network.width / cut.tensor;
  const bool near = cut.tensor * cut.parts * cut.stages <= hardware.node;
  if (cut.stages > 1)
    out.hop = near ? near_message + row / (wire_share * hardware.inside)
                   : far_message + row / (wire_share * hardware.port);
  const double weights = network.parameters / (cut.tensor * cut.stages);
  out.reduce = shared_out(cut.gradient * weights, hardware, cut) * (cut.zero == 0 ? 2 : 1);
  out.gather = cut.zero == 0 ? 0 : shared_out(2 * weights, hardware, cut);
  if (cut.zero < 3) return out;
  // Each microbatch gathers the weights of each layer in advance, twice, and scatters its gradients
  // afterwards.
  out.forward.keys += positive(out.gather - out.forward.all());
  out.backward.keys += positive(out.gather + out.reduce - out.backward.all());
  out.gather /= network.layers / cut.stages;
  out.reduce /= network.layers / cut.stages;
  return out;
}

Timeline simulate(const Cut& cut, const Pieces& pieces, int microbatches) {
  return Simulation(cut, pieces, microbatches, pieces.hop).run();
}

Step step_of(const Network& network, const Hardware& hardware, const Cut& cut) {
  Step step;
  step.pieces = pieces(network, hardware, cut);
  const Pieces& one = step.pieces;
  const int each = cut.stages * cut.chunks * (cut.schedule == Schedule::zero_bubble ? 3 : 2);
  int some = cut.microbatches;
  if (some * each > most_pieces)
    some = std::min(some, std::max(1, most_pieces / each / cut.stages) * cut.stages);
  step.simulated = some;
  step.timeline = simulate(cut, one, some);
  Timeline& line = step.timeline;
  const double still = Simulation(cut, one, some, 0).run().work_end;
  const double m = cut.microbatches;
  step.arithmetic = m * (one.forward.busy() + one.backward.busy());
  step.sums = m * (one.forward.all() + one.backward.all()) - step.arithmetic;
  step.corners = still - some * (one.forward.all() + one.backward.all());
  step.hops = line.work_end - still;
  line.end = line.work_end;
  for (Lanes& lanes : line.stages) {
    double free = 0;
    for (Span span : gradients_ready(cut, one, lanes, network.layers, some)) {
      const double takes = span.end - span.begin;
      span.begin = std::max(span.begin, free);
      span.end = free = span.begin + takes;
      lanes.port.push_back(span);
      line.end = std::max(line.end, span.end);
    }
  }
  line.end += gather_exposed(cut, one, network.layers);
  step.gradients = line.end - line.work_end;
  return step;
}

Held held(const Network& network, const Cut& cut) {
  const double weights = network.parameters / (cut.tensor * cut.stages), all = ranks(cut);
  Held out;
  out.weights = 2 * weights;
  if (cut.zero == 3)
    out.weights = 2 * weights / all + 2 * 2 * network.parameters / network.layers / cut.tensor;
  out.gradients = cut.gradient * weights;
  if (cut.zero >= 2)
    out.gradients = out.gradients / all +
                    out.gradients / (cut.chunks > 1 ? cut.chunks : network.layers / cut.stages);
  out.optimiser = costs::optimizer_bytes * weights / (cut.zero >= 1 ? all : 1);
  const double kept = network.scores_stored
                          ? 34 + 5 * network.heads * cut.context / network.width
                          : 12 + 4 * network.kv_heads / network.heads +
                                2 * (network.gated ? 3 : 2) * network.mlp / network.width;
  const double layer = cut.tokens() * network.width / cut.tensor;
  const double deep = network.layers / cut.stages * in_flight(cut);
  out.activations = (cut.again ? 2 * deep + kept : kept * deep) * layer;
  return out;
}

double closed_corners(const Cut& cut, const Pieces& pieces) {
  const double one = pieces.forward.all() + pieces.backward.all();
  const double filled = cut.schedule == Schedule::zero_bubble ? 2 * pieces.weights : 0;
  return (cut.stages - 1) * (one - filled) / cut.chunks;
}

int closed_hops(const Cut& cut) {
  const int p = cut.stages, m = cut.microbatches;
  if (p == 1) return 0;
  if (cut.chunks > 1) return 2 * (p * cut.chunks - 1);
  return cut.schedule == Schedule::gpipe ? 2 * (p - 1) : 2 * (p - 1) * (m / p) + 2 * (p - 2);
}

double closed_gradients(const Cut& cut, const Pieces& pieces, double layers) {
  const double count = units(cut, layers);
  const bool split = cut.schedule == Schedule::zero_bubble;
  const double last = split ? pieces.weights : pieces.backward.all();
  const double apart =
      cut.chunks > 1 ? cut.stages * pieces.backward.all() / cut.chunks : last / count;
  return std::max(pieces.reduce / count, pieces.reduce - (count - 1) * apart) +
         gather_exposed(cut, pieces, layers);
}

double in_flight(const Cut& cut) {
  const double p = cut.stages, m = cut.microbatches, v = cut.chunks;
  if (cut.schedule == Schedule::gpipe) return m;
  return std::min(m, v > 1 ? (2 * (p - 1) + (v - 1) * p + 1) / v : p);
}

}  // namespace figures::models
