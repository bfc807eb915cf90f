// An axis as a spec writes it: a title, a unit, a scale, and ends that may be left to the data.
//
//   {"title": "rows", "unit": "TFLOP/s", "scale": "linear" | "log", "from": "1", "to": "600"}
// Ends are expressions. Ticks are plain numbers of the unit, which the title names; on a
// logarithmic axis in KiB, MiB or GiB they are powers of two with their own prefixes.
#pragma once

#include <optional>
#include <string>

#include "figures/draw/plot.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {

struct AxisSpec {
  std::string name;  // of the swept variable; empty: none
  std::string title, unit_text;
  Unit unit;
  bool logarithmic = false, binary = false;
  std::optional<double> from, to;  // in units of the axis

  double on_axis(double base_value) const { return base_value / unit.scale; }
};

// Reads the object `member` of the spec; expressions are over `scope`.
AxisSpec read_axis(Fields& fields, const char* member, Scope& scope);

// The axis over values [low, high] (units of the axis), or over what the spec wants.
PlotAxis axis_over(const AxisSpec& spec, double low, double high, int most_ticks);

}  // namespace figures
