#include "generator/base/blank.hpp"

#include <algorithm>
#include <string>

#include "generator/base/characters.hpp"

namespace primer {
namespace {

struct Spaces {
  char32_t first, last;
};
constexpr Spaces spaces[] = {{0x9, 0xD},       {0x20, 0x20},     {0x85, 0x85},     {0xA0, 0xA0},
                             {0x1680, 0x1680}, {0x2000, 0x200A}, {0x202F, 0x202F}, {0x205F, 0x205F},
                             {0x2800, 0x2800}, {0x3000, 0x3000}};

std::size_t length_of(unsigned char first) {
  return first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4;
}

}  // namespace

bool is_blank(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const std::string_view one = text.substr(at, length_of(static_cast<unsigned char>(text[at])));
    const char32_t point = code_points(one).front();
    const bool space = std::ranges::any_of(
        spaces, [&](const Spaces& range) { return point >= range.first && point <= range.last; });
    if (!space && !first_hidden_character(one, TextKind::code)) return false;
    at += one.size();
  }
  return true;
}

}  // namespace primer
