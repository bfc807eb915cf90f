#include "generator/check/fix.hpp"

#include <algorithm>

namespace primer {
namespace {

// Bytes of the first `count` characters.
std::size_t bytes_of(std::string_view text, int count) {
  std::size_t at = 0;
  for (; at < text.size(); ++at) {
    const bool begins = (static_cast<unsigned char>(text[at]) & 0xC0) != 0x80;
    if (begins && count-- == 0) break;
  }
  return at;
}

// Numbers that are out of date, and marks of headings: neither changes what a sentence says.
bool is_fixed(Rule rule) { return rule == Rule::wrong_literal || rule == Rule::bad_heading; }

}  // namespace

std::map<std::string, std::string> fixed_files(const FileSystem& files,
                                               const std::vector<Diagnostic>& sorted) {
  std::map<std::string, std::string> fixed;
  // From the end, so that the places of those before stay right.
  for (auto d = sorted.rbegin(); d != sorted.rend(); ++d) {
    if (!is_fixed(d->rule) || d->suggestion.empty() || d->line == 0) continue;
    auto text = fixed.find(d->file);
    if (text == fixed.end()) {
      auto read = files.read(d->file);
      if (!read) continue;
      text = fixed.emplace(d->file, std::move(*read)).first;
    }
    const Source source(d->file, text->second);
    const std::size_t start = source.line_start(d->line);
    const std::string_view line = source.line(d->line);
    const std::size_t from = bytes_of(line, d->column - 1);
    text->second.replace(start + from, bytes_of(line.substr(from), d->length), d->suggestion);
  }
  return fixed;
}

}  // namespace primer
