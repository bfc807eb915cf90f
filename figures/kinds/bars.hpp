// Horizontal bars of two kinds: the ladder (one bar per step, compared with the roof) and stacked
// bars (a total, divided into parts).
#pragma once

#include <string>
#include <vector>

#include "figures/draw/rendering.hpp"

namespace figures {

struct BarPart {
  double from = 0, to = 0;  // fractions of the full width, 0 to 1
  std::string_view color;   // from the palette
  std::string text;         // inside the part, if it fits
};

struct Bar {
  std::string label, note;  // above the bar, on the left and on the right
  std::vector<BarPart> parts;
  double reference = -1;  // the reference machine's value as a fraction; negative: none
};

struct BarChart {
  std::string title, description;
  std::vector<Bar> bars;
  std::string full;          // meaning of the full width: "45.3 GFLOP/s"; empty: no line
  std::vector<BarPart> key;  // names of the parts, in their `text`; a line above the bars
  Table table;
  bool shows_reader = false;  // at least one bar was measured on the reader's machine
};

Rendering draw_bars(const BarChart& chart, const Options& options);

Result<Rendering> render_ladder(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options);
Result<Rendering> render_bars(const nlohmann::json& spec, const Inputs& inputs,
                              const Options& options);

}  // namespace figures
