// Tasks on threads of this process.
#pragma once

#include "generator/core/base/tasks.hpp"

namespace primer {

class Threads final : public Tasks {
 public:
  // With 1, the caller does all work in order.
  explicit Threads(int threads) : threads_(threads) {}

  // Uses up to that many threads, including the caller's.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const override;

 private:
  std::function<void()> begin(std::function<void()> work) const override;

  int threads_;
};

}  // namespace primer
