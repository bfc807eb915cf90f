#include "generator/host/threads.hpp"

#include <atomic>
#include <exception>
#include <memory>
#include <thread>
#include <vector>

namespace primer {

void Threads::each(std::size_t count, const std::function<void(std::size_t)>& work) const {
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
    for (int i = 1; i < threads_ && static_cast<std::size_t>(i) < count; ++i)
      helpers.emplace_back(loop);
    loop();
  }
  if (failure) std::rethrow_exception(failure);
}

std::function<void()> Threads::begin(std::function<void()> work) const {
  if (threads_ == 1) return work;
  const auto thread = std::make_shared<std::jthread>(std::move(work));
  return [thread] {
    if (thread->joinable()) thread->join();
  };
}

}  // namespace primer
