#include "canary.hpp"

namespace kernels {

std::uint32_t canary(std::uint32_t iterations) {
  std::uint32_t x = iterations;
  // Odd constants that differ from step to step, so that a compiler cannot merge two steps.
  for (std::uint32_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 32
    for (int step = 0; step < canary_ops_per_iteration / 2; ++step) x = (x + 0x9e3779b9u) ^ i;
  }
  return x;
}

}  // namespace kernels
