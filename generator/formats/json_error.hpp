// What is wrong with a text that is no JSON, at the place that caused it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace primer {

struct JsonSyntaxError {
  std::size_t offset = 0;
  std::string message;
};

// `offset` is the first byte that the parser could not use; the text's size when it wanted more.
JsonSyntaxError explain_json(std::string_view text, std::size_t offset);

}  // namespace primer
