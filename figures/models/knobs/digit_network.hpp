// A network of one hidden layer that reads digits: 64 pixels, 32 hidden units, 10 answers.
#pragma once

#include <array>
#include <vector>

#include "figures/models/knobs/digits.hpp"

namespace figures::models {

// The weights of one layer, by input, then by unit: weights[input * units + unit].
struct DigitLayer {
  int inputs = 0, units = 0;
  std::vector<float> weights, biases;
  DigitLayer(int in, int out)
      : inputs(in),
        units(out),
        weights(static_cast<std::size_t>(in * out)),
        biases(static_cast<std::size_t>(out)) {}
  float& at(int input, int unit) { return weights[static_cast<std::size_t>(input * units + unit)]; }
  const float* row(int input) const { return &weights[static_cast<std::size_t>(input * units)]; }
  float* row(int input) { return &at(input, 0); }
};

class DigitNetwork {
 public:
  static constexpr int hidden = 32;

  DigitLayer first{digit_pixels, hidden}, second{hidden, digit_kinds};

  // The answer to a picture: the largest of ten sums, the first of equal ones.
  int read(const Digit& digit) const;
  // Plain gradient descent, a picture at a time, on the cross-entropy of the answers. Weights that are
  // zero stay zero.
  void train(const std::vector<Digit>& digits, int rounds, float rate);
  // Of every four weights that meet neighbouring inputs the two smallest become zero.
  void drop_half();
  // One hidden unit `factor` times as large, and what reads it as much smaller: the same function.
  void enlarge(int unit, float factor);

 private:
  struct Sums {
    std::array<float, hidden> inner{};
    std::array<float, digit_kinds> outer{};
  };
  Sums run(const Digit& digit) const;
  void learn(const Digit& digit, float rate);
};

// Trained from random weights, in every build alike; with half of its weights dropped; and trained again
// after that. Each is made once, when it is first asked for.
const DigitNetwork& trained_network();
const DigitNetwork& halved_network();
const DigitNetwork& retrained_network();

}  // namespace figures::models
