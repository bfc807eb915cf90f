// The area on which a figure is drawn: its size, text styles and frame, and the SVG around it.
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
  TextStyle tick, name, note;  // axis numbers; names; notes about the named things

  // Heights in px for the wide and the narrow layout. The margins leave room for axes.
  Canvas(const Options& options, double wide_height, double narrow_height);
  // The area in which labels are allowed: between the axes, up to the axis title.
  Box label_bounds() const {
    return {plot.left + 2, plot.top - (narrow ? 9 : 12), width - 2, plot.bottom - 1};
  }
};

// An axis tick and its position on the page.
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

// Draws grid lines at labeled ticks, the numbers and the axis title, and keeps their places clear
// in `labels`.
void draw_x_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels);
void draw_y_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels);

// Draws text at a fixed place and keeps that place clear in `labels`.
void write_text(Svg& svg, const TextLine& line, Point baseline, int across, Labels& labels);

// Translates a table in the build; in a page, the scripts do it. finish_figure() calls this for its
// table.
void say_natively(const Words* words, Table& table);

// Opens the root element with title, description and font. finish_figure() closes it.
Svg start_figure(const Canvas& canvas, const Options& options, std::string title,
                 const std::string& description);
Rendering finish_figure(Svg& svg, const Canvas& canvas, std::string title, std::string description,
                        Table table, std::vector<std::string> omitted = {});

}  // namespace figures
