// Seeded random numbers, the same in every build (xorshift64*).
#pragma once

#include <cstdint>

namespace figures::models {

class Random {
 public:
  explicit Random(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15u + 1) {}
  // Uniform in [0, 1), with 32 random bits.
  double share() {
    state_ ^= state_ >> 12;
    state_ ^= state_ << 25;
    state_ ^= state_ >> 27;
    return static_cast<double>((state_ * 0x2545F4914F6CDD1Du) >> 32) / 4294967296.0;
  }
  // Nearly normal with mean 0 and variance 1, within ±6: the sum of twelve uniform numbers.
  double bell() {
    double sum = -6;
    for (int draw = 0; draw < 12; ++draw) sum += share();
    return sum;
  }
  // Uniform in [0, below).
  int below(int limit) { return static_cast<int>(share() * limit); }

 private:
  std::uint64_t state_;
};

}  // namespace figures::models
