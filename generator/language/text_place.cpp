#include "generator/language/text_place.hpp"

#include <algorithm>
#include <charconv>

#include "generator/base/text.hpp"

namespace primer {
namespace {

// Of the character that begins with this byte: its UTF-16 units. Bytes within one have none.
int units_of(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if ((byte & 0xC0) == 0x80) return 0;
  return byte >= 0xF0 ? 2 : 1;
}

}  // namespace

std::size_t offset_at(const Source& source, TextPlace16 place) {
  if (place.line >= source.line_count()) return source.text().size();
  const int line = std::max(place.line, 0) + 1;
  const std::string_view text = source.line(line);
  std::size_t at = 0;
  for (int units = 0; at < text.size() && (units < place.character || units_of(text[at]) == 0);
       ++at)
    units += units_of(text[at]);
  return source.line_start(line) + at;
}

TextPlace16 place_at(const Source& source, std::size_t offset) {
  const int line = source.line_at(offset);
  const std::size_t start = source.line_start(line);
  const std::string_view before =
      source.text().substr(start, std::min(offset, source.text().size()) - start);
  int units = 0;
  for (const char c : before) units += units_of(c);
  return {line - 1, units};
}

std::string path_of_uri(std::string_view uri) {
  constexpr std::string_view scheme = "file://";
  if (!uri.starts_with(scheme)) return {};
  uri.remove_prefix(scheme.size());
  std::string path;
  for (std::size_t i = 0; i < uri.size(); ++i) {
    unsigned code = 0;
    const char* digits = uri.data() + i + 1;
    const bool escaped = uri[i] == '%' && uri.size() - i > 2 &&
                         std::from_chars(digits, digits + 2, code, 16).ptr == digits + 2;
    path += escaped ? static_cast<char>(code) : uri[i];
    if (escaped) i += 2;
  }
  return path.starts_with('/') ? path : "";
}

std::string uri_of_path(std::string_view path) {
  return "file://" + percent_encoded(path, "-_.~/");
}

}  // namespace primer
