#include "figures/spec/axis_spec.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

std::optional<double> end_of(Fields& one, const char* name, Scope& scope, const AxisSpec& axis) {
  if (!one.has(name)) return std::nullopt;
  return axis.on_axis(one.quantity(name, scope, axis.unit.dimension));
}

}  // namespace

AxisSpec read_axis(Fields& fields, const char* member, Scope& scope) {
  AxisSpec axis;
  const nlohmann::json* value = fields.member(member);
  if (value == nullptr) return axis;
  Fields one(*value, member, fields.error());
  axis.name = one.text("name");
  axis.title = one.text("title");
  axis.unit_text = one.text("unit");
  const Result<Unit> unit = parse_unit(axis.unit_text);
  if (unit) axis.unit = *unit;
  else one.fail("unit", unit.error());
  axis.binary = axis.unit_text.find("iB") != std::string::npos;
  axis.logarithmic = one.text("scale", "linear") == "log";
  axis.from = end_of(one, "from", scope, axis);
  axis.to = end_of(one, "to", scope, axis);
  if (!fields.error() && axis.from && axis.to && !(*axis.from < *axis.to))
    one.fail("to", "must be above from");
  if (!fields.error() && axis.logarithmic && axis.from && !(*axis.from > 0))
    one.fail("from", "is not positive, and the scale is logarithmic");
  return axis;
}

PlotAxis axis_over(const AxisSpec& spec, double low, double high, int most_ticks) {
  PlotAxis axis;
  axis.logarithmic = spec.logarithmic;
  axis.title = spec.title;
  if (!spec.unit_text.empty() && !spec.binary) axis.title += ", " + spec.unit_text;
  const double span = high - low;
  axis.low = spec.from.value_or(spec.logarithmic ? low / 1.6 : low >= 0 ? 0 : low - span * 0.1);
  axis.high = spec.to.value_or(spec.logarithmic ? high * 1.6 : high + span * 0.12);
  if (spec.logarithmic) axis.low = std::clamp(axis.low, 1e-15, 1e15);
  if (!(axis.high > axis.low)) axis.high = spec.logarithmic ? axis.low * 10 : axis.low + 1;
  if (spec.binary) {
    axis.ticks = byte_ticks(axis.low * spec.unit.scale, axis.high * spec.unit.scale, most_ticks);
    for (Tick& tick : axis.ticks) tick.value /= spec.unit.scale;
  } else if (spec.logarithmic) {
    axis.ticks = fine_log_ticks(axis.low, axis.high, most_ticks);
  } else {
    axis.ticks = linear_ticks(axis.low, axis.high, most_ticks);
  }
  return axis;
}

}  // namespace figures
