#include "generator/diagnostic/source.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {

Source::Source(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), line_starts_{0} {
  for (std::size_t i = 0; i < text_.size(); ++i) {
    if (text_[i] == '\n' && i + 1 < text_.size()) line_starts_.push_back(i + 1);
  }
}

std::size_t Source::line_start(int line) const {
  if (line < 1) return 0;
  if (line > line_count()) return text_.size();
  return line_starts_[static_cast<std::size_t>(line - 1)];
}

std::string_view Source::line(int line) const {
  std::string_view rest = std::string_view(text_).substr(line_start(line));
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

int Source::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return static_cast<int>(after - line_starts_.begin());
}

Position Source::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const int line = line_at(offset);
  const std::size_t start = line_start(line);
  return {line, 1 + character_count(std::string_view(text_).substr(start, offset - start))};
}

}  // namespace primer
