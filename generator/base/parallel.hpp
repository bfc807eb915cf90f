// Independent work on several threads.
#pragma once

#include <atomic>
#include <exception>
#include <thread>
#include <vector>

namespace primer {

// Calls work(i) once for each i below count, on up to `threads` threads (the caller's included),
// and returns when all are done. Which thread does what is open: results belong into slot i.
// What a call throws (memory may run out) ends the work, and is thrown here when no thread works.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  std::atomic_flag failed;
  std::exception_ptr failure;
  const auto loop = [&] {
    try {
      for (std::size_t i = next++; i < count; i = next++) work(i);
    } catch (...) {
      if (!failed.test_and_set()) failure = std::current_exception();
      next = count;
    }
  };
  {
    std::vector<std::jthread> helpers;
    for (int i = 1; i < threads && static_cast<std::size_t>(i) < count; ++i) {
      helpers.emplace_back(loop);
    }
    loop();
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace primer
