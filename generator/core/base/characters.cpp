#include "generator/core/base/characters.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <map>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

struct Range {
  char32_t first, last;
};
struct Hidden : Range {
  std::string_view name;
};
enum class Script { latin, greek, cyrillic, armenian, cherokee, coptic, full_width };
struct ScriptRange : Range {
  Script script;
};
#include "generator/core/base/unicode_tables.inc"

// The entry of a sorted table that contains the character, or null.
template <class Entry, std::size_t size>
const Entry* entry_of(const Entry (&table)[size], char32_t point) {
  const Entry* after = std::ranges::upper_bound(table, point, {}, &Entry::first);
  return after != table && point <= (after - 1)->last ? after - 1 : nullptr;
}

// Empty if the character is visible.
std::string_view hidden_name(char32_t point) {
  if ((point & 0xFFFE) == 0xFFFE) return "a noncharacter";
  const Hidden* entry = entry_of(hidden_ranges, point);
  return entry ? entry->name : std::string_view();
}

std::string code_name(char32_t point) {
  std::array<char, 16> name{};
  std::snprintf(name.data(), name.size(), "U+%04X", static_cast<unsigned>(point));
  return name.data();
}

struct Read {
  char32_t point = 0;
  std::size_t length = 1;
  bool good = true;  // false: one byte of invalid UTF-8
};

// Decodes the character at `at`, which must be less than the size of the text.
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

// Whether the tag at `at` belongs to a flag: "🏴", the tags of a region, and a closing tag.
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
  if (entry_of(viramas, before) || entry_of(viramas, after)) return true;
  if (entry_of(cursive, before)) return point == 0x200D || entry_of(cursive, after);
  const bool emoji = entry_of(pictographs, before) || before == 0xFE0F || before == 0xE007F;
  return point == 0x200D && emoji && entry_of(pictographs, after);
}

bool is_needed_variation(char32_t before, char32_t point) {
  if (point >= 0xE0100) return entry_of(ideographs, before);
  if (point < 0xFE00) return entry_of(mongolian_bases, before);
  if (point < 0xFE0E) return entry_of(ideographs, before) || entry_of(variant_bases, before);
  const bool keycap = before == '#' || before == '*' || (before >= '0' && before <= '9');
  return keycap || entry_of(pictographs, before);
}

// Whether the isolate at `at` is closed on its line, or the end of an isolate has its start there.
// Every call scans the whole line, so lines longer than `longest` are rejected.
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

constexpr std::string_view script_names[] = {"Latin",    "Greek",  "Cyrillic",  "Armenian",
                                             "Cherokee", "Coptic", "full width"};

// Α Β Ε Ζ Η Ι Κ Μ Ν Ο Ρ Τ Υ Χ ν ο look like Latin letters. "Δt" and "σ_x" are legitimate.
bool looks_latin(char32_t greek) {
  constexpr std::u32string_view alike =
      U"\u0391\u0392\u0395\u0396\u0397\u0399\u039A\u039C\u039D\u039F"
      U"\u03A1\u03A4\u03A5\u03A7\u03BD\u03BF";
  return alike.find(greek) != alike.npos;
}

// Lists the letters of the rarer script in a word that mixes look-alike scripts. Empty otherwise.
std::string strange_letters(std::string_view word) {
  std::map<Script, std::u32string> letters;
  for (const char32_t point : code_points(word)) {
    if (const ScriptRange* entry = entry_of(script_ranges, point)) letters[entry->script] += point;
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

// Encodes one label (RFC 3492).
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
    if (text[at] >= 0x20 && text[at] < 0x7F) {  // the common case
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
    if (entry_of(digits, read.point)) return NamedCharacter{at, read.length, code_name(read.point)};
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
