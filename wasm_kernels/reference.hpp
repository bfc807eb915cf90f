// Shared by all checks. They run untimed, in double precision and one element at a time.
#pragma once
#include <cstdint>

namespace kernels {

// A pseudo-random integer from 1 to 65536 for each position: the random weights of Freivalds'
// check, small enough that sums of many products stay exact in a double.
inline double random_weight(int i) {
  std::uint32_t x = std::uint32_t(i) * 0x9e3779b9u + 0x7f4a7c15u;
  x = (x ^ (x >> 15)) * 0x2c1b3c6du;
  return double((x ^ (x >> 12)) & 0xffff) + 1;
}

// e^x for |x| < 500: a short series near 0, then 16 squarings. The relative error is about 1e-11.
inline double reference_exp(double x) {
  x /= 65536;
  double power = 1 + x * (1 + x / 2 * (1 + x / 3 * (1 + x / 4 * (1 + x / 5))));
  for (int i = 0; i < 16; ++i) power *= power;
  return power;
}

// The largest difference between found and expected values.
class Deviation {
 public:
  void compare(double found, double expected) {
    const double difference = found > expected ? found - expected : expected - found;
    if (difference > largest_) largest_ = difference;
    if (difference != difference) largest_ = 1e300;  // NaN is always wrong
  }
  double largest() const { return largest_; }

 private:
  double largest_ = 0;
};

}  // namespace kernels
