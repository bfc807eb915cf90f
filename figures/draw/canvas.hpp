// The sheet a figure is drawn on: its size, its text sizes, its frame, and the SVG around it.
#pragma once

#include <string>
#include <vector>

#include "figures/draw/labels.hpp"
#include "figures/draw/rendering.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/svg.hpp"

namespace figures {

struct Canvas {
  const Palette& colors;
  bool narrow;
  double width, height;
  Box plot;                    // the area between the axes
  TextStyle tick, name, note;  // axis numbers; names of things; what is said about them

  // `height` for both layouts; margins leave room for axes.
  Canvas(const Options& options, double wide_height, double narrow_height);
  // Where labels may stand: between the axes, up to the axis title.
  Box label_bounds() const {
    return {plot.left + 2, plot.top - (narrow ? 9 : 12), width - 2, plot.bottom - 1};
  }
};

// An axis tick where it stands on the page.
struct AxisTick {
  double at;
  std::string label;
};
template <class Scale>
std::vector<AxisTick> on_page(const std::vector<Tick>& ticks, const Scale& scale) {
  std::vector<AxisTick> out;
  for (const Tick& tick : ticks) out.push_back({scale(tick.value), tick.label});
  return out;
}

// Grid lines at labelled ticks, numbers, the axis title. The words' places are kept clear in
// `labels`.
void draw_x_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels);
void draw_y_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels);

// Text outside the label machinery, kept clear in it.
void write_text(Svg& svg, const TextLine& line, Point baseline, int across, Labels& labels);

// A table in the words' language; finish_figure() does it with the one that it is given. In a page its scripts do.
void say_natively(const Words* words, Table& table);

// The root element with title, description and font; closed by finish().
Svg start_figure(const Canvas& canvas, const Options& options, std::string title,
                 const std::string& description);
Rendering finish_figure(Svg& svg, const Canvas& canvas, std::string title, std::string description,
                        Table table, std::vector<std::string> omitted = {});

}  // namespace figures
