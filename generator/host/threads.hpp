// Tasks on threads of this process.
#pragma once

#include "generator/base/tasks.hpp"

namespace primer {

class Threads final : public Tasks {
 public:
  // With one, everything is done in order by the caller.
  explicit Threads(int threads) : threads_(threads) {}

  // On up to that many threads, the caller's included.
  void each(std::size_t count, const std::function<void(std::size_t)>& work) const override;

 private:
  std::function<void()> begin(std::function<void()> work) const override;

  int threads_;
};

}  // namespace primer
