// Enumerates all ways to parallelize a training run, with the time and memory of each by the book's
// formulas.
//
// Tensor parallelism t within a box, a pipeline of p stages (v chunks each), D copies of both,
// microbatches of b sequences, ZeRO stage z, activations stored or recomputed. Communication runs
// at four fifths of the links' rate and costs 5 µs per message. Whole gradients hide behind the
// last backward pass. Divided gradients, which are sent after each microbatch, hide behind all
// backward passes, and divided weights behind the whole computation. Narayanan et al. 2021 (t, p,
// D, v), Rajbhandari et al. 2020 (z), Korthikanti et al. 2022 (activations).
#pragma once

#include <vector>

namespace figures::models {

// The network and its hardware. Counts are positive; rates in FLOP/s and B/s, memory in bytes.
struct Run {
  double parameters = 0, read = 0;  // all parameters; those that multiply each token
  double layers = 1, width = 1, heads = 1, head_width = 1;
  double kept = 0;                 // bytes of activations per layer, token and element of the width
  double achieved = 1;             // rate of a good matmul on the chip
  double inside = 1, outside = 1;  // one direction of a chip's link, within a box and between boxes
  double capacity = 0;             // per chip
  int chips = 1, batch = 1;        // sequences per step
  double context = 1;              // tokens per sequence
  int most_chunks = 1;             // per stage

  // FLOPs of a step with causal attention; nothing is computed twice.
  double flops() const;
};

struct Plan {
  int tensor = 1, stages = 1, copies = 1, sequences = 1, chunks = 1, zero = 0;
  bool again = false;  // recompute activations
  double microbatches = 1;
  double compute = 0, tensor_time = 0, bubble = 0, exposed = 0, seconds = 0;
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;  // bytes
  double held() const { return weights + gradients + optimiser + activations; }
};

// The plans that fit, sorted by time and then by size; empty if none fits.
std::vector<Plan> plans_that_fit(const Run& run);

}  // namespace figures::models
