// Simulates one training step on many chips, piece by piece, for one of its pipelines.
//
// The duration of a piece is computed: matmuls at a share of the best measured rate, attention at
// half of the peak, norms and residuals at memory bandwidth, and the collectives of tensor
// parallelism, which nothing hides. Links run at four fifths of their rate. The start of a piece is
// simulated: a stage runs one piece at a time, in the order of its schedule, and waits until its
// input arrives. Narayanan et al. 2021 (t, p, v), Rajbhandari et al. 2020 (ZeRO), Korthikanti et
// al. 2022 (sequence parallelism), Qi et al. 2024 (zero bubble).
#pragma once

#include <string>
#include <vector>

#include "figures/models/many/pipeline_schedule.hpp"

namespace figures::models {

// The trained network. Values are counts. `gated`: three matrices in the feed-forward part.
struct Network {
  double parameters = 0, read = 0;  // all parameters; those that multiply each token
  double layers = 1, width = 1, mlp = 1, heads = 1, kv_heads = 1, head_width = 1;
  bool gated = true;
  bool scores_stored = false;  // attention stores its scores, as before FlashAttention
  bool whole_norms = false;    // norms are not divided among the chips of tensor parallelism

  // Weights per layer that a token is multiplied with; the output matrix is divided evenly among
  // layers.
  double layer_weights() const { return read / layers; }
  double flops(double tokens, double context) const;  // nothing computed twice, causal attention
};

// A chip and its links; rates in FLOP/s and B/s.
struct Hardware {
  double peak = 1, achieved = 1, bandwidth = 1;  // achieved: the best matmul
  double share = 1;                              // of `achieved`, for all matmuls of a step
  double inside = 1, port = 1;                   // one direction, inside the node and out of it
  int node = 8;
};

// How the collectives of tensor parallelism are hidden
enum class Hidden { nothing, backward, pieces };

// The parallelization of a step, on `copies` · `parts` · `stages` · `tensor` chips.
struct Cut {
  int tensor = 1, stages = 1, parts = 1, copies = 1, chunks = 1;
  int sequences = 1, microbatches = 1;  // per microbatch; per step and copy
  double context = 1;                   // tokens per sequence
  int zero = 1;
  bool again = false;   // recompute activations
  bool late = false;    // send gradients after the step, with nothing to hide them
  double gradient = 4;  // bytes per gradient
  Schedule schedule = Schedule::one_one;
  Hidden hidden = Hidden::nothing;

  double tokens() const { return sequences * context / parts; }  // per microbatch and rank
};

// Seconds of one microbatch on one stage.
struct StagePass {
  double products = 0, attention = 0, rest = 0;  // rest: norms, residuals, gates
  // Exposed communication of tensor and context parallelism
  double sums = 0, keys = 0;
  double busy() const { return products + attention + rest; }
  double all() const { return busy() + sums + keys; }
};
struct Pieces {
  StagePass forward, backward;
  // Part of the backward pass: gradients of weights, which may be delayed
  double weights = 0;
  double hop = 0;                 // activation send to the next stage
  double reduce = 0, gather = 0;  // all gradients of a stage once; its new weights
};
Pieces pieces(const Network& network, const Hardware& hardware, const Cut& cut);

// A piece of work, or a message.
enum class Kind { forward, backward, weights, hop, gradients };
struct Span {
  Kind kind = Kind::forward;
  int microbatch = 0, chunk = 0;
  double begin = 0, end = 0;
};
struct Lanes {
  std::vector<Span> work, port;  // of one stage, sorted by time
};
struct Timeline {
  std::vector<Lanes> stages;
  double work_end = 0;  // end of the last piece of work
  double end = 0;       // end of the step, with the exposed part of the gradients
  std::string broken;
};
// Simulates `microbatches`, which is at most cut.microbatches.
Timeline simulate(const Cut& cut, const Pieces& pieces, int microbatches);

// The parts of a step, which add up to its time. Only `simulated` microbatches were run; each
// further one adds a forward and a backward pass.
struct Step {
  Pieces pieces;
  Timeline timeline;
  int simulated = 0;
  double arithmetic = 0, sums = 0, corners = 0, hops = 0, gradients = 0;
  double seconds() const { return arithmetic + sums + corners + hops + gradients; }
};
Step step_of(const Network& network, const Hardware& hardware, const Cut& cut);

// Bytes on a chip of the first stage, which needs the most.
struct Held {
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;
  double all() const { return weights + gradients + optimiser + activations; }
};
Held held(const Network& network, const Cut& cut);

// Closed formulas for the same step. Tests compare the simulation with them.
double closed_corners(const Cut& cut, const Pieces& pieces);
int closed_hops(const Cut& cut);
double closed_gradients(const Cut& cut, const Pieces& pieces, double layers);
double in_flight(const Cut& cut);  // microbatches whose activations the first stage stores

}  // namespace figures::models
