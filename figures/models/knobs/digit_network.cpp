#include "figures/models/knobs/digit_network.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"
#include "figures/models/knobs/few_bits.hpp"
#include "figures/models/random.hpp"

namespace figures::models {
namespace {

// Adds `by` times the weights of one input to `out`.
void add_row(float* out, const float* row, int units, float by) {
  for (int unit = 0; unit < units; ++unit) out[unit] += by * row[unit];
}

std::vector<Digit> lessons() { return draw_digits(2000, 1); }

}  // namespace

DigitNetwork::Sums DigitNetwork::run(const Digit& digit) const {
  Sums sums;
  std::copy(first.biases.begin(), first.biases.end(), sums.inner.begin());
  std::copy(second.biases.begin(), second.biases.end(), sums.outer.begin());
  for (int i = 0; i < digit_pixels; ++i)
    add_row(sums.inner.data(), first.row(i), hidden, digit.pixels[i]);
  for (int i = 0; i < hidden; ++i) {
    sums.inner[i] = std::max(sums.inner[i], 0.0f);
    add_row(sums.outer.data(), second.row(i), digit_kinds, sums.inner[i]);
  }
  return sums;
}

int DigitNetwork::read(const Digit& digit) const {
  const Sums sums = run(digit);
  return static_cast<int>(std::max_element(sums.outer.begin(), sums.outer.end()) -
                          sums.outer.begin());
}

void DigitNetwork::learn(const Digit& digit, float rate) {
  const Sums sums = run(digit);
  // Softmax with powers of two, because exp2_of() gives the same result in every build.
  const float most = *std::max_element(sums.outer.begin(), sums.outer.end());
  std::array<float, digit_kinds> off{};
  float all = 0;
  for (int k = 0; k < digit_kinds; ++k) {
    off[k] = static_cast<float>(exp2_of((sums.outer[k] - most) * 1.4426950408889634));
    all += off[k];
  }
  for (int k = 0; k < digit_kinds; ++k) off[k] = off[k] / all - (k == digit.kind ? 1.0f : 0.0f);

  std::array<float, hidden> back{};
  for (int i = 0; i < hidden; ++i) {
    if (sums.inner[i] == 0) continue;  // ReLU output is 0, so there is no gradient
    float* row = second.row(i);
    for (int k = 0; k < digit_kinds; ++k) back[i] += off[k] * row[k];
    add_row(row, off.data(), digit_kinds, -rate * sums.inner[i]);
  }
  add_row(second.biases.data(), off.data(), digit_kinds, -rate);
  for (int i = 0; i < digit_pixels; ++i)
    add_row(first.row(i), back.data(), hidden, -rate * digit.pixels[i]);
  add_row(first.biases.data(), back.data(), hidden, -rate);
}

void DigitNetwork::train(const std::vector<Digit>& digits, int rounds, float rate) {
  std::vector<float> kept;  // 0 or 1
  for (const DigitLayer* layer : {&first, &second})
    for (const float weight : layer->weights) kept.push_back(weight == 0 ? 0.0f : 1.0f);
  for (int round = 0; round < rounds; ++round) {
    for (const Digit& digit : digits) {
      learn(digit, rate);
      const float* keep = kept.data();
      for (DigitLayer* layer : {&first, &second})
        for (float& weight : layer->weights) weight *= *keep++;
    }
    rate *= 0.8f;
  }
}

void DigitNetwork::drop_half() {
  for (DigitLayer* layer : {&first, &second})
    for (int unit = 0; unit < layer->units; ++unit)
      for (int begin = 0; begin < layer->inputs; begin += 4) {
        for (int dropped = 0; dropped < 2; ++dropped) {
          float* least = nullptr;
          for (int i = begin; i < begin + 4; ++i) {
            float& weight = layer->at(i, unit);
            if (weight != 0 && (least == nullptr || magnitude(weight) < magnitude(*least)))
              least = &weight;
          }
          if (least != nullptr) *least = 0;
        }
      }
}

void DigitNetwork::enlarge(int unit, float factor) {
  for (int i = 0; i < digit_pixels; ++i) first.at(i, unit) *= factor;
  first.biases[static_cast<std::size_t>(unit)] *= factor;
  for (int k = 0; k < digit_kinds; ++k) second.at(unit, k) /= factor;
}

const DigitNetwork& trained_network() {
  static const DigitNetwork made = [] {
    DigitNetwork network;
    Random random(3);
    for (float& weight : network.first.weights)
      weight = static_cast<float>(0.3 * (2 * random.share() - 1));
    for (float& weight : network.second.weights)
      weight = static_cast<float>(0.4 * (2 * random.share() - 1));
    network.train(lessons(), 6, 0.06f);
    return network;
  }();
  return made;
}

const DigitNetwork& halved_network() {
  static const DigitNetwork made = [] {
    DigitNetwork network = trained_network();
    network.drop_half();
    return network;
  }();
  return made;
}

const DigitNetwork& retrained_network() {
  static const DigitNetwork made = [] {
    DigitNetwork network = halved_network();
    network.train(lessons(), 4, 0.03f);
    return network;
  }();
  return made;
}

}  // namespace figures::models
