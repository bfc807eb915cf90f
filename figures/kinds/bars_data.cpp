// Computes the contents of the two kinds of bars.
#include <algorithm>
#include <cmath>

#include "figures/draw/scale.hpp"
#include "figures/kinds/bars.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/measured.hpp"

namespace figures {
namespace {

// The rate of one step of the ladder on one machine, in FLOP/s; 0: not measured.
double rate_of(const Profile* profile, const MeasurementRef& ref) {
  const Measurement* result = find_trusted(profile, ref);
  const double rate = result == nullptr ? 0 : in_base_units(*result, result->median);
  return rate > 1 && rate < 1e18 ? rate : 0;
}

double ceiling_of(const Profile* profile) {
  return has_roofs(profile) ? highest_ceiling(*profile)->value * 1e9 : 0;
}

struct Ladder {
  std::string best;  // label of the step with the highest rate
  double best_share = 0;
};

void add_rung(BarChart& chart, Ladder& ladder, const std::string& label, double rate, double other,
              double roof, double other_roof, bool reader, const Palette& colors) {
  Bar bar;
  bar.label = label;
  std::string share;
  if (rate > 0) {
    share = quantity_text(rate / roof, Meaning::percent, 2);
    bar.note = quantity_text(rate, Meaning::flop_rate) + ", " + share;
    bar.parts.push_back({0, rate / roof, reader ? colors.reader : colors.compute, ""});
    if (rate / roof > ladder.best_share) ladder = {label, rate / roof};
  } else {
    bar.note = "not measured";
  }
  if (reader && other > 0 && other_roof > 0) bar.reference = other / other_roof;
  chart.table.add(
      {label, rate > 0 ? quantity_text(rate, Meaning::flop_rate) : "not measured", share});
  if (reader)
    chart.table.rows.back().push_back(other > 0 ? quantity_text(other, Meaning::flop_rate)
                                                : "not measured");
  chart.bars.push_back(std::move(bar));
}

struct Part {
  std::string label;
  std::string_view color;
};

std::string_view part_color(const std::string& role, const Palette& colors) {
  if (role == "compute") return colors.compute;
  if (role == "bandwidth") return colors.bandwidth;
  if (role == "teal") return colors.teal;
  return role == "ochre" ? colors.ochre : colors.reference;
}

// The values of one stacked bar: either listed in the spec, or a time per part, which is the larger
// of its two costs.
struct Cut {
  std::vector<double> values;  // one per part; empty: not measured
  Dimension dimension;
};

Cut read_bar(Fields& one, Scope& scope, const Inputs& inputs, std::size_t parts, std::string& label,
             bool& shows_reader) {
  const auto list = [&](const char* name, Dimension dimension) {
    std::vector<double> out;
    for (const std::string& source : one.texts(name)) {
      const Result<double> value = evaluate(source, scope, dimension);
      if (!value) one.fail(name, value.error());
      out.push_back(value ? *value : 0);
    }
    if (out.size() != parts) one.fail(name, "needs one value for each of the parts");
    return out;
  };
  constexpr Dimension flop{1, 0, 0, 0, 0, 0}, byte{0, 1, 0, 0, 0, 0}, second{0, 0, 1, 0, 0, 0};
  const bool flops = one.has("flops"), bytes = one.has("bytes");
  if (flops != bytes) {
    const Dimension dimension = flops ? flop : byte;
    return {list(flops ? "flops" : "bytes", dimension), dimension};
  }
  std::vector<double> work = list("flops", flop), traffic = list("bytes", byte);
  double peak = 0, bandwidth = 0;
  if (one.flag("profile", false)) {
    const bool reader = has_roofs(inputs.reader);
    const Profile* machine = reader ? inputs.reader : inputs.reference;
    shows_reader = shows_reader || reader;
    label += reader ? ", your machine" : ", reference machine";
    if (!has_roofs(machine)) return {{}, second};
    peak = highest_ceiling(*machine)->value * 1e9;
    bandwidth = machine->memory_roof("out")->value * 1e9;
  } else {
    peak = one.quantity("peak", scope, flop_rate_dimension);
    bandwidth = one.quantity("bandwidth", scope, byte_rate_dimension);
  }
  if (one.error() || !(peak > 0) || !(bandwidth > 0)) return {{}, second};
  for (std::size_t i = 0; i < work.size(); ++i)
    work[i] = std::max(work[i] / peak, traffic[i] / bandwidth);
  return {std::move(work), second};
}

void add_bar(BarChart& chart, const std::string& label, const Cut& cut,
             const std::vector<Part>& parts) {
  double sum = 0;
  bool known = cut.values.size() == parts.size();
  for (const double value : cut.values) {
    sum += value;
    known = known && value >= 0;
  }
  known = known && sum > 0 && std::isfinite(sum);
  Bar bar;
  bar.label = label;
  bar.note = known ? format(Quantity{sum, cut.dimension}, 3) : "not measured";
  std::vector<std::string> cells{label};
  std::string shares;
  double from = 0;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const double share = known ? cut.values[i] / sum : 0;
    const std::string text = known ? quantity_text(share, Meaning::percent, 2) : "not measured";
    bar.parts.push_back({from, from + share, parts[i].color, text});
    from += share;
    cells.push_back(text);
    shares += (i > 0 ? ", " : "") + parts[i].label + " " + text;
  }
  if (!chart.description.empty()) chart.description += ' ';
  chart.description += label + ", " + bar.note + ": " + shares + ".";
  cells.push_back(bar.note);
  chart.table.rows.push_back(std::move(cells));
  chart.bars.push_back(std::move(bar));
}

}  // namespace

Result<Rendering> render_ladder(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options) {
  std::optional<Error> error;
  Fields fields(spec, "", error);
  BarChart chart;
  chart.title = fields.text("title");
  const bool reader = chart.shows_reader = has_roofs(inputs.reader);
  const double roof = ceiling_of(reader ? inputs.reader : inputs.reference);
  const double other_roof = ceiling_of(inputs.reference);
  if (roof > 0) chart.full = "roof " + quantity_text(roof, Meaning::flop_rate);
  chart.table.head({"Step", "Rate", "Share of the roof"});
  if (reader) {
    const Palette& colors = palette(options.theme);
    chart.table.columns.push_back("Reference machine");
    chart.key = {{0, 0, colors.reader, "your machine"}, {0, 0, colors.reference, "reference"}};
  }
  Ladder ladder;
  fields.each("rungs", [&](Fields& one) {
    const std::string label = one.text("label");
    const MeasurementRef ref = read_measurement_ref(one);
    const double rate = roof > 0 ? rate_of(reader ? inputs.reader : inputs.reference, ref) : 0;
    add_rung(chart, ladder, label, rate, rate_of(inputs.reference, ref), roof, other_roof, reader,
             palette(options.theme));
  });
  if (error) return *error;
  chart.description = ladder.best.empty()
                          ? "No step of the ladder has been measured yet."
                          : "The highest rung is " + ladder.best + " with " +
                                quantity_text(ladder.best_share, Meaning::percent, 2) +
                                " of the roof.";
  for (const auto& cells : chart.table.rows)
    chart.description += " " + cells[0] + ": " + cells[1] + ".";
  return draw_bars(chart, options);
}

Result<Rendering> render_bars(const nlohmann::json& spec, const Inputs& inputs,
                              const Options& options) {
  std::optional<Error> error;
  Fields fields(spec, "", error);
  Names facts({inputs.facts, nullptr, nullptr, nullptr});
  BarChart chart;
  chart.title = fields.text("title");
  chart.table.head({""});
  std::vector<Part> parts;
  fields.each("parts", [&](Fields& one) {
    const std::string label = one.text("label");
    const std::string role = one.text("role", "compute");
    parts.push_back({label, part_color(role, palette(options.theme))});
    chart.key.push_back({0, 0, parts.back().color, label});
    chart.table.columns.push_back(label);
  });
  chart.table.columns.push_back("Together");
  fields.each("bars", [&](Fields& one) {
    std::string label = one.text("label");
    const Cut cut = read_bar(one, facts, inputs, parts.size(), label, chart.shows_reader);
    add_bar(chart, label, cut, parts);
  });
  if (error) return *error;
  if (chart.bars.empty() || parts.empty()) return Error{for_author()};
  // If all bars have the same total, it does not tell them apart; the table has it.
  const Bar& first = chart.bars.front();
  if (first.parts.back().to > 0 && chart.bars.size() > 1 &&
      std::none_of(chart.bars.begin() + 1, chart.bars.end(),
                   [&](const Bar& bar) { return bar.note != first.note; }))
    for (Bar& bar : chart.bars) bar.note.clear();
  return draw_bars(chart, options);
}

}  // namespace figures
