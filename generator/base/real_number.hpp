// std::from_chars of a double, which the standard library of WebAssembly does not have yet (libc++ before version 20).
#pragma once

#include <charconv>

namespace primer {

// As std::from_chars(first, last, value) does it: with a point whatever the locale, without a plus sign, correctly
// rounded; `value` stays as it was after a failure.
std::from_chars_result read_real(const char* first, const char* last, double& value);

}  // namespace primer
