// Where in a JSON text a value stands, for messages: the parser keeps no positions.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace primer {

// The way to a value from the whole: member names, and indices of arrays as decimals.
using JsonPath = std::vector<std::string>;

struct JsonPlace {
  std::size_t offset = 0;  // of the value's first byte
  std::size_t length = 1;  // of a scalar; 1 for an object or an array: its bracket
  std::size_t key_offset =
      0;  // of the member's name in its quotes; the value's where there is none
  std::size_t key_length = 1;
};

// The place of the value at `path`, or, where the text has no such value, of the innermost one on
// the way that it has. Of members with one name the last counts, as for the parser. `text` is valid
// JSON; of other text the answer is some place within it.
JsonPlace find_value(std::string_view text, const JsonPath& path);

}  // namespace primer
