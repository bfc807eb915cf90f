// Runs work in parallel if the host has threads (host/threads.hpp), and in sequence otherwise. The
// core never starts a thread itself.
#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace primer {

// The future value that Tasks::start() returns. Its destructor waits for work that has begun.
template <class T>
class Task {
 public:
  // Waits for the value. May be called once. Rethrows what the work threw.
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
  std::function<void()> wait_;  // declared last: its destructor ends the work that writes to state_
};

// The base class runs everything in sequence: work that was passed to start() runs when its value
// is needed.
class Tasks {
 public:
  virtual ~Tasks() = default;

  // Calls work(i) once for each i below `count` and returns when all calls are done. Any thread may
  // run any call, so results belong into slot i. If a call throws (memory may run out), the rest of
  // the work is dropped and each() rethrows the exception once no thread is working.
  virtual void each(std::size_t count, const std::function<void(std::size_t)>& work) const {
    for (std::size_t i = 0; i < count; ++i) work(i);
  }

  // Starts make(). It must not depend on anything that the caller does in the meantime.
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
  // Returns a function that waits for the work; it is called at most once. Its destructor waits for
  // work that has begun.
  virtual std::function<void()> begin(std::function<void()> work) const { return work; }
};

inline const Tasks sequential;

}  // namespace primer
