// Work that may be done at the same time as other work: on threads where the host has some (host/threads.hpp), else
// one after the other. Nothing in the core starts a thread itself.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace primer {

// What Tasks::start() gives: a value that is on its way. Destroying it waits for work that has begun.
template <class T>
class Task {
 public:
  // Waits for the value, once. What making it threw is thrown here.
  T get() {
    wait_();
    if (state_->failure) std::rethrow_exception(state_->failure);
    return std::move(*state_->value);
  }

 private:
  friend class Tasks;
  struct State {
    std::optional<T> value;
    std::exception_ptr failure;
  };
  std::unique_ptr<State> state_ = std::make_unique<State>();
  std::function<void()> wait_;  // goes first: it ends what writes to the state
};

// This one does everything in order: start() begins nothing before its value is asked for.
class Tasks {
 public:
  virtual ~Tasks() = default;

  // Calls work(i) once for each i below count and returns when all are done. Which thread does what is open:
  // results belong into place i. What a call throws (memory may run out) ends the work, and is thrown here when no
  // thread works.
  virtual void each(std::size_t count, const std::function<void(std::size_t)>& work) const {
    for (std::size_t i = 0; i < count; ++i) work(i);
  }

  // Begins make(), which must not need what the caller does meanwhile.
  template <class Make>
  auto start(Make make) const {
    Task<std::invoke_result_t<Make>> task;
    task.wait_ = begin([make = std::move(make), state = task.state_.get()] {
      try {
        state->value.emplace(make());
      } catch (...) {
        state->failure = std::current_exception();
      }
    });
    return task;
  }

 private:
  // Returns what waits for the work; called at most once. When it goes, begun work has ended.
  virtual std::function<void()> begin(std::function<void()> work) const { return work; }
};

inline const Tasks sequential;

}  // namespace primer
