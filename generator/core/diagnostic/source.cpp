#include "generator/core/diagnostic/source.hpp"

#include <algorithm>

#include "generator/core/base/text.hpp"

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

namespace {
constexpr std::string_view blank = " \t\r\n";

bool is_blank(char c) { return blank.find(c) != blank.npos; }

// Length of an escape in a double-quoted scalar: \n, \x41, \u00e9, \U0001F600.
std::size_t escape_length(char c) { return c == 'x' ? 4 : c == 'u' ? 6 : c == 'U' ? 10 : 2; }

// Where the content of a scalar starts: after an opening quotation mark, or on the line below "|"
// or ">-".
std::size_t content_start(std::string_view file, std::size_t offset) {
  if (offset >= file.size()) return file.size();
  if (file[offset] == '"' || file[offset] == '\'') return offset + 1;
  if (file[offset] != '|' && file[offset] != '>') return offset;
  const std::size_t line_end = std::min(file.find('\n', offset), file.size());
  return std::min(file.find_first_not_of(blank, line_end), file.size());
}

bool before(std::size_t place, const Extract::Jump& jump) { return place < jump.at; }

Extract of(const Source& source, std::string text) {
  Extract extract{&source, std::move(text), {}, {}, 0};
  extract.lines = line_starts(extract.text);
  return extract;
}

}  // namespace

std::size_t Extract::place(std::size_t at) const {
  if (jumps.empty()) return end;
  auto jump = std::upper_bound(jumps.begin(), jumps.end(), at, before);
  if (jump != jumps.begin()) --jump;
  return std::min(jump->offset + (at - std::min(at, jump->at)), end);
}

std::size_t Extract::next_jump(std::size_t at) const {
  const auto jump = std::upper_bound(jumps.begin(), jumps.end(), at, before);
  return jump == jumps.end() ? text.size() : jump->at;
}

std::size_t Extract::line_start(int line) const {
  const auto index = static_cast<std::size_t>(std::max(0, line));
  return index < lines.size() ? lines[index] : text.size();
}

int Extract::line_at(std::size_t at) const {
  return static_cast<int>(std::ranges::upper_bound(lines, at) - lines.begin()) - 1;
}

std::size_t Extract::offset(int line, int column) const {
  if (lines.empty()) return end;
  const auto index = std::min(static_cast<std::size_t>(std::max(0, line)), lines.size() - 1);
  return place(lines[index] + static_cast<std::size_t>(std::max(0, column)));
}

Extract extract_lines(const Source& source, int first, int last) {
  std::string text;
  for (int line = first; line <= last; ++line) text += std::string(source.line(line)) + '\n';
  Extract extract = of(source, std::move(text));
  int number = first;
  for (const std::size_t at : extract.lines) {
    const std::size_t offset = source.line_start(number++);
    const auto& jumps = extract.jumps;
    const bool follows = !jumps.empty() && offset - jumps.back().offset == at - jumps.back().at;
    if (!follows) extract.jumps.push_back({at, offset});
  }
  extract.end = source.line_start(last + 1);
  return extract;
}

Extract extract_behind_prefix(const Source& source, int first, std::string text) {
  Extract extract = of(source, std::move(text));
  int number = first;
  for (const auto line : split_lines(extract.text)) {
    const std::string_view raw = source.line(number);
    const std::size_t prefix = raw.ends_with(line) ? raw.size() - line.size() : 0;
    const std::size_t at = extract.lines[extract.jumps.size()];
    extract.jumps.push_back({at, source.line_start(number) + prefix});
    ++number;
  }
  extract.end = source.line_start(number);
  return extract;
}

Extract extract_scalar(const Source& source, std::size_t offset, std::string value) {
  const std::string_view file = source.text();
  const char style = offset < file.size() ? file[offset] : '\0';
  Extract extract = of(source, std::move(value));
  const std::string_view text = extract.text;
  std::size_t from = content_start(file, offset);
  for (std::size_t at = 0; at < text.size(); ++at) {
    const bool escape = (style == '"' && from + 1 < file.size() && file[from] == '\\') ||
                        (style == '\'' && file.substr(from, 2) == "''");
    std::size_t taken = 1;
    if (escape) {
      taken = style == '"' ? escape_length(file[from + 1]) : 2;
    } else if (from < file.size() && text[at] != file[from]) {
      // A multi-byte character may be a single escape in the file. A fold is one space or line
      // break in the value, but a line break and an indent in the file.
      if ((static_cast<unsigned char>(text[at]) & 0xC0) == 0x80) taken = 0;
      while (from < file.size() && is_blank(file[from]) && file[from] != text[at]) ++from;
    }
    const bool in_step = !extract.jumps.empty() &&
                         extract.jumps.back().offset + (at - extract.jumps.back().at) == from;
    if (!in_step) extract.jumps.push_back({at, from});
    from = std::min(from + taken, file.size());
    const bool indented = is_blank(text[at]) && at + 1 < text.size() && !is_blank(text[at + 1]);
    if (indented) from = std::min(file.find_first_not_of(blank, from), file.size());
  }
  extract.end = from;
  return extract;
}

}  // namespace primer
