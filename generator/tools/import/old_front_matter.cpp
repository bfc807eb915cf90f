// YAML between "---" and TOML between "+++", key by key; what is in a table or below another key is named by both.
#include <algorithm>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/foreign_book.hpp"

namespace primer {
namespace {

std::string unquoted(std::string_view value) {
  value = trim(value);
  const char quote = value.empty() ? ' ' : value.front();
  if ((quote != '"' && quote != '\'') || value.size() < 2) return std::string(value);
  const auto end = value.find(quote, 1);
  return std::string(value.substr(1, end == value.npos ? end : end - 1));
}

std::vector<std::string> values_of(std::string_view text) {
  text = trim(text);
  if (!text.starts_with('[') || !text.ends_with(']')) {
    return text.empty() ? std::vector<std::string>() : std::vector{unquoted(text)};
  }
  std::vector<std::string> values;
  for (const auto part : split(text.substr(1, text.size() - 2), ',')) {
    if (!trim(part).empty()) values.push_back(unquoted(part));
  }
  return values;
}

}  // namespace

std::string OldFrontMatter::first(const std::string& key) const {
  const auto found = keys.find(key);
  return found == keys.end() || found->second.empty() ? "" : found->second.front();
}

OldFrontMatter old_front_matter(std::string_view text) {
  OldFrontMatter front;
  const std::string_view fence = text.substr(0, 3);
  if ((fence != "---" && fence != "+++") || text.find('\n') == text.npos) return front;
  const char sign = fence == "---" ? ':' : '=';
  std::size_t at = text.find('\n') + 1;
  std::string key, table;
  bool folded = false;  // "key: >-": its text stands below it
  const auto next_line = [&] {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    const std::string_view line = text.substr(at, end - at);
    at = std::min(end + 1, text.size());
    return line;
  };
  while (at < text.size()) {
    const std::string_view line = next_line();
    if (trim(line) == fence || (sign == ':' && trim(line) == "...")) {
      front.end = at;
      return front;
    }
    const auto split_at = line.find(sign);
    if (sign == '=' && line.starts_with('[')) {
      table = std::string(line.substr(1, line.find(']') - 1)) + '.';
    } else if (folded && line.starts_with(' ')) {
      std::string& value = front.keys[key].front();
      value += (value.empty() ? "" : " ") + std::string(trim(line));
    } else if (trim(line).starts_with("- ") && !key.empty()) {
      front.keys[key].push_back(unquoted(trim(line).substr(2)));
    } else if (split_at != line.npos && line.front() != ' ' && line.front() != '#') {
      key = table + std::string(trim(line.substr(0, split_at)));
      std::string value(trim(line.substr(split_at + 1)));
      folded = value.starts_with('>') || value.starts_with('|');
      while (value.starts_with('[') && !value.ends_with(']') && at < text.size())
        value += ' ' + std::string(trim(next_line()));
      front.keys[key] = folded ? std::vector<std::string>{""} : values_of(value);
    }
  }
  return {};  // it is never closed: a rule, and text
}

}  // namespace primer
