// A network with one hidden layer that recognizes digits: 64 pixels, 32 hidden units, 10 outputs.
#pragma once

#include <array>
#include <vector>

#include "figures/models/knobs/digits.hpp"

namespace figures::models {

// The weights of one layer, by input and then by unit: weights[input * units + unit].
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

  // The recognized digit: the index of the largest of the ten sums, the first one of equal sums.
  int read(const Digit& digit) const;
  // Plain gradient descent on the cross-entropy, one digit at a time. Weights that are zero stay
  // zero.
  void train(const std::vector<Digit>& digits, int rounds, float rate);
  // Sets the two smallest of every four weights of neighboring inputs to zero.
  void drop_half();
  // Multiplies the weights of one hidden unit by `factor` and divides the weights that read it,
  // which leaves the function unchanged.
  void enlarge(int unit, float factor);

 private:
  struct Sums {
    std::array<float, hidden> inner{};
    std::array<float, digit_kinds> outer{};
  };
  Sums run(const Digit& digit) const;
  void learn(const Digit& digit, float rate);
};

// The network trained from random weights, the same with half of its weights dropped, and the
// pruned network after another training. All builds give the same weights. Each network is created
// on its first use.
const DigitNetwork& trained_network();
const DigitNetwork& halved_network();
const DigitNetwork& retrained_network();

}  // namespace figures::models
