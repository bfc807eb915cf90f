// Every way to cut a training run over chips, and the time and memory of each, by the book's formulas.
//
// Tensor parallelism t within a box, a pipeline of p stages (v chunks each), D copies of both, microbatches
// of b sequences, ZeRO stage z, activations kept or computed again. What a plan sends is charged at four
// fifths of the links and 5 µs a message; whole gradients hide behind the last backward pass, divided ones,
// which leave after each microbatch, behind all of them, divided weights behind the whole computation.
// Narayanan et al. 2021 (t, p, D, v), Rajbhandari et al. 2020 (z), Korthikanti et
// al. 2022 (what is kept).
#pragma once

#include <vector>

namespace figures::models {

// What is trained, on what. Counts are positive; rates in FLOP/s and B/s, memory in bytes.
struct Run {
  double parameters = 0, read = 0;  // all; those that a token is multiplied with
  double layers = 1, width = 1, heads = 1, head_width = 1;
  double kept =
      0;  // bytes of activations that a layer keeps for each token and number of its width
  double achieved = 1;             // what a good matrix product reaches on the chip
  double inside = 1, outside = 1;  // one direction of a chip's link within a box, between boxes
  double capacity = 0;             // of a chip
  int chips = 1, batch = 1;        // sequences of a step
  double context = 1;              // tokens of a sequence
  int most_chunks = 1;             // of a stage

  // Of a step, causal attention included, nothing computed twice.
  double flops() const;
};

struct Plan {
  int tensor = 1, stages = 1, copies = 1, sequences = 1, chunks = 1, zero = 0;
  bool again = false;  // activations computed a second time
  double microbatches = 1;
  double compute = 0, tensor_time = 0, bubble = 0, exposed = 0, seconds = 0;
  double weights = 0, gradients = 0, optimiser = 0, activations = 0;  // bytes
  double held() const { return weights + gradients + optimiser + activations; }
};

// The plans that fit, the fastest first, of equally fast ones the smaller; empty when none does.
std::vector<Plan> plans_that_fit(const Run& run);

}  // namespace figures::models
