#include "generator/pictures/svg_outline.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "generator/base/real_number.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

constexpr double largest_number = 1e30;  // of a number; browsers have no larger ones
constexpr std::string_view spaces = " \t\r\n";

struct Point {
  double x = 0, y = 0;
};

double distance(Point a, Point b) { return std::hypot(b.x - a.x, b.y - a.y); }

// Numbers as SVG writes them: "1.5.5" is two, and so is "1-2".
class Numbers {
 public:
  explicit Numbers(std::string_view text) : text_(text) {}

  void skip_space() { at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size()); }

  void skip_comma() {
    skip_space();
    if (at_ < text_.size() && text_[at_] == ',') ++at_;
    skip_space();
  }

  bool ended() const { return at_ >= text_.size(); }
  char peek() const { return ended() ? '\0' : text_[at_]; }
  void step() { ++at_; }
  std::string_view rest() const { return text_.substr(at_); }

  bool next(double& value) {
    skip_comma();
    const std::size_t begin = at_ + (peek() == '+' ? 1 : 0);
    const auto [end, failure] = read_real(text_.data() + begin, text_.data() + text_.size(), value);
    if (failure == std::errc::invalid_argument) return false;
    const std::size_t behind = static_cast<std::size_t>(end - text_.data());
    const std::string_view written = text_.substr(begin, behind - begin);
    if (failure == std::errc::result_out_of_range)
      value = written.find("e-") != written.npos || written.find("E-") != written.npos
                  ? 0
                  : largest_number;
    if (!std::isfinite(value)) return false;  // "inf" and "nan" are words
    value = std::clamp(value, -largest_number, largest_number);
    at_ = behind;
    return true;
  }

  // The flag of an arc, which needs nothing after it: "0 01.5" is 0, 0, 1.5.
  bool flag(bool& value) {
    skip_comma();
    if (peek() != '0' && peek() != '1') return false;
    value = peek() == '1';
    step();
    return true;
  }

 private:
  std::string_view text_;
  std::size_t at_ = 0;
};

// Radii that do not reach from one end to the other are stretched until they do.
double arc_length(double rx, double ry, bool large, double chord) {
  rx = std::fabs(rx), ry = std::fabs(ry);
  if (rx == 0 || ry == 0) return chord;
  const auto [small, wide] = std::minmax(rx, ry);
  const double turn = 2 * std::numbers::pi * wide * std::max(1.0, chord / (2 * small));
  return large ? turn : std::min(turn, std::numbers::pi / 2 * chord * wide / small);
}

class Path {
 public:
  explicit Path(std::string_view data) : numbers_(data) {}

  double length() {
    for (numbers_.skip_space(); !numbers_.ended(); numbers_.skip_space()) {
      command_ = numbers_.peek();
      numbers_.step();
      if (!run()) break;
    }
    return length_;
  }

 private:
  bool relative() const { return command_ >= 'a'; }

  // All of one letter's; false at a mistake.
  bool run() {
    const char kind = relative() ? static_cast<char>(command_ - 'a' + 'A') : command_;
    if (kind == 'Z') return go(start_);
    if (std::string_view("MLHVCSQTA").find(kind) == std::string_view::npos) return false;
    for (bool first = true;; first = false) {
      numbers_.skip_comma();
      const char next = numbers_.peek();
      const bool number = (next >= '0' && next <= '9') || next == '.' || next == '-' || next == '+';
      if (!number) return !first;
      if (!one(kind, first)) return false;
    }
  }

  bool one(char kind, bool first) {
    switch (kind) {
      case 'M': return first ? move() : line();
      case 'H': return along(here_.x, true);
      case 'V': return along(here_.y, false);
      case 'C': return curve(3, false);
      case 'S': return curve(2, true);
      case 'Q': return curve(2, false);
      case 'T': return curve(1, true);
      case 'A': return arc();
      default: return line();
    }
  }

  bool point(Point& to) {
    if (!numbers_.next(to.x) || !numbers_.next(to.y)) return false;
    if (relative()) to = {to.x + here_.x, to.y + here_.y};
    return true;
  }

  bool go(Point to) {
    length_ += distance(here_, to);
    here_ = control_ = to;
    return true;
  }

  bool move() {
    Point to;
    if (!point(to)) return false;
    here_ = start_ = control_ = to;
    return true;
  }

  bool line() {
    Point to;
    return point(to) && go(to);
  }

  bool along(double from, bool across) {
    double to = 0;
    if (!numbers_.next(to)) return false;
    if (relative()) to += from;
    return go(across ? Point{to, here_.y} : Point{here_.x, to});
  }

  // `mirrored`: its first control point is the last one of the curve before, on the other side.
  bool curve(int points, bool mirrored) {
    Point last = here_, control = here_;
    double sum = 0;
    const auto over = [&](Point to) {
      sum += distance(last, to);
      control = last;
      last = to;
    };
    if (mirrored) over({2 * here_.x - control_.x, 2 * here_.y - control_.y});
    for (int i = 0; i < points; ++i) {
      Point to;
      if (!point(to)) return false;
      over(to);
    }
    here_ = last;
    control_ = control;
    length_ += sum;
    return true;
  }

  bool arc() {
    double rx = 0, ry = 0, turn = 0;
    bool large = false, sweep = false;
    Point to;
    if (!numbers_.next(rx) || !numbers_.next(ry) || !numbers_.next(turn)) return false;
    if (!numbers_.flag(large) || !numbers_.flag(sweep) || !point(to)) return false;
    length_ += arc_length(rx, ry, large, distance(here_, to));
    here_ = control_ = to;
    return true;
  }

  Numbers numbers_;
  char command_ = 0;
  Point here_, start_, control_;
  double length_ = 0;
};

double polygon_length(std::string_view points) {
  const auto numbers = svg_numbers(points);
  double length = 0;
  for (std::size_t i = 3; i < numbers.size(); i += 2) {
    length += distance({numbers[i - 3], numbers[i - 2]}, {numbers[i - 1], numbers[i]});
  }
  if (numbers.size() < 2) return 0;
  const std::size_t last = numbers.size() / 2 * 2;
  return length + distance({numbers[0], numbers[1]}, {numbers[last - 2], numbers[last - 1]});
}

}  // namespace

std::vector<double> svg_numbers(std::string_view list) {
  std::vector<double> values;
  Numbers numbers(list);
  for (double value = 0; numbers.next(value);) values.push_back(value);
  return values;
}

std::optional<double> svg_length(std::string_view value, double whole) {
  constexpr struct {
    std::string_view unit;
    double pixels;
  } units[] = {{"", 1},    {"px", 1},         {"pt", 96.0 / 72}, {"pc", 16},
               {"in", 96}, {"cm", 96 / 2.54}, {"mm", 96 / 25.4}, {"q", 96 / 101.6}};
  Numbers numbers(value);
  double number = 0;
  if (!numbers.next(number)) return 0;
  std::string unit(trim(numbers.rest()));
  for (char& c : unit) c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  if (unit == "%") return number / 100 * whole;
  for (const auto& one : units) {
    if (unit == one.unit) return number * one.pixels;
  }
  return std::nullopt;
}

double svg_path_length(std::string_view data) { return Path(data).length(); }

std::optional<double> svg_outline(const SvgNode& shape, double whole) {
  bool known = true;
  const auto text = [&](const char* name) {
    const auto found = shape.attributes.find(name);
    return found == shape.attributes.end() ? std::string_view() : std::string_view(found->second);
  };
  const auto length = [&](const char* name) {
    const auto value = svg_length(text(name), whole);
    known = known && value;
    return value.value_or(0);
  };
  double sum = 0;
  if (shape.name == "path") sum = svg_path_length(text("d"));
  if (shape.name == "polyline" || shape.name == "polygon") sum = polygon_length(text("points"));
  if (shape.name == "line")
    sum = std::hypot(length("x2") - length("x1"), length("y2") - length("y1"));
  if (shape.name == "rect") sum = 2 * (std::fabs(length("width")) + std::fabs(length("height")));
  if (shape.name == "circle") sum = 2 * std::numbers::pi * std::fabs(length("r"));
  if (shape.name == "ellipse") {
    // A radius that is missing is as long as the other.
    sum = 2 * std::numbers::pi * std::max(std::fabs(length("rx")), std::fabs(length("ry")));
  }
  if (!known) return std::nullopt;
  return sum;
}

}  // namespace primer
