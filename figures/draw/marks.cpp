#include "figures/draw/marks.hpp"

#include <algorithm>

namespace figures {

std::string_view area_colour(std::string_view colour, const Palette& palette) {
  if (colour == palette.bandwidth) return palette.bandwidth_bar;
  return colour == palette.compute ? palette.compute_bar : colour;
}

std::string hatching(const Box& box, double pitch) {
  PathData path;
  const double tall = box.height();
  // Unclipped, a line starts at the bottom at x and reaches the top at x + tall.
  for (double x = box.left - tall + pitch / 2; x < box.right; x += pitch) {
    const double from = std::max(x, box.left), to = std::min(x + tall, box.right);
    if (to - from < 0.5) continue;
    path.move(from, box.bottom - (from - x)).line(to, box.bottom - (to - x));
  }
  return path.str();
}

void hatch_area(Svg& svg, const Box& box, std::string_view fill, const Palette& palette) {
  if (fill != palette.bandwidth_bar && fill != palette.teal) return;
  if (box.width() < 3) return;
  svg.begin("path").set("d", hatching(box, 7)).set("stroke", palette.paper);
  svg.set("stroke-width", 1.25).set("stroke-opacity", "0.55").end();
}

}  // namespace figures
