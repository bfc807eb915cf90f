// Writes SVG that is well-formed by construction, with escaped text and bounded size. Coordinates
// are rounded to 0.1 px, a difference that nobody can see; this saves a fiftieth of a page.
//
// Uses only presentation attributes, because the pages' Content-Security-Policy forbids style
// attributes and a figure must look the same in an e-book without the page's style sheet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/geometry.hpp"

namespace figures {

// Escapes markup and replaces characters that XML does not allow (control characters and broken
// UTF-8 become U+FFFD). The result is safe in attributes and in content.
std::string escape_xml(std::string_view text);

class Svg {
 public:
  // Output beyond `budget` bytes is dropped, and within_budget() then returns false.
  explicit Svg(std::size_t budget);

  // Starts an element inside the open one. The names of elements and attributes are not checked.
  Svg& begin(std::string_view element);
  Svg& begin_line(Point from, Point to);
  // Adds an attribute to the last begun element; call it before adding content.
  Svg& set(std::string_view name, std::string_view value);
  Svg& set(std::string_view name, double value);
  Svg& text(std::string_view content);
  // Closes the innermost open element.
  Svg& end();

  bool within_budget() const { return out_.size() < budget_; }
  // The document so far. It is complete when every element is closed.
  const std::string& str() const { return out_; }

 private:
  void put(std::string_view bytes);
  void finish_tag();

  std::string out_;
  std::vector<std::string> open_;
  std::size_t budget_;
  bool tag_open_ = false;
};

// Path data as relative steps: "m1 2l2.5 2h4z". Marks of the same form repeat their steps, which
// makes them compress well.
class PathData {
 public:
  PathData& move(double x, double y);
  PathData& line(double x, double y);
  PathData& close();
  const std::string& str() const { return data_; }

 private:
  // A written point in tenths of a pixel. Steps are differences of rounded points, so rounding
  // errors do not add up.
  struct Place {
    std::int64_t x = 0, y = 0;
  };
  static Place place_of(double x, double y);
  void put(char command, std::int64_t step);

  std::string data_;
  Place start_, last_;  // of the current subpath; of the whole path
};

}  // namespace figures
