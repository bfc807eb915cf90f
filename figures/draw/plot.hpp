// An x-y plot. Every kind of figure with two axes fills in a Plot and passes it to draw_plot().
//
// A kind supplies numbers and texts. This file adds axes, lines, dots and labels without
// collisions. Series are drawn in order, the last one in front. Labels are placed in reverse order,
// so the front series gets the best places.
#pragma once

#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"
#include "figures/draw/scale.hpp"

namespace figures {

enum class Hue { ink, compute, bandwidth, reader, reference, teal, ochre };
// Maps the roles of a spec, "compute", "bandwidth", "teal", "ochre" and "context", to hues; ink for
// any other.
Hue hue_of(std::string_view role);
std::string_view colour_of(Hue hue, const Palette& palette);

struct PlotAxis {
  std::string title;  // "working set →"; contains the unit if the ticks do not
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
};  // repeats the hue, so that nothing depends on color alone

struct PlotPoint {
  double x = 0, y = 0;
  std::string label, note;   // next to the dot; empty: no label
  double low = 0, high = 0;  // spread of y; low == high: none drawn
  // Radius in px of a disc around the dot, whose area shows a third amount
  double disc = 0;
};

struct PlotSeries {
  std::string label;  // along the line, or in the key if there are only dots; empty: none
  std::vector<PlotPoint> points;
  Hue hue = Hue::ink;
  Dot dot = Dot::full;
  double line = 0;  // width; 0: points only
  bool dashed = false;
  bool steps = false;     // horizontal and vertical segments instead of straight ones
  double label_at = 0.5;  // preferred position of the label, as a fraction of the line
};

// The area between two lines over the same x values.
struct PlotBand {
  std::vector<PlotPoint> upper, lower;
  std::string label;
  Hue hue = Hue::bandwidth;
};

// A line across the plot at one x (or y): a capacity or a limit.
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
  std::string empty;  // text in the middle if there is no data
  Table table;
  double wide_height = 400, narrow_height = 340;
};

Rendering draw_plot(const Plot& plot, const Options& options);

// Draws the plots one above the other on one canvas, with the title, description and table of the
// first.
Rendering draw_panels(const std::vector<Plot>& panels, const Options& options);

}  // namespace figures
