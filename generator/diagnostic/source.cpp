#include "generator/diagnostic/source.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {

std::vector<std::size_t> line_starts(std::string_view text) {
  std::vector<std::size_t> starts{0};
  for (auto at = text.find_first_of("\r\n"); at != text.npos; at = text.find_first_of("\r\n", at)) {
    at += text.substr(at).starts_with("\r\n") ? 2 : 1;
    if (at < text.size()) starts.push_back(at);
  }
  return starts;
}

Source::Source(std::string path, std::string text)
    : path_(std::move(path)), text_(std::move(text)), line_starts_(line_starts(text_)) {
  if (text_.starts_with(byte_order_mark)) line_starts_.front() = byte_order_mark.size();
}

std::size_t Source::line_start(int line) const {
  if (line < 1) return 0;
  if (line > line_count()) return text_.size();
  return line_starts_[static_cast<std::size_t>(line - 1)];
}

std::string_view Source::line(int line) const {
  const std::string_view rest = std::string_view(text_).substr(line_start(line));
  return rest.substr(0, rest.find_first_of("\r\n"));
}

int Source::line_at(std::size_t offset) const {
  const auto after = std::upper_bound(line_starts_.begin(), line_starts_.end(), offset);
  return std::max(1, static_cast<int>(after - line_starts_.begin()));
}

Position Source::position(std::size_t offset) const {
  offset = std::min(offset, text_.size());
  const int line = line_at(offset);
  const std::size_t start = std::min(line_start(line), offset);
  return {line, 1 + character_count(std::string_view(text_).substr(start, offset - start))};
}

}  // namespace primer
