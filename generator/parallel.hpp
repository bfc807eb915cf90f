// Independent work on several threads.
#pragma once

#include <atomic>
#include <thread>
#include <vector>

namespace primer {

// Calls work(i) once for each i below count, on up to `threads` threads (the caller's included),
// and returns when all are done. Which thread does what is open: results belong into slot i.
template <class Work>
void for_each_index(std::size_t count, int threads, const Work& work) {
  std::atomic<std::size_t> next{0};
  const auto loop = [&] {
    for (std::size_t i = next++; i < count; i = next++) work(i);
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads && static_cast<std::size_t>(i) < count; ++i) {
    helpers.emplace_back(loop);
  }
  loop();
}

}  // namespace primer
