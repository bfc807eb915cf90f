// Colors per byte of code, and the HTML for them.
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
  removed  // a removed line of a diff; an added one is a string
};

using Painting = std::vector<Paint>;  // one per byte of the code

// Returns one well-formed piece of HTML per line, with every span closed on its line. Characters
// that XML does not allow become U+FFFD.
std::vector<std::string> painted_lines(std::string_view code, const Painting& painting);

}  // namespace primer
