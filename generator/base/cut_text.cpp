#include "generator/base/cut_text.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view left_out = "…";
constexpr std::size_t longest_character = 4;

// The place itself, or the nearest before it where a character begins. Bytes that are no UTF-8 do
// not take it further than a character is long.
std::size_t character_start(std::string_view text, std::size_t at) {
  std::size_t start = std::min(at, text.size());
  for (std::size_t i = 0; i < longest_character && start > 0 && start < text.size(); ++i, --start) {
    if ((static_cast<unsigned char>(text[start]) & 0xC0) != 0x80) return start;
  }
  return start == text.size() || start == 0 ? start : std::min(at, text.size());
}

}  // namespace

CutLine cut_around(std::string_view line, std::size_t at, std::size_t most) {
  at = std::min(at, line.size());
  if (line.size() <= most) return {std::string(line), 1 + character_count(line.substr(0, at))};
  const std::size_t room = most - 2 * left_out.size() - longest_character;
  // A third of what is shown stands before the place.
  const std::size_t first = character_start(line, at - std::min(at, room / 3));
  const std::size_t last = character_start(line, std::min(line.size(), first + room));
  std::string text = first > 0 ? std::string(left_out) : "";
  text += line.substr(first, at - first);
  const int column = 1 + character_count(text);
  text += line.substr(at, last - at);
  if (last < line.size()) text += left_out;
  return {std::move(text), column};
}

std::string shortened(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  const std::size_t room = most - left_out.size() - longest_character;
  const std::size_t first = character_start(text, room * 3 / 4);
  const std::size_t last = character_start(text, text.size() - room / 4);
  return text.substr(0, first) + std::string(left_out) + text.substr(last);
}

}  // namespace primer
