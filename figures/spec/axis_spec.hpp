// An axis of a spec: a title, a unit, a scale, and optional ends.
//
//   {"title": "rows", "unit": "TFLOP/s", "scale": "linear" | "log", "from": "1", "to": "600"}
//
// Ends are expressions; without them the data determines the ends. Ticks are plain numbers in the
// unit, which the title contains. On a logarithmic axis in KiB, MiB or GiB, ticks are powers of two
// with their own prefixes.
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

// Reads the object `member` of the spec. `scope` resolves the names in its expressions.
AxisSpec read_axis(Fields& fields, const char* member, Scope& scope);

// The axis over [low, high] in units of the axis, or over the ends of the spec where it has them.
PlotAxis axis_over(const AxisSpec& spec, double low, double high, int most_ticks);

}  // namespace figures
