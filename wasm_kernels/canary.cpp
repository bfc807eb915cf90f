#include "canary.hpp"

namespace kernels {

std::uint32_t canary(std::uint32_t iterations) {
  std::uint32_t x = iterations;
  // Odd and changing constants: no two neighbouring steps can be merged into one.
  for (std::uint32_t i = 0; i < iterations; ++i) {
#pragma GCC unroll 32
    for (int step = 0; step < canary_ops_per_iteration / 2; ++step) x = (x + 0x9e3779b9u) ^ i;
  }
  return x;
}

}  // namespace kernels
