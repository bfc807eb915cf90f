// A barrier for the threads of a team, in shared memory.
#pragma once
#include <cstdint>

namespace kernels {

// Initialize with zeros. Threads write these words often, so each has its own cache line.
struct Barrier {
  alignas(64) std::uint32_t arrived;
  alignas(64) std::uint32_t round;
  alignas(64) std::uint32_t asleep;
};

// Returns true once `threads` threads have called it. A thread spins for about 20 µs, which is the
// cost of sleeping and waking up, and then sleeps. A round takes 0.1 µs if nobody sleeps. Returns
// false if the other threads did not arrive within ten seconds; the barrier is then broken and
// stays broken.
[[nodiscard]] bool meet(Barrier& barrier, int threads);

}  // namespace kernels
