// Where the threads of a team wait for each other, in memory that they share.
#pragma once
#include <cstdint>

namespace kernels {

// All zero to begin with. Threads write its words often, so each has a cache line of its own.
struct Barrier {
  alignas(64) std::uint32_t arrived;
  alignas(64) std::uint32_t round;
  alignas(64) std::uint32_t asleep;
};

// Returns true once `threads` threads have called it. A thread looks for some 20 µs, which is what
// sleeping and being woken costs, then sleeps: handing over takes 0.1 µs when nobody sleeps. False
// when the others did not come within ten seconds; the barrier is broken then, and stays so.
[[nodiscard]] bool meet(Barrier& barrier, int threads);

}  // namespace kernels
