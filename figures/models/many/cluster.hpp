// One step of training on many chips, piece of work by piece of work, on one pipeline of them.
//
// What a piece takes is counted: products at a share of the best rate that was measured for one,
// attention at half of the peak, norms and residuals at the speed of memory, and the sums of tensor
// parallelism, which nothing hides. Links run at four fifths of their rate. When a piece can begin is
// simulated: a stage does one at a time, in its schedule's order, and waits for what is on its way.
// Narayanan et al. 2021 (t, p, v), Rajbhandari et al. 2020 (ZeRO), Korthikanti et al. 2022 (sequence
// parallelism), Qi et al. 2024 (zero bubble).
#pragma once

#include <string>
#include <vector>

#include "figures/models/many/pipeline_schedule.hpp"

namespace figures::models {

// What is trained. Counts; `gated`: three matrices in the feed-forward part.
struct Network {
  double parameters = 0, read = 0;  // all; those that a token is multiplied with
  double layers = 1, width = 1, mlp = 1, heads = 1, kv_heads = 1, head_width = 1;
  bool gated = true;
  bool scores_stored = false;  // of attention, as before FlashAttention
  bool whole_norms = false;    // norms not divided among the chips of tensor parallelism

  // Weights of a layer that a token is multiplied with; the output matrix is shared out evenly.
  double layer_weights() const { return read / layers; }
  double flops(double tokens, double context) const;  // nothing twice, causal attention
};

// A chip and its wires; rates in FLOP/s and B/s.
struct Hardware {
  double peak = 1, achieved = 1, bandwidth = 1;  // achieved: by the best matrix product
  double share = 1;                              // of `achieved`, by all products of a step
  double inside = 1, port = 1;                   // one direction, in the node and out of it
  int node = 8;
};

enum class Hidden { nothing, backward, pieces };  // of the sums of tensor parallelism

// How a step is cut. `copies` times `parts` times `stages` times `tensor` chips.
struct Cut {
  int tensor = 1, stages = 1, parts = 1, copies = 1, chunks = 1;
  int sequences = 1, microbatches = 1;  // of a microbatch; of a step, for each copy
  double context = 1;                   // tokens of a sequence
  int zero = 1;
  bool again = false;   // activations computed a second time
  bool late = false;    // gradients sent after the step, hidden behind nothing
  double gradient = 4;  // bytes
  Schedule schedule = Schedule::one_one;
  Hidden hidden = Hidden::nothing;

  double tokens() const { return sequences * context / parts; }  // of a microbatch, on a rank
};

// Seconds of one microbatch on one stage.
struct StagePass {
  double products = 0, attention = 0, rest = 0;  // rest: norms, residuals, gates
  double sums = 0, keys = 0;                     // exposed sends of tensor and context parallelism
  double busy() const { return products + attention + rest; }
  double all() const { return busy() + sums + keys; }
};
struct Pieces {
  StagePass forward, backward;
  double weights = 0;             // of the backward pass: gradients of weights, which may wait
  double hop = 0;                 // to the next stage
  double reduce = 0, gather = 0;  // all of a stage's gradients once; its new weights
};
Pieces pieces(const Network& network, const Hardware& hardware, const Cut& cut);

// A piece of work, or something on a wire.
enum class Kind { forward, backward, weights, hop, gradients };
struct Span {
  Kind kind = Kind::forward;
  int microbatch = 0, chunk = 0;
  double begin = 0, end = 0;
};
struct Lanes {
  std::vector<Span> work, port;  // of a stage, in the order of time
};
struct Timeline {
  std::vector<Lanes> stages;
  double work_end = 0;  // of the last piece of work
  double end = 0;       // of the step, with what is exposed of gradients
  std::string broken;
};
// Of `microbatches`, at most cut.microbatches of them.
Timeline simulate(const Cut& cut, const Pieces& pieces, int microbatches);

// The step in parts that add up. `simulated` microbatches of it were run; the others are as many times
// a forward and a backward.
struct Step {
  Pieces pieces;
  Timeline timeline;
  int simulated = 0;
  double arithmetic = 0, sums = 0, corners = 0, hops = 0, gradients = 0;
  double seconds() const { return arithmetic + sums + corners + hops + gradients; }
};
Step step_of(const Network& network, const Hardware& hardware, const Cut& cut);

// Bytes on a chip of the first stage, which keeps the most.
struct Held {
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;
  double all() const { return weights + gradients + optimiser + activations; }
};
Held held(const Network& network, const Cut& cut);

// What the formulas say of the same step, for whoever wants to hold the simulation against them.
double closed_corners(const Cut& cut, const Pieces& pieces);
int closed_hops(const Cut& cut);
double closed_gradients(const Cut& cut, const Pieces& pieces, double layers);
double in_flight(const Cut& cut);  // microbatches whose activations the first stage keeps

}  // namespace figures::models
