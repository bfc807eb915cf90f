#include "generator/extract.hpp"

#include <algorithm>

#include "generator/text.hpp"

namespace primer {

std::size_t Extract::offset(int line, int column) const {
  if (line_offsets.empty()) return end;
  const std::size_t index =
      std::min(static_cast<std::size_t>(std::max(0, line)), line_offsets.size() - 1);
  return std::min(line_offsets[index] + static_cast<std::size_t>(std::max(0, column)), end);
}

std::size_t Extract::line_end(int line) const {
  const std::size_t next = static_cast<std::size_t>(std::max(0, line)) + 1;
  return next < line_offsets.size() ? std::max(line_offsets[next], offset(line, 0)) : end;
}

Extract extract_lines(const Source& source, int first, int last) {
  Extract extract{&source, {}, {}, source.line_start(last + 1)};
  for (int line = first; line <= last; ++line) {
    extract.text += std::string(source.line(line)) + '\n';
    extract.line_offsets.push_back(source.line_start(line));
  }
  return extract;
}

Extract extract_behind_prefix(const Source& source, int first, std::string text) {
  Extract extract{&source, std::move(text), {}, 0};
  int number = first;
  for (const auto line : split_lines(extract.text)) {
    const std::string_view raw = source.line(number);
    const std::size_t prefix = raw.ends_with(line) ? raw.size() - line.size() : 0;
    extract.line_offsets.push_back(source.line_start(number) + prefix);
    ++number;
  }
  extract.end = source.line_start(number);
  return extract;
}

Extract extract_scalar(const Source& source, std::size_t offset, std::string text) {
  Extract extract{&source, std::move(text), {}, 0};
  std::size_t at = offset;
  for (const auto line : split_lines(extract.text)) {
    const auto found = line.empty() ? source.text().npos : source.text().find(line, at);
    if (found != source.text().npos) at = found;
    extract.line_offsets.push_back(at);
  }
  // Folding and escapes make the written form longer than the text.
  extract.end = std::min(source.text().size(), at + extract.text.size() * 2 + 200);
  return extract;
}

}  // namespace primer
