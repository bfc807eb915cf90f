#include "figures/kinds/lengths.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"
#include "figures/draw/canvas.hpp"
#include "figures/draw/marks.hpp"
#include "figures/spec/axis_spec.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct Row {
  std::string label, said;
  Hue hue = Hue::ink;
  double from = 0, to = 0;  // in units of the axis; from 0: the start of the axis
  double whole = 0;         // the total that the value is a part of; 0: none
  bool known = true;        // false: not measured
};

struct Lengths {
  std::string title, description;
  AxisSpec axis;
  std::vector<Row> rows;
  bool wholes = false;  // rows are parts of a total
  bool dots = false;    // dots at the ends instead of bars
  Table table;
};

class LengthsReader {
 public:
  LengthsReader(const nlohmann::json& spec, const Inputs& inputs)
      : fields_(spec, "", error_),
        names_({inputs.facts, inputs.catalogue, nullptr, inputs.reference}) {}

  Result<Lengths> read() {
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, names_);
    out_.axis = read_axis(fields_, "x", names_);
    out_.dots = fields_.text("marks", "bars") == "dots";
    if (!error_ && out_.axis.logarithmic && !out_.dots)
      error_ = Error{for_author(
                         "x.scale: bars need a linear axis, because their length is the value: use "
                         "\"marks\": \"dots\"")}
                   .of("x.scale");
    out_.table.columns = {"", out_.axis.title};
    fields_.each("rows", [&](Fields& one) { read_row(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  std::string words(double value) const {
    const std::string& unit = out_.axis.unit_text;
    return significant(value, 3) + (unit.empty() ? "" : " " + unit);
  }

  double number(Fields& one, Row& row, const char* member, Dimension dimension) {
    const std::optional<double> value = measured_quantity(one, member, names_, dimension);
    if (!value) row.known = false;
    return value.value_or(0);
  }

  double length(Fields& one, Row& row, const char* member) {
    return out_.axis.on_axis(number(one, row, member, out_.axis.unit.dimension));
  }

  // Reads a row with "value", and "to" for the end of a range or "of" for the total; or a row with
  // "factor", which continues from the row above.
  void read_row(Fields& one) {
    Row row;
    row.label = one.text("label");
    row.hue = hue_of(one.text("role", "ink"));
    if (one.has("factor")) {
      const double factor = number(one, row, "factor", {});
      if (out_.rows.empty()) one.fail("factor", "needs a row above it");
      row.known = row.known && !error_ && out_.rows.back().known;
      row.from = row.known ? out_.rows.back().to : 0;
      row.to = row.from * factor;
      row.said = "× " + significant(factor, 2);
    } else {
      row.to = length(one, row, "value");
      row.said = words(row.to);
    }
    if (one.has("to")) {
      row.from = row.to;
      row.to = length(one, row, "to");
      row.said = significant(row.from, 3) + " to " + words(row.to);
    }
    if (one.has("of")) {
      out_.wholes = true;
      row.whole = length(one, row, "of");
      if (row.whole > 0)
        row.said += " of " + words(row.whole) + ", " +
                    quantity_text(row.to / row.whole, Meaning::percent, 2);
    }
    if (!row.known) row.said = "not measured", row.from = row.to = row.whole = 0;
    if (!error_ && row.known && !(row.to > 0 && row.to < 1e15))
      one.fail("", "is not a positive length");
    out_.table.add({row.label, row.said});
    out_.rows.push_back(std::move(row));
  }

  std::optional<Error> error_;
  Fields fields_;
  Names names_;
  Lengths out_;
};

// Wide: names in a column, values at the end of the bar. Narrow: both above the bar.
class LengthsDrawing {
 public:
  LengthsDrawing(const Lengths& data, const Options& options)
      : data_(data),
        narrow_(options.width == Layout::narrow),
        row_(narrow_       ? 38
             : data.wholes ? 34
                           : 27),
        canvas_(options, height(), height()),
        labels_(Box{0, 0, canvas_.width, canvas_.height}),
        svg_(start_figure(canvas_, options, data.title, data.description)) {
    for (const Row& row : data.rows) {
      names_ = std::max(names_, block_width({{row.label, canvas_.name}}));
      said_ = std::max(said_, block_width({{row.said, canvas_.note}}));
    }
    canvas_.plot.top = top_margin;
    canvas_.plot.left = narrow_ ? 8 : 12 + std::min(names_, 230.0) + 12;
    canvas_.plot.right = canvas_.width - (narrow_ ? 8 : said_ + 14);
    fit();
  }

  Rendering draw() {
    draw_x_axis(svg_, canvas_, ticks(), axis_.title, labels_);
    double y = top_margin + 6;
    for (const Row& row : data_.rows) {
      draw_row(row, y);
      y += row_;
    }
    return finish_figure(svg_, canvas_, data_.title, data_.description, data_.table,
                         labels_.omitted());
  }

 private:
  static constexpr double top_margin = 8;

  double height() const {
    return top_margin + 6 + row_ * static_cast<double>(data_.rows.size()) + (narrow_ ? 46 : 52);
  }

  void fit() {
    double low = 1e300, high = 0;
    for (const Row& row : data_.rows) {
      if (!row.known) continue;
      low = std::min(low, row.from > 0 ? std::min(row.from, row.to) : row.to);
      high = std::max({high, row.to, row.whole});
    }
    if (!(high > 0)) low = data_.axis.from.value_or(1), high = low * 10;
    axis_ = axis_over(data_.axis, low, high, narrow_ ? 5 : 8);
    if (!data_.axis.to) axis_.high = high * (data_.axis.logarithmic ? 1.15 : 1.02);
  }

  double x(double value) const {
    const double from = canvas_.plot.left, to = canvas_.plot.right;
    return axis_.logarithmic ? LogScale{axis_.low, axis_.high, from, to}(value)
                             : LinearScale{axis_.low, axis_.high, from, to}(value);
  }

  std::vector<AxisTick> ticks() const {
    std::vector<AxisTick> out;
    for (const Tick& tick : axis_.ticks)
      if (tick.value <= axis_.high) out.push_back({x(tick.value), tick.label});
    return out;
  }

  void rectangle(double from, double to, double y, double tall, std::string_view fill) {
    const double left = std::min(from, to), wide = std::max(from, to) - left;
    svg_.begin("rect").set("x", left).set("y", y).set("width", std::max(wide, 1.5));
    fill = area_colour(fill, canvas_.colors);
    svg_.set("height", tall).set("fill", fill).end();
    hatch_area(svg_, {left, y, left + wide, y + tall}, fill, canvas_.colors);
  }

  // A dot at the end of the row, and a line from its start if the row has one.
  void mark(const Row& row, double from, double to, double y) {
    const std::string_view color = colour_of(row.hue, canvas_.colors);
    svg_.begin_line({canvas_.plot.left, y}, {canvas_.plot.right, y});
    svg_.set("stroke", canvas_.colors.grid).end();
    if (row.from > 0) {
      svg_.begin_line({from, y}, {to, y});
      svg_.set("stroke", color).set("stroke-width", 2.5).end();
    }
    const bool hollow = row.hue == Hue::reference;
    if (row.hue == Hue::bandwidth) {
      PathData diamond;
      diamond.move(to, y - 6).line(to + 6, y).line(to, y + 6).line(to - 6, y).close();
      svg_.begin("path").set("d", diamond.str()).set("fill", color).end();
      return;
    }
    svg_.begin("circle").set("cx", to).set("cy", y).set("r", hollow ? 4.25 : 5);
    svg_.set("fill", hollow ? canvas_.colors.paper : color).set("stroke", color);
    svg_.set("stroke-width", hollow ? 1.5 : 0).end();
  }

  void draw_row(const Row& row, double y) {
    const double tall = narrow_ ? 13 : 15, bar = narrow_ ? y + 20 : y + (row_ - tall) / 2 - 3;
    const double from = row.from > 0 ? x(row.from) : canvas_.plot.left;
    const double to = row.known ? x(row.to) : from;
    if (row.whole > 0) rectangle(from, x(row.whole), bar, tall, canvas_.colors.grid);
    if (row.known && data_.dots) mark(row, from, to, bar + tall / 2);
    else if (row.known) rectangle(from, to, bar, tall, colour_of(row.hue, canvas_.colors));
    const double baseline =
        narrow_ ? y + 14 : bar + tall * 0.5 + canvas_.name.size * cap_height / 2;
    const double room = narrow_ ? canvas_.width - 24 - said_ : std::min(names_, 230.0);
    const TextLine name{fitted(row.label, canvas_.name, room), canvas_.name};
    const TextLine said{row.said, canvas_.note};
    write_text(svg_, name, {narrow_ ? 8 : canvas_.plot.left - 12, baseline}, narrow_ ? -1 : 1,
               labels_);
    const double end = std::max({from, to, row.whole > 0 ? x(row.whole) : 0});
    write_text(svg_, said, {narrow_ ? canvas_.width - 8 : end + 8, baseline}, narrow_ ? 1 : -1,
               labels_);
  }

  const Lengths& data_;
  bool narrow_;
  double row_, names_ = 0, said_ = 0;
  Canvas canvas_;
  PlotAxis axis_;
  Labels labels_;
  Svg svg_;
};

}  // namespace

Result<Rendering> render_lengths(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options) {
  const Result<Lengths> data = LengthsReader(spec, inputs).read();
  if (!data) return data.error();
  return LengthsDrawing(*data, options).draw();
}

}  // namespace figures
