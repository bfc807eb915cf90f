// Result: a value or the reason why there is none.
//
// Nothing throws across a module's border, in the build as in the page (where exceptions would cost
// more than the module itself). An Error points into the text that it is about, so that a caller
// can turn it into file:line:col and a caret run.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace figures {

// The native build reads what authors write, and tells them what is wrong with it and what may have
// been meant. A page's module reads what has been through that build (a profile: through profile.js)
// and has none of these words; primer.wasm is a build itself.
#if defined(__EMSCRIPTEN__) && !defined(PRIMER_WORKSHOP)
inline constexpr bool tells_authors = false;
#else
inline constexpr bool tells_authors = true;
#endif

// The message of an error that only an author can meet: its parts one after another, texts or what
// makes one. For a reader one sentence stands for all of them.
template <class... Parts>
auto for_author(const Parts&... parts) {
  if constexpr (tells_authors) {
    std::string message;
    [[maybe_unused]] const auto add = [&](const auto& part) {
      if constexpr (std::is_invocable_v<decltype(part)>) message += part();
      else message += part;
    };
    (add(parts), ...);
    return message;
  } else {
    return std::string_view("this page holds what its build should have refused");
  }
}

// Why there is no value. The last two are not the text's fault: it names something that exists, and
// a profile that holds it would answer.
enum class Cause {
  invalid,       // the text is wrong: the build fails
  not_measured,  // this profile has no result for it
  unavailable,   // this profile says that it cannot be measured there; the message says why
};

// What a caller does something about. The message is for people alone: nobody decides by its words.
enum class Code {
  other,
  unknown_unit,    // the span is not a unit
  unknown_name,    // the span is not a name of an expression
  unknown_member,  // nobody reads the member that `path` ends with
  no_case,         // a verdict says nothing of some values
};

struct Error {
  std::string message;     // one sentence without a full stop: "unknown unit 'FLOPS'"
  std::size_t offset;      // first byte of the offending span in the text that was parsed
  std::size_t length;      // bytes in the span; 0 when the error is about the whole text
  std::string suggestion;  // the nearest valid text, or empty
  Cause cause;
  Code code = Code::other;
  // Which part of a document the error is about, as messages write it ("points[1].label"; a verdict's
  // is "on" or "cases[2].say"): the span is then one of its text. Empty: the whole of what was read.
  // Pages, where nobody looks for the place, have none.
  std::string path;

  // Out of line, as is all that follows: errors are made and handed on in hundreds of places, and a
  // page pays for every byte.
  Error(std::string_view text, std::size_t at = 0, std::size_t bytes = 0,
        std::string_view nearest = {}, Cause why = Cause::invalid);
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

  // The same error, with what a caller needs to know of it.
  Error as(Code what) &&;
  Error of(std::string_view part) &&;
  Error moved(std::size_t bytes) &&;  // its text begins so far into another
};

// An Error, or none; as large as a pointer.
class ErrorSlot {
 public:
  ErrorSlot() = default;
  explicit ErrorSlot(const Error& error);
  explicit ErrorSlot(Error&& error);
  ErrorSlot(const ErrorSlot& other);
  ErrorSlot(ErrorSlot&& other) noexcept : error_(std::exchange(other.error_, nullptr)) {}
  ErrorSlot& operator=(ErrorSlot other) noexcept {
    std::swap(error_, other.error_);
    return *this;
  }
  ~ErrorSlot() {
    if (error_ != nullptr) drop();
  }

  bool is_empty() const { return error_ == nullptr; }
  const Error& get() const {
    if (error_ == nullptr) __builtin_trap();
    return *error_;
  }

 private:
  void drop();
  Error* error_ = nullptr;
};

// Either a T or an Error. Converts from both, so functions just return one of them. value() of a
// failed Result and error() of a good one are programming errors (they end the program): ask first.
template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : value_(std::move(value)) {}
  Result(const Error& error) : error_(error) {}
  Result(Error&& error) : error_(std::move(error)) {}

  explicit operator bool() const { return error_.is_empty(); }

  const T& value() const& { return *checked(); }
  T& value() & { return *const_cast<T*>(checked()); }
  T&& value() && { return std::move(*const_cast<T*>(checked())); }
  const Error& error() const { return error_.get(); }

  const T& operator*() const& { return value(); }
  T& operator*() & { return value(); }
  const T* operator->() const { return &value(); }
  T* operator->() { return &value(); }

  T value_or(T fallback) const { return *this ? value() : std::move(fallback); }

 private:
  // __builtin_trap ends the program in both builds and in any mode.
  const T* checked() const {
    if (!error_.is_empty()) __builtin_trap();
    return &*value_;
  }

  std::optional<T> value_;
  ErrorSlot error_;
};

// For functions that only succeed or fail: `return ok();` or `return Error{…};`.
struct Success {};
using Status = Result<Success>;
inline Status ok() { return Success{}; }

}  // namespace figures
