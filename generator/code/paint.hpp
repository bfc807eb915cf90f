// What colour each byte of a piece of code gets, and the HTML that says so.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

enum class Paint : std::uint8_t {
  none,
  keyword,
  type,
  function,
  string,
  number,
  comment,
  op,
  variable,
  preprocessor,
  removed  // a line of a diff; one that is added is a string
};

using Painting = std::vector<Paint>;  // one for each byte of the code

// One well-formed piece of HTML for each line, every span closed within its line. Characters that
// XML cannot carry become U+FFFD.
std::vector<std::string> painted_lines(std::string_view code, const Painting& painting);

}  // namespace primer
