#include "generator/typeset/maths_repertoire.hpp"

#include <algorithm>
#include <charconv>

#include "generator/base/text.hpp"

namespace primer {
namespace {

// Reads hexadecimal digits off the front; false when there are none.
bool take_code(std::string_view& text, char32_t& code) {
  unsigned value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  if (error != std::errc{}) return false;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  code = value;
  return true;
}

}  // namespace

MathsRepertoire MathsRepertoire::parse(std::string_view text) {
  MathsRepertoire repertoire;
  for (std::string_view line : split_lines(text)) {
    if (!line.starts_with("U+")) continue;
    line.remove_prefix(2);
    char32_t first = 0;
    if (!take_code(line, first)) continue;
    char32_t last = first;
    if (line.starts_with('-')) {
      line.remove_prefix(1);
      if (!take_code(line, last)) continue;
    }
    repertoire.ranges_.emplace_back(first, last);
  }
  std::sort(repertoire.ranges_.begin(), repertoire.ranges_.end());
  return repertoire;
}

bool MathsRepertoire::has(char32_t code) const {
  const auto behind =
      std::upper_bound(ranges_.begin(), ranges_.end(), code,
                       [](char32_t wanted, const auto& range) { return wanted < range.first; });
  return behind != ranges_.begin() && code <= std::prev(behind)->second;
}

char32_t maths_italic(char32_t letter) {
  if (letter == U'h') return 0x210e;
  if (letter >= U'A' && letter <= U'Z') return 0x1d434 + (letter - U'A');
  if (letter >= U'a' && letter <= U'z') return 0x1d44e + (letter - U'a');
  if (letter >= 0x391 && letter <= 0x3a9 && letter != 0x3a2) return 0x1d6e2 + (letter - 0x391);
  if (letter >= 0x3b1 && letter <= 0x3c9) return 0x1d6fc + (letter - 0x3b1);
  switch (letter) {
    case 0x131: return 0x1d6a4;
    case 0x237: return 0x1d6a5;
    case 0x2202: return 0x1d715;
    case 0x2207: return 0x1d6fb;
    case 0x3d1: return 0x1d717;
    case 0x3d5: return 0x1d719;
    case 0x3f5: return 0x1d716;
    default: return letter;
  }
}

}  // namespace primer
