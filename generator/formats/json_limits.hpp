// What a JSON text may hold, looked at before any parser builds something of it: no text of a book or a
// profile comes near, and none that goes beyond costs more than one look at its bytes.
#pragma once

#include <optional>

#include "generator/formats/json_error.hpp"

namespace primer {

inline constexpr std::size_t deepest_json = 64;  // brackets inside each other
inline constexpr std::size_t most_json_values =
    500'000;                                           // of one text, names of members not counted
inline constexpr std::size_t longest_json_name = 500;  // bytes of a member's name, as written

struct JsonScan {
  // The first thing beyond these limits, or the first number that no double can hold.
  std::optional<JsonSyntaxError> beyond;
  std::size_t names = 0;  // of members, repeated ones as often as they are there
};

// `text` need not be JSON; where it is none, what is counted means nothing.
JsonScan scan_json(std::string_view text);

}  // namespace primer
