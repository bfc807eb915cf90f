#include "barrier.hpp"

#if !defined(__wasm__)
#include <chrono>
#include <thread>
#endif

namespace kernels {
namespace {

constexpr int spins = 20'000;
constexpr std::uint32_t broken = ~std::uint32_t{0};  // a round that counting never reaches

std::uint32_t look(const std::uint32_t& word) { return __atomic_load_n(&word, __ATOMIC_SEQ_CST); }
void put(std::uint32_t& word, std::uint32_t value) {
  __atomic_store_n(&word, value, __ATOMIC_SEQ_CST);
}

// Waits until `word` is no longer `value`; false after ten seconds. Checks the word again after
// each wakeup, because a thread that wakes the sleepers of one round may be late and wake those of
// the next.
#if defined(__wasm_atomics__)
bool sleep_while(std::uint32_t& word, std::uint32_t value) {
  constexpr long long patience_ns = 10'000'000'000;
  constexpr int timed_out = 2;
  while (look(word) == value) {
    int* address = reinterpret_cast<int*>(&word);
    if (__builtin_wasm_memory_atomic_wait32(address, int(value), patience_ns) == timed_out)
      return false;
  }
  return true;
}
void wake_all(std::uint32_t& word) {
  __builtin_wasm_memory_atomic_notify(reinterpret_cast<int*>(&word), ~0u);
}
#elif defined(__wasm__)  // a module with its own memory has one thread, which never waits
bool sleep_while(std::uint32_t&, std::uint32_t) { return false; }
void wake_all(std::uint32_t&) {}
#else
bool sleep_while(std::uint32_t& word, std::uint32_t value) {
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(10);
  while (look(word) == value) {
    if (std::chrono::steady_clock::now() > end) return false;
    std::this_thread::yield();
  }
  return true;
}
void wake_all(std::uint32_t&) {}
#endif

}  // namespace

// A thread announces that it sleeps before it checks the round for the last time, and the last
// thread to arrive starts the next round before it checks for sleepers. So one of the two always
// sees the other.
bool meet(Barrier& barrier, int threads) {
  const std::uint32_t round = look(barrier.round);
  if (round == broken) return false;
  if (__atomic_add_fetch(&barrier.arrived, 1, __ATOMIC_SEQ_CST) == std::uint32_t(threads)) {
    put(barrier.arrived, 0);
    put(barrier.round, round + 1 == broken ? 0 : round + 1);
    if (look(barrier.asleep)) wake_all(barrier.round);
    return true;
  }
  for (int i = 0; i < spins; ++i)
    if (const std::uint32_t now = look(barrier.round); now != round) return now != broken;
  __atomic_add_fetch(&barrier.asleep, 1, __ATOMIC_SEQ_CST);
  const bool came = sleep_while(barrier.round, round);
  __atomic_sub_fetch(&barrier.asleep, 1, __ATOMIC_SEQ_CST);
  if (!came) {
    put(barrier.round, broken);
    wake_all(barrier.round);
  }
  return came && look(barrier.round) != broken;
}

}  // namespace kernels
