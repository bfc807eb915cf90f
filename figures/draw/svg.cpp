#include "figures/draw/svg.hpp"

#include <cmath>
#include <cstdint>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";

// Length of the well-formed UTF-8 sequence at `at`, or 0 if XML does not allow it.
std::size_t sequence_length(std::string_view text, std::size_t at) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned char first = byte(at);
  if (first < 0x80) return first >= 0x20 || first == '\t' || first == '\n' ? 1 : 0;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  if (first < 0xC2 || first > 0xF4 || at + length > text.size()) return 0;
  std::uint32_t point = first & (0x7Fu >> length);
  for (std::size_t i = at + 1; i < at + length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 0;
    point = point << 6 | (byte(i) & 0x3Fu);
  }
  constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  if (point < least[length] || point > 0x10FFFF) return 0;
  if ((point >= 0xD800 && point <= 0xDFFF) || (point & 0xFFFE) == 0xFFFE) return 0;
  // Reject C1 controls and characters that reorder text, so that a hostile name cannot rewrite its
  // surroundings.
  if (point < 0xA0 || (point >= 0x202A && point <= 0x202E) || (point >= 0x2066 && point <= 0x2069))
    return 0;
  return length;
}

bool is_plain(char c) {
  return c >= 0x20 && c < 0x7f && c != '&' && c != '<' && c != '>' && c != '"';
}

// A coordinate must not make the document invalid. Coordinates that are not finite or absurdly
// large become the origin.
bool is_coordinate(double value) { return std::isfinite(value) && std::fabs(value) < 1e9; }

std::string coordinate(double value) { return is_coordinate(value) ? fixed(value, 1) : "0"; }

}  // namespace

std::string escape_xml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t at = 0; at < text.size();) {
    // Copy the longest run of plain characters at once: it is nearly the whole text, and all of a
    // path's data.
    std::size_t end = at;
    while (end < text.size() && is_plain(text[end])) ++end;
    out.append(text.data() + at, end - at);
    at = end;
    if (at == text.size()) break;
    const std::size_t length = sequence_length(text, at);
    if (length == 0) {
      out += replacement;
      ++at;
      continue;
    }
    switch (text[at]) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\n':
      case '\t': out += ' '; break;
      default: out += text.substr(at, length);
    }
    at += length;
  }
  return out;
}

Svg::Svg(std::size_t budget) : budget_(budget) {}

void Svg::put(std::string_view bytes) {
  if (within_budget()) out_ += bytes;
}

void Svg::finish_tag() {
  if (tag_open_) put(">");
  tag_open_ = false;
}

Svg& Svg::begin(std::string_view element) {
  finish_tag();
  put("<");
  put(element);
  open_.emplace_back(element);
  tag_open_ = true;
  return *this;
}

Svg& Svg::begin_line(Point from, Point to) {
  return begin("line").set("x1", from.x).set("y1", from.y).set("x2", to.x).set("y2", to.y);
}

Svg& Svg::set(std::string_view name, std::string_view value) {
  put(" ");
  put(name);
  put("=\"");
  put(escape_xml(value));
  put("\"");
  return *this;
}

Svg& Svg::set(std::string_view name, double value) { return set(name, coordinate(value)); }

Svg& Svg::text(std::string_view content) {
  finish_tag();
  put(escape_xml(content));
  return *this;
}

Svg& Svg::end() {
  if (tag_open_) {
    put("/>");
    tag_open_ = false;
  } else {
    put("</");
    put(open_.back());
    put(">");
  }
  open_.pop_back();
  return *this;
}

PathData::Place PathData::place_of(double x, double y) {
  const auto tenths = [](double value) -> std::int64_t {
    if (!is_coordinate(value)) return 0;
    const auto size = static_cast<std::int64_t>(std::fabs(value) * 10 + 0.5);
    return value < 0 ? -size : size;
  };
  return {tenths(x), tenths(y)};
}

void PathData::put(char command, std::int64_t step) {
  data_ += command;
  data_ += fixed(static_cast<double>(step) / 10, 1);
}

// The first move of a path is relative to the origin.
PathData& PathData::move(double x, double y) {
  start_ = place_of(x, y);
  put('m', start_.x - last_.x);
  put(' ', start_.y - last_.y);
  last_ = start_;
  return *this;
}

PathData& PathData::line(double x, double y) {
  const Place next = place_of(x, y);
  const Place step{next.x - last_.x, next.y - last_.y};
  if (step.y == 0) {
    put('h', step.x);
  } else if (step.x == 0) {
    put('v', step.y);
  } else {
    put('l', step.x);
    put(' ', step.y);
  }
  last_ = next;
  return *this;
}

PathData& PathData::close() {
  data_ += 'z';
  last_ = start_;
  return *this;
}

}  // namespace figures
