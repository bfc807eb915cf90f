// An x-y plot: what every kind with two axes hands over to be drawn.
//
// A kind works out numbers and words; here they get axes, lines, dots and direct labels without
// collisions. Series first to last from back to front; labels in the other direction.
#pragma once

#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/draw/scale.hpp"

namespace figures {

enum class Hue { ink, compute, bandwidth, reader, reference, teal, ochre };
// "compute", "bandwidth", "teal", "ochre", "context": as specifications say it; else ink.
Hue hue_of(std::string_view role);
std::string_view colour_of(Hue hue, const Palette& palette);

struct PlotAxis {
  std::string title;  // "working set →"; the unit is on the ticks or in here
  double low = 0, high = 1;
  bool logarithmic = false;
  std::vector<Tick> ticks;
};

enum class Dot {
  none,
  full,
  hollow,
  diamond,
  triangle
};  // shape says what hue says: never hue alone

struct PlotPoint {
  double x = 0, y = 0;
  std::string label, note;   // beside the dot; empty: not named
  double low = 0, high = 0;  // spread of y; low == high: none drawn
  double disc = 0;           // px, radius of a disc around the dot, whose area says a third amount
};

struct PlotSeries {
  std::string label;  // along the line, or in the key when there is only dots; empty: none
  std::vector<PlotPoint> points;
  Hue hue = Hue::ink;
  Dot dot = Dot::full;
  double line = 0;  // width; 0: points only
  bool dashed = false;
  bool steps = false;     // from point to point by way of a corner
  double label_at = 0.5;  // the fraction of the line where its label would like to stand
};

// The area between two lines over the same x, and what it means.
struct PlotBand {
  std::vector<PlotPoint> upper, lower;
  std::string label;
  Hue hue = Hue::bandwidth;
};

// A line across the plot at one x (or y): a capacity, a limit.
struct PlotRule {
  double at = 0;
  bool vertical = true;
  std::string label;
  Hue hue = Hue::reference;
};

struct Plot {
  std::string title, description;
  PlotAxis x, y;
  std::vector<PlotBand> bands;
  std::vector<PlotRule> rules;
  std::vector<PlotSeries> series;
  std::string empty;  // said in the middle when there is nothing to show
  Table table;
  double wide_height = 400, narrow_height = 340;
};

Rendering draw_plot(const Plot& plot, const Options& options);

// Small multiples: the panels one above the other, on one sheet with the title, description and
// table of the first.
Rendering draw_panels(const std::vector<Plot>& panels, const Options& options);

}  // namespace figures
