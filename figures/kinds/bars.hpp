// Horizontal bars: the ladder (a bar per step, against the roof) and stacked bars (a bill, cut into
// parts).
#pragma once

#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"

namespace figures {

struct BarPart {
  double from = 0, to = 0;  // shares of the full width, 0 to 1
  std::string_view color;   // a colour of the palette
  std::string text;         // inside the part, where it fits
};

struct Bar {
  std::string label, note;  // above the bar, at its left and right
  std::vector<BarPart> parts;
  double reference = -1;  // where the reference machine stands, as a share; negative: nowhere
};

struct BarChart {
  std::string title, description;
  std::vector<Bar> bars;
  std::string full;          // what the full width is: "45.3 GFLOP/s"; empty: not said
  std::vector<BarPart> key;  // the parts' names, in a line above the bars; their text is the name
  Table table;
  bool shows_reader = false;  // some bar is measured on the reader's machine
};

Rendering draw_bars(const BarChart& chart, const Options& options);

Result<Rendering> render_ladder(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options);
Result<Rendering> render_bars(const nlohmann::json& spec, const Inputs& inputs,
                              const Options& options);

}  // namespace figures
