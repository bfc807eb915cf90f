// Result: a value, or an Error that explains why there is none.
//
// No exception crosses the border of a module. In a page, exceptions would cost more bytes than the
// module itself. An Error holds a span of the text that it is about, so that the caller can print
// file:line:col and underline the span.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace figures {

// True in the native build and in primer.wasm, which read what authors write: errors then explain
// what is wrong and suggest what may have been meant. The modules of a page read only what the
// build or profile.js has checked, so they leave out those strings.
#if defined(__EMSCRIPTEN__) && !defined(PRIMER_WORKSHOP)
inline constexpr bool tells_authors = false;
#else
inline constexpr bool tells_authors = true;
#endif

// The message of an error that only an author can meet, concatenated from its parts. In a page's
// module, one generic sentence replaces all of these messages.
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
    return std::string_view("this page contains an error that its build should have rejected");
  }
}

// Why there is no value. With the last two causes the text is right: it names something that
// exists, and a profile that contains the result would give a value.
enum class Cause {
  invalid,       // the text is wrong: the build fails
  not_measured,  // this profile has no result for it
  // This profile records that it cannot be measured there; the message gives the reason
  unavailable,
};

// Errors that a caller handles in code. Callers never compare messages, which are only for people.
enum class Code {
  other,
  unknown_unit,    // the span is not a unit
  unknown_name,    // the span is not a name of an expression
  unknown_member,  // the member that `path` ends with is not known
  no_case,         // the cases of a verdict do not cover all values
};

struct Error {
  std::string message;     // one sentence without a full stop: "unknown unit 'FLOPS'"
  std::size_t offset;      // first byte of the offending span in the text that was parsed
  std::size_t length;      // bytes in the span; 0: the error is about the whole text
  std::string suggestion;  // the nearest valid text, or empty
  Cause cause;
  Code code = Code::other;
  // The part of a document that the error is about: "points[1].label", or "on" and "cases[2].say"
  // for a verdict. The span then refers to the text of this part. Empty: the span refers to the
  // whole document. Always empty in a page, which has no use for it.
  std::string path;

  // Defined out of line, like the functions below: hundreds of places create and return errors, and
  // inlined code would make the page's modules larger.
  Error(std::string_view text, std::size_t at = 0, std::size_t bytes = 0,
        std::string_view nearest = {}, Cause why = Cause::invalid);
  Error(const Error& other);
  Error(Error&& other) noexcept;
  Error& operator=(const Error& other);
  Error& operator=(Error&& other) noexcept;
  ~Error();

  // The same error with a code.
  Error as(Code what) &&;
  Error of(std::string_view part) &&;
  Error moved(std::size_t bytes) &&;  // for text that starts `bytes` into a larger text
};

// An optional Error with the size of a pointer.
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

// Either a T or an Error. Converts from both, so a function just returns one of them. Calling
// value() on an error, or error() on a value, is a programming error and ends the program.
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
  // __builtin_trap ends the program in both builds, with or without NDEBUG.
  const T* checked() const {
    if (!error_.is_empty()) __builtin_trap();
    return &*value_;
  }

  std::optional<T> value_;
  ErrorSlot error_;
};

// The value of a Result that only reports success: `return ok();` or `return Error{…};`.
struct Success {};
using Status = Result<Success>;
inline Status ok() { return Success{}; }

}  // namespace figures
