#include "generator/core/base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "figures/base/nearest.hpp"
#include "generator/core/base/characters.hpp"

namespace primer {
int character_count(std::string_view text) {
  return static_cast<int>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  }));
}

std::size_t first_bad_byte(std::string_view text) {
  for (std::size_t i = 0; i < text.size();) {
    const auto lead = static_cast<unsigned char>(text[i]);
    if (lead >= 0x20 && lead < 0x80) {  // the common case
      ++i;
      continue;
    }
    if (lead < 0x20 && lead != '\t' && lead != '\n' && lead != '\r') return i;
    const int length = lead < 0x80                   ? 1
                       : lead >= 0xC2 && lead < 0xE0 ? 2
                       : (lead & 0xF0) == 0xE0       ? 3
                       : lead >= 0xF0 && lead < 0xF5 ? 4
                                                     : 0;
    if (length == 0 || i + static_cast<std::size_t>(length) > text.size()) return i;
    std::uint32_t point = length == 1 ? lead : lead & (0xFFu >> (length + 1));
    for (int k = 1; k < length; ++k) {
      const auto byte = static_cast<unsigned char>(text[i + static_cast<std::size_t>(k)]);
      if ((byte & 0xC0) != 0x80) return i;
      point = point << 6 | (byte & 0x3F);
    }
    const bool overlong = (length == 3 && point < 0x800) || (length == 4 && point < 0x10000);
    if (overlong || point > 0x10FFFF || (point >= 0xD800 && point < 0xE000)) return i;
    i += static_cast<std::size_t>(length);
  }
  return text.npos;
}

bool is_utf8(std::string_view text) { return first_bad_byte(text) == text.npos; }

std::string_view trim(std::string_view text) {
  constexpr std::string_view space = " \t\r\n";
  const auto first = text.find_first_not_of(space);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(space) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (std::size_t start = 0;;) {
    const auto end = text.find(separator, start);
    parts.push_back(text.substr(start, end - start));
    if (end == std::string_view::npos) return parts;
    start = end + 1;
  }
}

std::vector<std::string_view> split_lines(std::string_view text) {
  if (!text.empty() && text.back() == '\n') text.remove_suffix(1);
  return split(text, '\n');
}

std::string join(const std::vector<std::string>& parts, std::string_view separator) {
  std::string joined;
  for (const auto& part : parts) {
    if (&part != &parts.front()) joined += separator;
    joined += part;
  }
  return joined;
}

std::string replace_all(std::string text, std::string_view from, std::string_view to) {
  for (auto at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

std::string percent_encoded(std::string_view text, std::string_view plain) {
  constexpr char digits[] = "0123456789ABCDEF";
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if ((byte < 0x80 && std::isalnum(byte)) || plain.find(c) != plain.npos) {
      out += c;
    } else {
      out += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return out;
}

std::string counted(std::size_t n, std::string_view noun) {
  return std::to_string(n) + ' ' + std::string(noun) + (n == 1 ? "" : "s");
}

std::string in_quotes(std::string_view text) { return '"' + std::string(text) + '"'; }

bool is_one_of(std::string_view name, const Names& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_identifier(std::string_view text) {
  if (text.empty() || text.front() < 'a' || text.front() > 'z') return false;
  return text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == text.npos;
}

std::string content_hash(std::string_view text) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
  std::string digits;
  for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[hash >> shift & 15];
  return digits;
}

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

namespace {
constexpr std::string_view left_out = "…";
constexpr std::size_t longest_character = 4;

// The start of the character that contains `at`. In invalid UTF-8, looks back no further than the
// length of the longest character.
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
  // A third of the excerpt precedes the position.
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

std::string nearest(std::string_view name, const std::vector<std::string>& candidates) {
  if (name.empty()) return {};
  figures::Nearest nearest(name);
  for (const auto& candidate : candidates) nearest.offer(candidate);
  if (!nearest.best().empty()) return std::string(nearest.best());
  // "my-roof" for "fig-my-roof": a large part of a name, or a name with an addition.
  std::string_view best;
  const auto size_difference = [&](std::string_view candidate) {
    return std::max(candidate.size(), name.size()) - std::min(candidate.size(), name.size());
  };
  for (const std::string_view candidate : candidates) {
    const auto [part, whole] =
        std::minmax(name, candidate, [](auto a, auto b) { return a.size() < b.size(); });
    if (part.size() < 4 || 2 * part.size() < whole.size()) continue;
    if (whole.find(part) == whole.npos) continue;
    if (best.empty() || size_difference(candidate) < size_difference(best)) best = candidate;
  }
  return std::string(best);
}

namespace {
// Upper-case letters beyond ASCII with a lower-case form of one code point: every `step`-th code
// point from `first` to `last`.
struct Capitals {
  char32_t first, last;
  int step, to_small;  // the difference to the lower-case letter
};
#include "generator/core/base/capitals.inc"

char32_t small(char32_t letter) {
  for (const auto& [first, last, step, to_small] : capitals) {
    const bool is_one =
        letter >= first && letter <= last && (letter - first) % static_cast<char32_t>(step) == 0;
    if (is_one) return static_cast<char32_t>(static_cast<int>(letter) + to_small);
  }
  return letter;
}

// Typographic punctuation in headings that GitHub drops.
constexpr std::string_view dropped[] = {"–", "—", "‘", "’", "“", "”", "…", "×", "·", "÷", "→"};

}  // namespace

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const char32_t letter : code_points(text)) {
    if (letter < 0x80) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
    else if (letter == 0x130) lower += "i\u0307";  // as Ruby does it on GitHub, for Turkish
    else lower += in_utf8(small(letter));
  }
  return lower;
}

std::string github_slug(std::string_view heading) { return lower_case(former_slug(heading)); }

std::string former_slug(std::string_view heading) {
  std::string text(trim(heading));
  for (const auto mark : dropped) text = replace_all(std::move(text), mark, "");
  std::string slug;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80 || std::isalnum(byte) || c == '-' || c == '_') {
      slug += byte < 0x80 ? static_cast<char>(std::tolower(byte)) : c;
    } else if (c == ' ') {
      slug += '-';
    }
  }
  return slug;
}

std::string Slugs::unique(std::string_view heading) {
  std::string slug = github_slug(heading);
  if (slug.empty()) slug = "section";
  const int seen = used_[slug]++;
  return seen == 0 ? slug : slug + '-' + std::to_string(seen);
}

std::string title_of_slug(std::string slug) {
  std::replace_if(slug.begin(), slug.end(), [](char c) { return c == '-' || c == '_'; }, ' ');
  if (!slug.empty() && slug[0] >= 'a' && slug[0] <= 'z')
    slug[0] = static_cast<char>(slug[0] - 'a' + 'A');
  return slug;
}

namespace {
const char* after_digits(const char* at, const char* last) {
  return std::find_if_not(at, last, [](char c) { return c >= '0' && c <= '9'; });
}

// The end of the number that starts at `at`, after its sign. Returns `at` if there is no number.
const char* after_number(const char* at, const char* last) {
  const char* end = after_digits(at, last);
  auto digits = end - at;
  if (end != last && *end == '.') {
    const char* behind = after_digits(end + 1, last);
    digits += behind - (end + 1);
    if (digits > 0) end = behind;
  }
  if (digits == 0) return at;
  if (end == last || (*end != 'e' && *end != 'E')) return end;
  const char* power = end + 1;
  if (power != last && (*power == '+' || *power == '-')) ++power;
  const char* behind = after_digits(power, last);
  return behind == power ? end : behind;
}

// The end of "inf", "infinity" or "nan". We never write these, but std::from_chars accepts them,
// and callers must be able to reject them.
const char* after_word(const char* at, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    const auto same = [](char a, char b) { return (a | 0x20) == b; };
    if (last - at >= std::ssize(word) &&
        std::equal(word.begin(), word.end(), at, [&](char b, char a) { return same(a, b); }))
      return at + word.size();
  }
  return at;
}

}  // namespace

std::from_chars_result read_real(const char* first, const char* last, double& value) {
  const char* begin = first != last && *first == '-' ? first + 1 : first;
  const char* end = after_number(begin, last);
  const bool is_word = end == begin;
  if (is_word) end = after_word(begin, last);
  if (end == begin) return {first, std::errc::invalid_argument};
  const double read = std::strtod(std::string(first, end).c_str(), nullptr);
  const char* power = std::find_if(begin, end, [](char c) { return c == 'e' || c == 'E'; });
  const bool is_zero = std::none_of(begin, power, [](char c) { return c >= '1' && c <= '9'; });
  if (!is_word && (std::isinf(read) || (read == 0 && !is_zero)))
    return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

}  // namespace primer
