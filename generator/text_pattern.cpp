#include "generator/text_pattern.hpp"

#include <algorithm>

#include "generator/text.hpp"

namespace primer {
namespace {

constexpr std::string_view special = "\\^$.|?*+()[]{}";

bool is_special(char c) { return special.find(c) != special.npos; }

std::size_t index(char c) { return static_cast<unsigned char>(c); }

std::bitset<256> range(char first, char last) {
  std::bitset<256> bytes;
  for (std::size_t byte = index(first); byte <= index(last); ++byte) bytes.set(byte);
  return bytes;
}

// The bytes that "\d", "\w" or an escaped special character stand for.
std::optional<std::bitset<256>> escape(char c) {
  if (c == 'd') return range('0', '9');
  if (c == 'w') return range('0', '9') | range('a', 'z') | range('A', 'Z') | range('_', '_');
  if (is_special(c) || c == '-') return range(c, c);
  return std::nullopt;
}

char take(std::string_view& text) {
  const char first = text.front();
  text.remove_prefix(1);
  return first;
}

}  // namespace

// Behind the "[" of a class, up to and with its "]".
std::optional<TextPattern::Bytes> TextPattern::parse_class(std::string_view& rest) {
  Bytes bytes;
  while (!rest.empty() && rest.front() != ']') {
    const char c = take(rest);
    if (c == '^' || c == '[') return std::nullopt;
    if (c == '\\') {
      const auto escaped = rest.empty() ? std::nullopt : escape(take(rest));
      if (!escaped) return std::nullopt;
      bytes |= *escaped;
    } else if (rest.size() > 1 && rest[0] == '-' && rest[1] != ']') {
      if (rest[1] == '\\' || index(rest[1]) < index(c)) return std::nullopt;
      bytes |= range(c, rest[1]);
      rest.remove_prefix(2);
    } else {
      bytes |= range(c, c);
    }
  }
  if (rest.empty()) return std::nullopt;
  rest.remove_prefix(1);
  return bytes;
}

std::optional<TextPattern::Item> TextPattern::parse_item(std::string_view& rest) {
  Item item;
  const char c = take(rest);
  if (c == '(') {
    const std::size_t end = rest.find(')');
    if (end == rest.npos) return std::nullopt;
    for (const std::string_view word : split(rest.substr(0, end), '|')) {
      if (std::any_of(word.begin(), word.end(), is_special)) return std::nullopt;
      item.alternatives.emplace_back(word);
    }
    rest.remove_prefix(end + 1);
  } else {
    std::optional<Bytes> bytes;
    if (c == '[') {
      bytes = parse_class(rest);
    } else if (c == '\\') {
      bytes = rest.empty() ? std::nullopt : escape(take(rest));
    } else if (c == '.') {
      bytes = ~range('\n', '\n');
    } else if (!is_special(c)) {
      bytes = range(c, c);
    }
    if (!bytes) return std::nullopt;
    item.bytes = *bytes;
  }
  if (!rest.empty() && (rest.front() == '*' || rest.front() == '+' || rest.front() == '?')) {
    const char count = take(rest);
    item.optional = count != '+';
    item.repeats = count != '?';
  }
  return item;
}

std::optional<TextPattern> TextPattern::parse(std::string_view pattern) {
  TextPattern parsed;
  if (pattern.starts_with('^')) {
    parsed.from_start_ = true;
    pattern.remove_prefix(1);
  }
  while (!pattern.empty() && pattern != "$") {
    auto item = parse_item(pattern);
    if (!item) return std::nullopt;
    parsed.items_.push_back(std::move(*item));
  }
  parsed.to_end_ = pattern == "$";
  return parsed;
}

// The positions that a match of item can reach from the given positions.
std::vector<bool> TextPattern::step(const Item& item, std::string_view text,
                                    std::vector<bool> from) const {
  std::vector<bool> to(text.size() + 1, false);
  for (std::size_t at = 0; at <= text.size(); ++at) {
    if (!from[at]) continue;
    const auto reach = [&](std::size_t next) {
      to[next] = true;
      if (item.repeats) from[next] = true;
    };
    if (item.alternatives.empty()) {
      if (at < text.size() && item.bytes[index(text[at])]) reach(at + 1);
    }
    for (const std::string& word : item.alternatives) {
      if (text.substr(at).starts_with(word)) reach(at + word.size());
    }
  }
  return to;
}

bool TextPattern::found_in(std::string_view text) const {
  std::vector<bool> positions(text.size() + 1, !from_start_);
  positions[0] = true;
  for (const Item& item : items_) {
    std::vector<bool> next = step(item, text, positions);
    if (item.optional) {
      std::transform(next.begin(), next.end(), positions.begin(), next.begin(),
                     [](bool a, bool b) { return a || b; });
    }
    positions = std::move(next);
  }
  return to_end_ ? positions.back() : std::find(positions.begin(), positions.end(), true) !=
                                          positions.end();
}

}  // namespace primer
