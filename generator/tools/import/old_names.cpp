#include "generator/tools/import/old_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

// The letters U+00E0 to U+017F without their accents; a space where there is no plain letter.
constexpr std::string_view plain_letters =
    "aaaaaaaceeeeiiiidnooooo ouuuuyty"                                   // U+00E0
    "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiiijjkkklllllll"   // U+0100
    "lllnnnnnnnnnoooooooorrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs";  // U+0140

std::string latin(char32_t point) {
  if (point == U'ß') return "ss";
  if (point == U'æ') return "ae";
  if (point == U'œ') return "oe";
  const std::size_t at = point >= 0xE0 && point <= 0xFF ? point - 0xE0 : point - 0x100 + 32;
  const bool known = point >= 0xE0 && point <= 0x17F && at < plain_letters.size();
  return known && plain_letters[at] != ' ' ? std::string(1, plain_letters[at]) : "";
}

std::string hexadecimal(char32_t point) {
  std::array<char, 12> digits{};
  const auto end =
      std::to_chars(digits.data(), digits.data() + digits.size(), static_cast<unsigned>(point), 16);
  return {digits.data(), end.ptr};
}

}  // namespace

std::string as_id(std::string_view text) {
  std::string id;
  const auto gap = [&] {
    if (!id.empty() && id.back() != '-') id += '-';
  };
  for (const char32_t point : code_points(lower_case(text))) {
    if (point < 0x80) {
      const char c = static_cast<char>(point);
      if (std::isalnum(static_cast<unsigned char>(c))) id += c;
      else gap();
    } else if (const std::string letter = latin(point); !letter.empty()) {
      id += letter;
    } else if (point > 0x17F && (point < 0x2000 || point > 0x206F)) {
      gap();
      id += 'u' + hexadecimal(point);
      gap();
    } else {
      gap();
    }
  }
  while (id.ends_with('-')) id.pop_back();
  if (id.empty()) return "page";
  return std::isdigit(static_cast<unsigned char>(id.front())) ? "c-" + id : id;
}

std::string slug_of_name(std::string_view name) {
  const auto letters = name.find_first_not_of("0123456789");
  const bool ordered = letters != name.npos && letters > 0 && letters <= 4 &&
                       std::string_view("-_. ").find(name[letters]) != std::string_view::npos &&
                       letters + 1 < name.size() &&
                       !std::isdigit(static_cast<unsigned char>(name[letters + 1]));
  return as_id(ordered ? name.substr(letters + 1) : name);
}

std::string percent_decoded(std::string_view path) {
  std::string out;
  for (std::size_t i = 0; i < path.size(); ++i) {
    unsigned code = 0;
    const char* digits = path.data() + i + 1;
    const bool escaped = path[i] == '%' && path.size() - i > 2 &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    out += escaped ? static_cast<char>(code) : path[i];
    if (escaped) i += 2;
  }
  return is_utf8(out) ? out : std::string(path);
}

}  // namespace primer
