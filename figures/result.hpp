// Result: a value or the reason why there is none.
//
// Nothing throws across a module's border, in the build as in the page (where exceptions would cost
// more than the module itself). An Error points into the text that it is about, so that a caller
// can turn it into file:line:col and a caret run.
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <variant>

namespace figures {

// Why there is no value. The last two are not the text's fault: it names something that exists, and
// a profile that holds it would answer.
enum class Cause {
  invalid,       // the text is wrong: the build fails
  not_measured,  // this profile has no result for it
  unavailable,   // this profile says that it cannot be measured there; the message says why
};

struct Error {
  std::string message;          // one sentence without a full stop: "unknown unit 'FLOPS'"
  std::size_t offset = 0;       // first byte of the offending span in the text that was parsed
  std::size_t length = 0;       // bytes in the span; 0 when the error is about the whole text
  std::string suggestion = {};  // the nearest valid text, or empty
  Cause cause = Cause::invalid;
};

// Either a T or an Error. Converts from both, so functions just return one of them. value() of a
// failed Result and error() of a good one are programming errors (they end the program): ask first.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  explicit operator bool() const { return state_.index() == 0; }

  const T& value() const& { return *checked(std::get_if<0>(&state_)); }
  T& value() & { return *checked(std::get_if<0>(&state_)); }
  T&& value() && { return std::move(*checked(std::get_if<0>(&state_))); }
  const Error& error() const { return *checked(std::get_if<1>(&state_)); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  T value_or(T fallback) const { return *this ? value() : std::move(fallback); }

 private:
  // std::get would throw; __builtin_trap ends the program in both builds and in any mode.
  template <class U>
  static U* checked(U* pointer) {
    if (pointer == nullptr) __builtin_trap();
    return pointer;
  }

  std::variant<T, Error> state_;
};

// For functions that only succeed or fail: `return ok();` or `return Error{…};`.
struct Success {};
using Status = Result<Success>;
inline Status ok() { return Success{}; }

}  // namespace figures
