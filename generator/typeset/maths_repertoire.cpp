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
    const bool is_complete = line.starts_with('+');
    if (is_complete) line.remove_prefix(1);
    if (!line.starts_with("U+")) continue;
    line.remove_prefix(2);
    char32_t first = 0;
    if (!take_code(line, first)) continue;
    char32_t last = first;
    if (line.starts_with('-')) {
      line.remove_prefix(1);
      if (!take_code(line, last)) continue;
    }
    (is_complete ? repertoire.complete_ : repertoire.subset_).emplace_back(first, last);
  }
  std::ranges::sort(repertoire.subset_);
  std::ranges::sort(repertoire.complete_);
  return repertoire;
}

bool MathsRepertoire::holds(const Ranges& ranges, char32_t code) {
  const auto behind =
      std::upper_bound(ranges.begin(), ranges.end(), code,
                       [](char32_t wanted, const auto& range) { return wanted < range.first; });
  return behind != ranges.begin() && code <= std::prev(behind)->second;
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
    case 0x3d6: return 0x1d71b;
    case 0x3f0: return 0x1d718;
    case 0x3f1: return 0x1d71a;
    case 0x3f4: return 0x1d6f3;
    case 0x3f5: return 0x1d716;
    default: return letter;
  }
}

std::optional<StyledLetter> styled_letter(char32_t code) {
  struct Alphabet {
    char32_t letters, digits;  // where A to Z and a to z begin, and 0 to 9; 0: no digits
    std::string_view classes;
  };
  constexpr Alphabet alphabets[] = {{0x1d400, 0x1d7ce, "m-tb"},      {0x1d434, 0, "m-ti"},
                                    {0x1d468, 0, "m-tb m-ti"},       {0x1d5a0, 0x1d7e2, "m-ts"},
                                    {0x1d5d4, 0x1d7ec, "m-tb m-ts"}, {0x1d608, 0, "m-ti m-ts"},
                                    {0x1d63c, 0, "m-tb m-ti m-ts"},  {0x1d670, 0x1d7f6, "m-tt"}};
  for (const auto& [letters, digits, classes] : alphabets) {
    if (code >= letters && code < letters + 52) {
      const auto at = static_cast<int>(code - letters);
      return StyledLetter{static_cast<char>(at < 26 ? 'A' + at : 'a' + at - 26), classes};
    }
    if (digits != 0 && code >= digits && code < digits + 10)
      return StyledLetter{static_cast<char>('0' + static_cast<int>(code - digits)), classes};
  }
  if (code == 0x210e) return StyledLetter{'h', "m-ti"};
  constexpr std::u32string_view small_capitals = U"ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀ\0ᴛᴜᴠᴡ\0ʏᴢ";
  const auto at = small_capitals.find(code);
  if (code == 0 || at == small_capitals.npos) return std::nullopt;
  return StyledLetter{static_cast<char>('a' + static_cast<int>(at)), "m-sc"};
}

}  // namespace primer
