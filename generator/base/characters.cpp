#include "generator/base/characters.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>
#include <span>

#include "generator/base/text.hpp"

namespace primer {
namespace {

struct Range {
  char32_t first, last;
};

constexpr bool holds(std::span<const Range> ranges, char32_t point) {
  for (const auto& [first, last] : ranges) {
    if (point >= first && point <= last) return true;
  }
  return false;
}

// Joining_Type D, R or L, and the marks that stand on such letters.
constexpr Range joining[] = {{0x620, 0x65F},     {0x66E, 0x6D5},     {0x6EE, 0x6EF},
                             {0x6FA, 0x6FF},     {0x710, 0x72F},     {0x74D, 0x77F},
                             {0x7CA, 0x7EA},     {0x840, 0x858},     {0x860, 0x88E},
                             {0x8A0, 0x8C8},     {0x1820, 0x18AA},   {0xA840, 0xA872},
                             {0x10AC0, 0x10AEF}, {0x10B80, 0x10BAE}, {0x10D00, 0x10D23},
                             {0x10F30, 0x10F54}, {0x10F70, 0x10FCB}, {0x1E900, 0x1E943}};
// Canonical_Combining_Class 9.
constexpr Range viramas[] = {
    {0x94D, 0x94D},     {0x9CD, 0x9CD},     {0xA4D, 0xA4D},     {0xACD, 0xACD},
    {0xB4D, 0xB4D},     {0xBCD, 0xBCD},     {0xC4D, 0xC4D},     {0xCCD, 0xCCD},
    {0xD3B, 0xD3C},     {0xD4D, 0xD4D},     {0xDCA, 0xDCA},     {0xE3A, 0xE3A},
    {0xEBA, 0xEBA},     {0xF84, 0xF84},     {0x1039, 0x103A},   {0x1714, 0x1715},
    {0x1734, 0x1734},   {0x17D2, 0x17D2},   {0x1A60, 0x1A60},   {0x1B44, 0x1B44},
    {0x1BAA, 0x1BAB},   {0x1BF2, 0x1BF3},   {0x2D7F, 0x2D7F},   {0xA806, 0xA806},
    {0xA82C, 0xA82C},   {0xA8C4, 0xA8C4},   {0xA953, 0xA953},   {0xA9C0, 0xA9C0},
    {0xAAF6, 0xAAF6},   {0xABED, 0xABED},   {0x10A3F, 0x10A3F}, {0x11046, 0x11046},
    {0x11070, 0x11070}, {0x1107F, 0x1107F}, {0x110B9, 0x110B9}, {0x11133, 0x11134},
    {0x111C0, 0x111C0}, {0x11235, 0x11235}, {0x112EA, 0x112EA}, {0x1134D, 0x1134D},
    {0x11442, 0x11442}, {0x114C2, 0x114C2}, {0x115BF, 0x115BF}, {0x1163F, 0x1163F},
    {0x116B6, 0x116B6}, {0x1172B, 0x1172B}, {0x11839, 0x11839}, {0x1193D, 0x1193E},
    {0x119E0, 0x119E0}, {0x11A34, 0x11A34}, {0x11A47, 0x11A47}, {0x11A99, 0x11A99},
    {0x11C3F, 0x11C3F}, {0x11D44, 0x11D45}, {0x11D97, 0x11D97}};
// Extended_Pictographic, by its blocks.
constexpr Range pictographs[] = {
    {0xA9, 0xA9},     {0xAE, 0xAE},     {0x203C, 0x203C}, {0x2049, 0x2049},
    {0x2122, 0x2122}, {0x2139, 0x2139}, {0x2194, 0x21AA}, {0x231A, 0x23FF},
    {0x24C2, 0x24C2}, {0x25AA, 0x27BF}, {0x2934, 0x2935}, {0x2B05, 0x2B55},
    {0x3030, 0x3030}, {0x303D, 0x303D}, {0x3297, 0x3299}, {0x1F000, 0x1FAFF}};
constexpr Range ideographs[] = {{0x2E80, 0x2FD5},   {0x3005, 0x3007},  {0x3021, 0x303B},
                                {0x3400, 0x4DBF},   {0x4E00, 0x9FFF},  {0xF900, 0xFAD9},
                                {0x20000, 0x2FA1D}, {0x30000, 0x323AF}};
// General_Category Nd, Nl and No: digits of all scripts, raised ones, circled ones, fractions.
constexpr Range digits[] = {
    {0x30, 0x39},       {0xB2, 0xB3},       {0xB9, 0xB9},       {0xBC, 0xBE},
    {0x660, 0x669},     {0x6F0, 0x6F9},     {0x7C0, 0x7C9},     {0x966, 0x96F},
    {0x9E6, 0x9EF},     {0x9F4, 0x9F9},     {0xA66, 0xA6F},     {0xAE6, 0xAEF},
    {0xB66, 0xB6F},     {0xB72, 0xB77},     {0xBE6, 0xBF2},     {0xC66, 0xC6F},
    {0xC78, 0xC7E},     {0xCE6, 0xCEF},     {0xD58, 0xD5E},     {0xD66, 0xD78},
    {0xDE6, 0xDEF},     {0xE50, 0xE59},     {0xED0, 0xED9},     {0xF20, 0xF33},
    {0x1040, 0x1049},   {0x1090, 0x1099},   {0x1369, 0x137C},   {0x16EE, 0x16F0},
    {0x17E0, 0x17E9},   {0x17F0, 0x17F9},   {0x1810, 0x1819},   {0x1946, 0x194F},
    {0x19D0, 0x19DA},   {0x1A80, 0x1A89},   {0x1A90, 0x1A99},   {0x1B50, 0x1B59},
    {0x1BB0, 0x1BB9},   {0x1C40, 0x1C49},   {0x1C50, 0x1C59},   {0x2070, 0x2070},
    {0x2074, 0x2079},   {0x2080, 0x2089},   {0x2150, 0x2182},   {0x2185, 0x2189},
    {0x2460, 0x249B},   {0x24EA, 0x24FF},   {0x2776, 0x2793},   {0x2CFD, 0x2CFD},
    {0x3007, 0x3007},   {0x3021, 0x3029},   {0x3038, 0x303A},   {0x3192, 0x3195},
    {0x3220, 0x3229},   {0x3248, 0x324F},   {0x3251, 0x325F},   {0x3280, 0x3289},
    {0x32B1, 0x32BF},   {0xA620, 0xA629},   {0xA6E6, 0xA6EF},   {0xA830, 0xA835},
    {0xA8D0, 0xA8D9},   {0xA900, 0xA909},   {0xA9D0, 0xA9D9},   {0xA9F0, 0xA9F9},
    {0xAA50, 0xAA59},   {0xABF0, 0xABF9},   {0xFF10, 0xFF19},   {0x10107, 0x10133},
    {0x10140, 0x10178}, {0x1018A, 0x1018B}, {0x102E1, 0x102FB}, {0x10320, 0x10323},
    {0x10341, 0x10341}, {0x1034A, 0x1034A}, {0x103D1, 0x103D5}, {0x104A0, 0x104A9},
    {0x10858, 0x1085F}, {0x10879, 0x1087F}, {0x108A7, 0x108AF}, {0x108FB, 0x108FF},
    {0x10916, 0x1091B}, {0x109BC, 0x109BD}, {0x109C0, 0x109CF}, {0x109D2, 0x109FF},
    {0x10A40, 0x10A48}, {0x10A7D, 0x10A7E}, {0x10A9D, 0x10A9F}, {0x10AEB, 0x10AEF},
    {0x10B58, 0x10B5F}, {0x10B78, 0x10B7F}, {0x10BA9, 0x10BAF}, {0x10CFA, 0x10CFF},
    {0x10D30, 0x10D39}, {0x10E60, 0x10E7E}, {0x10F1D, 0x10F26}, {0x10F51, 0x10F54},
    {0x10FC5, 0x10FCB}, {0x11052, 0x1106F}, {0x110F0, 0x110F9}, {0x11136, 0x1113F},
    {0x111D0, 0x111D9}, {0x111E1, 0x111F4}, {0x112F0, 0x112F9}, {0x11450, 0x11459},
    {0x114D0, 0x114D9}, {0x11650, 0x11659}, {0x116C0, 0x116C9}, {0x11730, 0x1173B},
    {0x118E0, 0x118F2}, {0x11950, 0x11959}, {0x11C50, 0x11C6C}, {0x11D50, 0x11D59},
    {0x11DA0, 0x11DA9}, {0x11FC0, 0x11FD4}, {0x12400, 0x1246E}, {0x16A60, 0x16A69},
    {0x16AC0, 0x16AC9}, {0x16B50, 0x16B59}, {0x16B5B, 0x16B61}, {0x16E80, 0x16E96},
    {0x1D2E0, 0x1D2F3}, {0x1D360, 0x1D378}, {0x1D7CE, 0x1D7FF}, {0x1E140, 0x1E149},
    {0x1E2F0, 0x1E2F9}, {0x1E8C7, 0x1E8CF}, {0x1E950, 0x1E959}, {0x1EC71, 0x1ECAB},
    {0x1ECAD, 0x1ECAF}, {0x1ECB1, 0x1ECB4}, {0x1ED01, 0x1ED2D}, {0x1ED2F, 0x1ED3D},
    {0x1F100, 0x1F10C}, {0x1FBF0, 0x1FBF9}};
constexpr Range operators[] = {{0x2200, 0x22FF}, {0x2A00, 0x2AFF}};
constexpr Range mongolian[] = {{0x1820, 0x18AA}};
constexpr Range keycaps[] = {{'#', '#'}, {'*', '*'}, {'0', '9'}};

struct Hidden {
  Range range;
  std::string_view name;
};
constexpr Hidden hidden_ranges[] = {
    {{0x0, 0x8}, "a control character"},
    {{0xB, 0xC}, "a control character"},
    {{0xE, 0x1F}, "a control character"},
    {{0x7F, 0x7F}, "delete"},
    {{0x80, 0x9F}, "a C1 control"},
    {{0xAD, 0xAD}, "soft hyphen"},
    {{0x34F, 0x34F}, "combining grapheme joiner"},
    {{0x61C, 0x61C}, "Arabic letter mark"},
    {{0x115F, 0x1160}, "an invisible Hangul filler"},
    {{0x17B4, 0x17B5}, "an invisible Khmer vowel"},
    {{0x180B, 0x180F}, "a Mongolian variation selector"},
    {{0x200B, 0x200B}, "zero width space"},
    {{0x200C, 0x200C}, "zero width non-joiner"},
    {{0x200D, 0x200D}, "zero width joiner"},
    {{0x200E, 0x200E}, "left-to-right mark"},
    {{0x200F, 0x200F}, "right-to-left mark"},
    {{0x2028, 0x2028}, "line separator"},
    {{0x2029, 0x2029}, "paragraph separator"},
    {{0x202A, 0x202A}, "left-to-right embedding"},
    {{0x202B, 0x202B}, "right-to-left embedding"},
    {{0x202C, 0x202C}, "pop directional formatting"},
    {{0x202D, 0x202D}, "left-to-right override"},
    {{0x202E, 0x202E}, "right-to-left override"},
    {{0x2060, 0x2060}, "word joiner"},
    {{0x2061, 0x2065}, "an invisible operator"},
    {{0x2066, 0x2066}, "left-to-right isolate"},
    {{0x2067, 0x2067}, "right-to-left isolate"},
    {{0x2068, 0x2068}, "first strong isolate"},
    {{0x2069, 0x2069}, "pop directional isolate"},
    {{0x206A, 0x206F}, "a deprecated format control"},
    {{0x3164, 0x3164}, "an invisible Hangul filler"},
    {{0xFDD0, 0xFDEF}, "a noncharacter"},
    {{0xFE00, 0xFE0F}, "a variation selector"},
    {{0xFEFF, 0xFEFF}, "byte order mark"},
    {{0xFFA0, 0xFFA0}, "an invisible Hangul filler"},
    {{0xFFF0, 0xFFF8}, "an invisible character"},
    {{0xFFF9, 0xFFFB}, "an interlinear annotation mark"},
    {{0xFFFC, 0xFFFC}, "object replacement character"},
    {{0x1BCA0, 0x1BCA3}, "a shorthand format control"},
    {{0x1D173, 0x1D17A}, "a musical format control"},
    {{0xE0000, 0xE007F}, "a tag"},
    {{0xE0080, 0xE0FFF}, "an invisible character"},
};

// Empty: a character that is seen.
std::string_view hidden_name(char32_t point) {
  if ((point & 0xFFFE) == 0xFFFE) return "a noncharacter";
  if (point >= 0x20 && point < 0x7F) return {};
  for (const auto& [range, name] : hidden_ranges) {
    if (point < range.first) return {};
    if (point <= range.last) {
      const bool selector = point >= 0xE0100 && point <= 0xE01EF;
      return selector ? "a variation selector" : name;
    }
  }
  return {};
}

std::string code_name(char32_t point) {
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "U+%04X", static_cast<unsigned>(point));
  return name.data();
}

struct Read {
  char32_t point = 0;
  std::size_t length = 1;
  bool good = true;  // else one byte that is no UTF-8
};

// The character at a place of the text, which is not its end.
Read read_point(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) -> unsigned { return static_cast<unsigned char>(text[i]); };
  const unsigned lead = byte(at);
  if (lead < 0x80) return {static_cast<char32_t>(lead), 1, true};
  const std::size_t length = lead >= 0xC2 && lead < 0xE0   ? 2
                             : (lead & 0xF0) == 0xE0       ? 3
                             : lead >= 0xF0 && lead < 0xF5 ? 4
                                                           : 0;
  const Read bad{0xFFFD, 1, false};
  if (length == 0 || at + length > text.size()) return bad;
  char32_t point = lead & (0xFFu >> (length + 1));
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(at + i) & 0xC0) != 0x80) return bad;
    point = point << 6 | (byte(at + i) & 0x3F);
  }
  const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
  if (overlong || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return bad;
  return {point, length, true};
}

char32_t point_before(std::string_view text, std::size_t at) {
  if (at == 0) return 0;
  std::size_t start = at - 1;
  while (start > 0 && at - start < 4 && (static_cast<unsigned char>(text[start]) & 0xC0) == 0x80)
    --start;
  return read_point(text, start).point;
}

char32_t point_at(std::string_view text, std::size_t at) {
  return at < text.size() ? read_point(text, at).point : 0;
}

// "🏴" and the tags of a region between it and the tag that ends them.
bool is_flag_tag(std::string_view text, std::size_t at) {
  constexpr std::string_view flag = "\U0001F3F4";
  std::size_t start = at, tags = 0;
  const auto is_tag = [&](std::size_t place) {
    return point_at(text, place) >= 0xE0030 && point_at(text, place) <= 0xE007A;
  };
  while (start >= 4 && tags <= 6 && is_tag(start - 4)) {
    start -= 4;
    ++tags;
  }
  if (!text.substr(0, start).ends_with(flag)) return false;
  const char32_t point = point_at(text, at);
  if (point == 0xE007F) return tags >= 3 && tags <= 6;
  const char32_t next = point_at(text, at + 4);
  return point >= 0xE0030 && point <= 0xE007A && tags < 6 && next >= 0xE0030 && next <= 0xE007F;
}

bool is_needed_joiner(std::string_view text, std::size_t at, char32_t point) {
  const char32_t before = point_before(text, at), after = point_at(text, at + 3);
  if (holds(viramas, before) || holds(viramas, after)) return true;
  if (holds(joining, before)) return point == 0x200D || holds(joining, after);
  const bool emoji = holds(pictographs, before) || before == 0xFE0F || before == 0xE007F;
  return point == 0x200D && emoji && holds(pictographs, after);
}

bool is_needed_variation(char32_t before, char32_t point) {
  if (point == 0xFE0E || point == 0xFE0F)
    return holds(pictographs, before) || holds(keycaps, before);
  if (point >= 0x180B && point <= 0x180F) return holds(mongolian, before);
  if (point >= 0xE0100) return holds(ideographs, before);
  return holds(ideographs, before) || (point == 0xFE00 && holds(operators, before));
}

// Whether an isolate that begins here is closed in its line, or one that ends here was begun in it. Each
// asks anew, so that lines are short.
bool is_balanced(std::string_view text, std::size_t at) {
  constexpr std::size_t longest = 2000;
  const std::size_t first = at - std::min(at, longest);
  const auto before = text.substr(first, at - first).rfind('\n');
  const std::size_t line_start = before == text.npos ? first : first + before + 1;
  std::string_view line = text.substr(line_start, 2 * longest);
  line = line.substr(0, line.find('\n'));
  if (line.size() > longest) return false;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < line.size(); i += read_point(line, i).length) {
    const char32_t point = point_at(line, i);
    const bool here = i == at - line_start;
    if (point >= 0x2066 && point <= 0x2068) open.push_back(i);
    if (point != 0x2069) continue;
    if (open.empty()) {
      if (here) return false;
      continue;
    }
    if (here || open.back() == at - line_start) return true;
    open.pop_back();
  }
  return false;
}

bool is_allowed(std::string_view text, std::size_t at, char32_t point, TextKind kind) {
  if (kind == TextKind::code) return false;
  if (point == 0xAD) return true;
  if (point == 0x200C || point == 0x200D) return is_needed_joiner(text, at, point);
  const bool variation = (point >= 0xFE00 && point <= 0xFE0F) ||
                         (point >= 0x180B && point <= 0x180F) ||
                         (point >= 0xE0100 && point <= 0xE01EF);
  if (variation) return is_needed_variation(point_before(text, at), point);
  if (point >= 0xE0000 && point <= 0xE007F) return is_flag_tag(text, at);
  if (kind != TextKind::right_to_left) return false;
  if (point == 0x200E || point == 0x200F || point == 0x61C) return true;
  return point >= 0x2066 && point <= 0x2069 && is_balanced(text, at);
}

enum class Script { none, latin, greek, cyrillic, armenian, cherokee, coptic, full_width };

constexpr std::string_view script_names[] = {"",         "Latin",    "Greek",  "Cyrillic",
                                             "Armenian", "Cherokee", "Coptic", "full width"};

struct ScriptRange {
  Range range;
  Script script;
};
constexpr ScriptRange script_ranges[] = {
    {{'A', 'Z'}, Script::latin},
    {{'a', 'z'}, Script::latin},
    {{0xC0, 0xD6}, Script::latin},
    {{0xD8, 0xF6}, Script::latin},
    {{0xF8, 0x2B8}, Script::latin},
    {{0x370, 0x3E1}, Script::greek},
    {{0x3E2, 0x3EF}, Script::coptic},
    {{0x3F0, 0x3FF}, Script::greek},
    {{0x400, 0x52F}, Script::cyrillic},
    {{0x531, 0x588}, Script::armenian},
    {{0x13A0, 0x13FD}, Script::cherokee},
    {{0x1C80, 0x1C88}, Script::cyrillic},
    {{0x1E00, 0x1EFF}, Script::latin},
    {{0x1F00, 0x1FFC}, Script::greek},
    {{0x2C60, 0x2C7F}, Script::latin},
    {{0x2C80, 0x2CF3}, Script::coptic},
    {{0xA640, 0xA69D}, Script::cyrillic},
    {{0xA722, 0xA7FF}, Script::latin},
    {{0xAB30, 0xAB69}, Script::latin},
    {{0xAB70, 0xABBF}, Script::cherokee},
    {{0xFB00, 0xFB06}, Script::latin},
    {{0xFB13, 0xFB17}, Script::armenian},
    {{0xFF10, 0xFF19}, Script::full_width},
    {{0xFF21, 0xFF3A}, Script::full_width},
    {{0xFF41, 0xFF5A}, Script::full_width},
};

Script script_of(char32_t point) {
  for (const auto& [range, script] : script_ranges) {
    if (point >= range.first && point <= range.last) return script;
  }
  return Script::none;
}

// Α Β Ε Ζ Η Ι Κ Μ Ν Ο Ρ Τ Υ Χ ν ο: what an eye takes for Latin. "Δt" and "σ_x" are none.
bool looks_latin(char32_t greek) {
  constexpr std::u32string_view alike =
      U"\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F"
      U"\u03A1\u03A4\u03A5\u03A7\u03BD\u03BF";
  return alike.find(greek) != alike.npos;
}

// What is strange about a word's letters; empty when they belong together.
std::string strange_letters(std::string_view word) {
  std::map<Script, std::u32string> letters;
  for (const char32_t point : code_points(word)) {
    const Script script = script_of(point);
    if (script != Script::none) letters[script] += point;
  }
  if (letters.size() < 2) return {};
  const bool latin_and_greek =
      letters.size() == 2 && letters.contains(Script::latin) && letters.contains(Script::greek);
  if (latin_and_greek && std::ranges::none_of(letters[Script::greek], looks_latin)) return {};
  const auto rarest = std::ranges::min_element(letters, {}, [](const auto& one) {
    return std::pair(one.second.size(), -static_cast<int>(one.first));
  });
  std::string said;
  std::u32string seen;
  for (const char32_t point : rarest->second) {
    if (seen.find(point) != seen.npos) continue;
    seen += point;
    said += (said.empty() ? "" : ", ") + in_utf8(point) + ' ' + code_name(point);
  }
  return said + " (" + std::string(script_names[static_cast<std::size_t>(rarest->first)]) + ')';
}

bool is_word_byte(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x80 || (byte >= '0' && byte <= '9') || (byte >= 'A' && byte <= 'Z') ||
         (byte >= 'a' && byte <= 'z') || byte == '_';
}

// RFC 3492, for one label.
std::string punycode(const std::u32string& label) {
  constexpr unsigned base = 36, least = 1, most = 26, skew = 38, damp = 700;
  std::string out;
  for (const char32_t point : label) {
    if (point < 0x80) out += static_cast<char>(point);
  }
  const auto plain = static_cast<unsigned>(out.size());
  if (plain > 0) out += '-';
  const auto digit = [](unsigned value) {
    return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
  };
  unsigned next = 0x80, delta = 0, bias = 72, done = plain;
  while (done < label.size()) {
    char32_t smallest = 0x10FFFF;
    for (const char32_t point : label) {
      if (point >= next) smallest = std::min(smallest, point);
    }
    delta += (static_cast<unsigned>(smallest) - next) * (done + 1);
    next = static_cast<unsigned>(smallest);
    for (const char32_t point : label) {
      if (point < next) ++delta;
      if (point != next) continue;
      unsigned rest = delta;
      for (unsigned k = base;; k += base) {
        const unsigned threshold = k <= bias ? least : std::min(most, k - bias);
        if (rest < threshold) break;
        out += digit(threshold + (rest - threshold) % (base - threshold));
        rest = (rest - threshold) / (base - threshold);
      }
      out += digit(rest);
      delta = (done == plain ? delta / damp : delta / 2);
      ++done;
      delta += delta / done;
      unsigned steps = 0;
      while (delta > (base - least) * most / 2) {
        delta /= base - least;
        steps += base;
      }
      bias = steps + (base - least + 1) * delta / (delta + skew);
      delta = 0;
    }
    ++delta;
    ++next;
  }
  return out;
}

}  // namespace

std::string in_utf8(char32_t point) {
  constexpr unsigned leads[] = {0, 0xC0, 0xE0, 0xF0};
  const int more = point < 0x80 ? 0 : point < 0x800 ? 1 : point < 0x10000 ? 2 : 3;
  std::string out;
  out += static_cast<char>(leads[more] | point >> (6 * more));
  for (int i = more - 1; i >= 0; --i) out += static_cast<char>(0x80 | (point >> (6 * i) & 0x3F));
  return out;
}

std::u32string code_points(std::string_view text) {
  std::u32string points;
  for (std::size_t at = 0; at < text.size();) {
    const Read one = read_point(text, at);
    points += one.point;
    at += one.length;
  }
  return points;
}

std::optional<NamedCharacter> first_hidden_character(std::string_view text, TextKind kind,
                                                     std::size_t from) {
  for (std::size_t at = from; at < text.size();) {
    if (text[at] >= 0x20 && text[at] < 0x7F) {  // nearly always
      ++at;
      continue;
    }
    const Read one = read_point(text, at);
    const std::string_view name = hidden_name(one.point);
    if (one.good && !name.empty() && !is_allowed(text, at, one.point, kind)) {
      return NamedCharacter{at, one.length, code_name(one.point) + " (" + std::string(name) + ')'};
    }
    at += one.length;
  }
  return std::nullopt;
}

std::optional<NamedCharacter> first_digit(std::string_view text) {
  for (std::size_t at = 0; at < text.size();) {
    const Read read = read_point(text, at);
    if (holds(digits, read.point)) return NamedCharacter{at, read.length, code_name(read.point)};
    at += read.length;
  }
  return std::nullopt;
}

std::string visible(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    const Read one = read_point(text, at);
    const bool control = one.point < 0x20 || !hidden_name(one.point).empty();
    if (!one.good) {
      out += "\uFFFD";
    } else if (control && !is_allowed(text, at, one.point, TextKind::prose)) {
      out += '<' + code_name(one.point) + '>';
    } else {
      out += text.substr(at, one.length);
    }
    at += one.length;
  }
  return out;
}

std::vector<NamedCharacter> mixed_scripts(std::string_view text) {
  std::vector<NamedCharacter> found;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    bool ascii = true;
    for (; end < text.size() && is_word_byte(text[end]); ++end) {
      ascii = ascii && static_cast<unsigned char>(text[end]) < 0x80;
    }
    if (!ascii) {
      auto letters = strange_letters(text.substr(at, end - at));
      if (!letters.empty()) found.push_back({at, end - at, std::move(letters)});
    }
    at = end + 1;
  }
  return found;
}

std::string punycode_host(std::string_view host) {
  std::string out;
  for (const auto label : split(host, '.')) {
    if (label.data() != host.data()) out += '.';
    const auto points = code_points(label);
    const bool ascii = std::ranges::all_of(points, [](char32_t point) { return point < 0x80; });
    out += ascii ? std::string(label) : "xn--" + punycode(points);
  }
  return out;
}

}  // namespace primer
