#include "generator/diagnostic/extract.hpp"

#include <algorithm>

#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr std::string_view blank = " \t\r\n";

bool is_blank(char c) { return blank.find(c) != blank.npos; }

// Bytes that an escape in double quotes takes in the file: \n, \x41, \u00e9, \U0001F600.
std::size_t escape_length(char c) { return c == 'x' ? 4 : c == 'u' ? 6 : c == 'U' ? 10 : 2; }

// Where a scalar's own characters begin: after an opening quotation mark, below "|" or ">-".
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
      // Of a character that was escaped as a whole, or folded: the value has a space or a break
      // where the file has a break and an indent.
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
