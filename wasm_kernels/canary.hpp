// The clock canary: a chain of dependent additions and exclusive-ors. Each takes one cycle on every
// current processor, so the time of the chain counts clock cycles. This distinguishes a slow kernel
// from a processor that lowered its clock.
#pragma once
#include <cstdint>

namespace kernels {

inline constexpr int canary_ops_per_iteration = 64;

std::uint32_t canary(std::uint32_t iterations);

}  // namespace kernels
