// A plot for models: two logarithmic axes, curves, dots, and named verticals above them.
#pragma once

#include <string>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"

namespace figures::models {

// A vertical line with a name: "ridge, 295". Names are above the plot, one per row.
struct Vertical {
  double at = 1;
  std::string name;
  std::string_view stroke;
};

class LogPlot {
 public:
  struct Axis {
    double low = 1, high = 10;
    std::string name;                  // "sequences in the batch"
    Meaning meaning = Meaning::plain;  // of the numbers at the ticks
  };

  // Draws axes and grid. `rows` is the room for the names of verticals. Data outside the axes is
  // drawn at their edge.
  LogPlot(Sheet& sheet, Axis x, Axis y, std::size_t rows);

  void verticals(std::vector<Vertical> all);
  void curve(const std::vector<Point>& data, std::string_view stroke, double width = 2,
             std::string_view dashes = {});
  void dot(Point data, double radius, std::string_view fill);
  Point at(Point data) const;

 private:
  Sheet& sheet_;
  LogScale x_, y_;
};

}  // namespace figures::models
