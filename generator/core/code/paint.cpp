#include "generator/core/code/paint.hpp"

#include <array>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

constexpr std::array class_letters{' ', 'k', 't', 'f', 's', 'n', 'c', 'o', 'v', 'p', 'd'};

void append_escaped(std::string& html, char c) {
  switch (c) {
    case '&': html += "&amp;"; break;
    case '<': html += "&lt;"; break;
    case '>': html += "&gt;"; break;
    default:
      if ((static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f) {
        html += "\xEF\xBF\xBD";
      } else {
        html += c;
      }
  }
}

bool is_blank(char c) { return c == ' ' || c == '\t'; }

// White space has no color, so it continues the current span, which saves spans.
std::string painted_line(std::string_view line, const Paint* paints) {
  std::string html;
  Paint open = Paint::none;
  for (std::size_t i = 0; i < line.size(); ++i) {
    Paint paint = paints[i];
    if (is_blank(line[i])) {
      const std::size_t next = line.find_first_not_of(" \t", i);
      if (next == line.npos || paints[next] != open || open != paint) paint = Paint::none;
    }
    if (paint != open) {
      if (open != Paint::none) html += "</span>";
      if (paint != Paint::none) {
        html += "<span class=\"hl-";
        html += class_letters[static_cast<std::size_t>(paint)];
        html += "\">";
      }
      open = paint;
    }
    append_escaped(html, line[i]);
  }
  if (open != Paint::none) html += "</span>";
  return html;
}

}  // namespace

std::vector<std::string> painted_lines(std::string_view code, const Painting& painting) {
  std::vector<std::string> lines;
  for (std::string_view line : split_lines(code)) {
    const auto offset = static_cast<std::size_t>(line.data() - code.data());
    if (line.ends_with('\r')) line.remove_suffix(1);
    lines.push_back(painted_line(line, painting.data() + offset));
  }
  return lines;
}

}  // namespace primer
