// Writes SVG: well-formed by construction, numbers rounded to 0.1 (of a pixel nobody sees less, and a page is a fiftieth
// smaller), text escaped, size bounded.
//
// Only presentation attributes: the pages' Content-Security-Policy forbids style attributes, and a
// figure must look the same in an EPUB without the page's style sheet.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/geometry.hpp"

namespace figures {

// `text` with what XML cannot carry replaced (control characters and broken UTF-8 become U+FFFD)
// and markup escaped; safe in an attribute as in content.
std::string escape_xml(std::string_view text);

class Svg {
 public:
  // Writing beyond `budget` bytes stops silently and is reported by within_budget().
  explicit Svg(std::size_t budget);

  // Starts an element inside the open one. Element and attribute names are not checked.
  Svg& begin(std::string_view element);
  Svg& begin_line(Point from, Point to);
  // Attributes of the element begun last, before its content.
  Svg& set(std::string_view name, std::string_view value);
  Svg& set(std::string_view name, double value);
  Svg& text(std::string_view content);
  // Closes the innermost open element.
  Svg& end();

  bool within_budget() const { return out_.size() < budget_; }
  // The document so far; complete when every element is closed.
  const std::string& str() const { return out_; }

 private:
  void put(std::string_view bytes);
  void finish_tag();

  std::string out_;
  std::vector<std::string> open_;
  std::size_t budget_;
  bool tag_open_ = false;
};

// Path data from points, as steps from each to the next: "m1 2l2.5 2h4z". Marks of one form in a row
// repeat their steps but not their places, which is what compression lives on.
class PathData {
 public:
  PathData& move(double x, double y);
  PathData& line(double x, double y);
  PathData& close();
  const std::string& str() const { return data_; }

 private:
  // Where a point is written, in tenths: steps between such places add up without a rest.
  struct Place {
    std::int64_t x = 0, y = 0;
  };
  static Place place_of(double x, double y);
  void put(char command, std::int64_t step);

  std::string data_;
  Place start_, last_;  // of the subpath; of all
};

}  // namespace figures
