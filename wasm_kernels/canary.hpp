// The clock canary: a chain of additions and exclusive-ors, each waiting for the one before and
// each taking one cycle on every processor of this century. Its time is a count of clock cycles,
// which tells a slow kernel from a clock that was lowered under it.
#pragma once
#include <cstdint>

namespace kernels {

inline constexpr int canary_ops_per_iteration = 64;

std::uint32_t canary(std::uint32_t iterations);

}  // namespace kernels
