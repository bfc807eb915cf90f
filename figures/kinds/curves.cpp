// Computes the contents of a curves spec. A curve is its expression, evaluated at many values of
// the swept variable, so the figure of a formula cannot drift from the formula.
#include "figures/kinds/curves.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/spec/axis_spec.hpp"
#include "figures/spec/finding.hpp"

namespace figures {
namespace {

constexpr int samples = 160;
constexpr double largest_disc = 50;  // px, the radius of the largest disc

class CurvesReader {
 public:
  CurvesReader(const nlohmann::json& spec, const Inputs& inputs, const Options& options)
      : fields_(spec, "", error_),
        inputs_(inputs),
        most_x_(options.width == Layout::narrow ? 6 : 11),
        names_({inputs.facts, inputs.catalogue, nullptr, inputs.reference}) {}

  Result<Plot> read() {
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, names_);
    out_.empty = "Not measured yet";
    x_ = read_axis(fields_, "x", names_);
    y_ = read_axis(fields_, "y", names_);
    out_.table.columns = {"", x_.title + unit_in_words(x_), y_.title + unit_in_words(y_)};
    fields_.each("bands", [&](Fields& one) { read_band(one); });
    fields_.each("curves", [&](Fields& one) { read_curve(one); });
    fields_.each("trails", [&](Fields& one) { read_trail(one); });
    fields_.each("points", [&](Fields& one) { read_point(one); });
    if (!error_) finish_axes();
    fields_.each("rules", [&](Fields& one) { read_rule(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  static std::string unit_in_words(const AxisSpec& axis) {
    return axis.unit_text.empty() ? "" : ", " + axis.unit_text;
  }

  Hue role(Fields& one) { return hue_of(one.text("role", "ink")); }

  // The expression at one value of the swept variable, in units of the y axis. Nothing if the
  // expression is wrong (an error) or names something that was not measured.
  std::optional<double> at(const Expression& curve, Fields& one, const char* member, double x) {
    Given given(&names_);
    given.set(x_.name, Quantity{x * x_.unit.scale, x_.unit.dimension});
    const Result<Quantity> value = curve.evaluate(given);
    if (!value) {
      if (value.error().cause == Cause::invalid) one.fail(member, value.error());
    } else if (!(value->dimension == y_.unit.dimension)) {
      one.fail(member, "is in " + describe(value->dimension) + ", the y axis in " +
                           describe(y_.unit.dimension));
    } else {
      return y_.on_axis(value->value);
    }
    return std::nullopt;
  }

  // Whole numbers for steps, otherwise evenly spaced along the axis.
  std::vector<double> grid(bool whole) const {
    const double low = *x_.from, high = *x_.to;
    std::vector<double> out;
    if (whole && high - low <= 2000) {
      for (double x = std::ceil(low); x <= high; ++x) out.push_back(x);
      return out;
    }
    const double octaves = x_.logarithmic ? log2_of(high / low) : 0;
    for (int i = 0; i <= samples; ++i) {
      const double t = static_cast<double>(i) / samples;
      out.push_back(x_.logarithmic ? low * exp2_of(octaves * t) : low + (high - low) * t);
    }
    return out;
  }

  std::vector<PlotPoint> sampled(Fields& one, const char* member, bool whole) {
    std::vector<PlotPoint> out;
    const std::string source = one.text(member);
    if (!x_.from || !x_.to || x_.name.empty())
      one.fail(member, "needs an x axis with name, from and to");
    const Result<Expression> curve = Expression::parse(source);
    if (!curve) one.fail(member, curve.error());
    if (error_) return out;
    for (const double x : grid(whole)) {
      const std::optional<double> y = at(*curve, one, member, x);
      if (!y) return {};
      if (y_.logarithmic && !(*y > 0)) continue;
      out.push_back({x, *y, "", "", 0, 0});
      see(*y);
    }
    return out;
  }

  void see(double y) {
    y_low_ = std::min(y_low_, y);
    y_high_ = std::max(y_high_, y);
  }

  void see(const PlotPoint& point) {
    see(point.y);
    x_low_ = std::min(x_low_, point.x);
    x_high_ = std::max(x_high_, point.x);
  }

  void read_band(Fields& one) {
    PlotBand band;
    band.label = one.text("label");
    band.hue = role(one);
    band.upper = sampled(one, "upper", false);
    band.lower = sampled(one, "lower", false);
    out_.bands.push_back(std::move(band));
  }

  void read_curve(Fields& one) {
    PlotSeries series;
    series.label = one.text("label");
    series.hue = role(one);
    series.dashed = one.flag("dashed", false);
    series.steps = one.flag("steps", false);
    series.label_at = std::clamp(one.number("label_at", 0.6), 0.0, 1.0);
    series.dot = Dot::none;
    series.line = series.hue == Hue::reference ? 1.5 : 2.5;
    series.points = sampled(one, "y", series.steps);
    if (error_) return;
    const std::size_t count = series.points.size();
    if (count == 0) return void(out_.table.add({series.label, "not measured", ""}));
    for (std::size_t i = 0; i < count; i += std::max<std::size_t>(1, (count - 1) / 4))
      add_row(series.label, series.points[i]);
    out_.series.push_back(std::move(series));
  }

  void add_row(const std::string& label, const PlotPoint& p) {
    out_.table.add({label, told_on(x_, p.x), told_on(y_, p.y)});
  }

  // Three digits, or more on an axis far from zero: 2017 between 2016 and 2027.
  static std::string told_on(const AxisSpec& axis, double value) {
    int digits = 3;
    if (axis.from && axis.to && !axis.logarithmic) {
      const double span = *axis.to - *axis.from;
      for (double reach = *axis.to / span; reach >= 10 && digits < 9; reach /= 10) ++digits;
    }
    return significant(value, digits);
  }

  // Fills in both coordinates and the amount of the disc from one machine's numbers. False:
  // something was not measured there.
  bool place(Fields& one, const Profile* profile, PlotPoint& point) {
    Names names({inputs_.facts, inputs_.catalogue, nullptr, profile});
    for (const auto& [member, axis, target] :
         {std::tuple("x", &x_, &point.x), std::tuple("y", &y_, &point.y)}) {
      if (!read_amount(one, member, axis->unit.dimension, names, *target)) return false;
      *target = axis->on_axis(*target);
      if (axis->logarithmic && !(*target > 0)) return false;
    }
    if (one.has("rate")) {
      if (!read_amount(one, "rate", byte_rate_dimension, names, point.disc)) return false;
      largest_rate_ = std::max(largest_rate_, point.disc);
      point.note = quantity_text(point.disc, Meaning::byte_rate);
    }
    measured_ = names.used_profile();
    return !names.untrusted();
  }

  // Reads an amount in SI base units. False: the expression is wrong (an error), or something was
  // not measured.
  bool read_amount(Fields& one, const char* member, const Dimension& dimension, Names& names,
                   double& out) {
    const Result<Expression> expression = Expression::parse(one.text(member));
    const Result<Quantity> value =
        expression ? expression->evaluate(names) : Result<Quantity>(expression.error());
    const bool fits = value && value->dimension == dimension;
    if (fits) out = value->value;
    else if (value)
      one.fail(member, for_author(
                           "is in ", [&] { return describe(value->dimension); }, ", not in ",
                           [&] { return describe(dimension); }));
    else if (value.error().cause == Cause::invalid) one.fail(member, value.error());
    return fits;
  }

  void read_point(Fields& one) {
    const std::string label = one.text("label"), note = one.text("note");
    const std::string name = one.flag("unnamed", false) ? "" : label;
    const Hue hue = role(one);
    const std::string badge = one.text("badge", "shipping");
    PlotPoint yours, theirs;
    measured_ = false;
    const bool has_yours =
        inputs_.reader != nullptr && place(one, inputs_.reader, yours) && measured_;
    const bool has_theirs = place(one, inputs_.reference, theirs);
    if (error_) return;
    if (has_theirs) {
      const bool behind = measured_ && has_yours;
      add_point(theirs, behind ? "" : name, note, behind ? Hue::reference : hue,
                behind || badge == "announced" ? Dot::hollow
                : badge == "measured"          ? Dot::full
                                               : Dot::diamond);
      add_row(label + (behind ? " (reference machine)" : ""), theirs);
    }
    if (has_yours) {
      add_point(yours, name, note, Hue::reader, Dot::full);
      add_row(label, yours);
    }
    if (!has_yours && !has_theirs) out_.table.add({label, "not measured", ""});
  }

  // Reads a trail: the path of a point as one parameter changes. If the reader has measured all
  // stops, it draws the reader's trail with the reference machine's behind it.
  void read_trail(Fields& one) {
    PlotSeries theirs, yours;
    theirs.label = yours.label = one.text("label");
    theirs.hue = role(one);
    yours.hue = Hue::reader;
    theirs.line = yours.line = 1.5;
    const bool dots = one.flag("dots", true);
    if (!dots) theirs.dot = yours.dot = Dot::none;
    theirs.label_at = yours.label_at = std::clamp(one.number("label_at", 0.5), 0.0, 1.0);
    bool has_yours = inputs_.reader != nullptr, has_theirs = true, measured = false;
    one.each("stops", [&](Fields& stop) {
      PlotPoint point;
      point.label = stop.text("label");
      has_yours = has_yours && place(stop, inputs_.reader, point) && measured_;
      if (has_yours) yours.points.push_back(point);
      has_theirs = place(stop, inputs_.reference, point) && has_theirs;
      measured = measured || measured_;
      if (has_theirs) theirs.points.push_back(point);
    });
    if (error_) return;
    if (has_yours && measured) {
      theirs.hue = Hue::reference;
      theirs.label.clear();
      if (dots) theirs.dot = Dot::hollow;
      for (PlotPoint& point : theirs.points) point.label.clear();
    }
    if (has_theirs) add_trail(std::move(theirs), has_yours ? " (reference machine)" : "");
    if (has_yours) add_trail(std::move(yours), "");
    if (!has_yours && !has_theirs) out_.table.add({one.text("label"), "not measured", ""});
  }

  void add_trail(PlotSeries series, const std::string& whose) {
    for (const PlotPoint& point : series.points) {
      see(point);
      add_row(series.label + (point.label.empty() ? "" : " " + point.label) + whose, point);
    }
    out_.series.push_back(std::move(series));
  }

  void add_point(PlotPoint point, const std::string& label, const std::string& note, Hue hue,
                 Dot dot) {
    point.label = label;
    point.note = note;
    see(point);
    PlotSeries series;
    series.points = {point};
    series.hue = hue;
    series.dot = dot;
    out_.series.push_back(std::move(series));
  }

  void finish_axes() {
    if (x_low_ > x_high_) {
      x_low_ = x_.from.value_or(1) * (x_.logarithmic ? 1.5 : 1);
      x_high_ = x_.to.value_or(10) / (x_.logarithmic ? 1.5 : 1);
    }
    if (y_low_ > y_high_) y_low_ = y_.from.value_or(1), y_high_ = y_.to.value_or(10);
    // A point of an unforeseen machine may lie outside the axis of the spec, so widen the axis.
    if (x_.from) x_.from = std::min(*x_.from, x_.logarithmic ? x_low_ / 1.5 : x_low_);
    if (x_.to) x_.to = std::max(*x_.to, x_.logarithmic ? x_high_ * 1.5 : x_high_);
    out_.x = axis_over(x_, x_low_, x_high_, most_x_);
    out_.y = axis_over(y_, y_low_, y_high_, 7);
    // Convert rates to radii. All areas share one scale, on which the largest disc has the largest
    // radius.
    const double of_rate = largest_disc / std::sqrt(largest_rate_);
    for (PlotSeries& series : out_.series)
      for (PlotPoint& point : series.points) point.disc = of_rate * std::sqrt(point.disc);
    out_.x.title += " →";
    out_.y.title = "↑ " + out_.y.title;
  }

  void read_rule(Fields& one) {
    PlotRule rule;
    rule.label = one.text("label");
    rule.hue = role(one);
    rule.vertical = one.text("axis", "x") == "x";
    const AxisSpec& axis = rule.vertical ? x_ : y_;
    rule.at = axis.on_axis(one.quantity("at", names_, axis.unit.dimension));
    const PlotAxis& shown = rule.vertical ? out_.x : out_.y;
    if (rule.at >= shown.low && rule.at <= shown.high) out_.rules.push_back(std::move(rule));
  }

  std::optional<Error> error_;
  Fields fields_;
  const Inputs& inputs_;
  int most_x_;
  double largest_rate_ = 1;  // the largest rate of a disc, B/s
  Names names_;
  AxisSpec x_, y_;
  double x_low_ = 1e300, x_high_ = -1e300, y_low_ = 1e300, y_high_ = -1e300;
  bool measured_ = false;
  Plot out_;
};

// Each label is tried at thousands of places and against every line, so more labels are slow, and
// nobody could read them.
constexpr std::size_t most_labels = 40;

std::size_t count_labels(const nlohmann::json& spec) {
  if (!spec.is_object() && !spec.is_array()) return 0;
  std::size_t count = 0;
  const auto label = spec.is_object() ? spec.find("label") : spec.end();
  const auto* text = label == spec.end() ? nullptr : label->get_ptr<const std::string*>();
  if (text && !text->empty()) ++count;
  for (const auto& member : spec) count += count_labels(member);
  return count;
}

}  // namespace

Result<Rendering> render_curves(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options) {
  if (const std::size_t count = tells_authors ? count_labels(spec) : 0; count > most_labels) {
    return Error{for_author("spec: has ", write_whole(count), " labels, at most ",
                            write_whole(most_labels), " fit: remove some")};
  }
  const Result<Plot> plot = CurvesReader(spec, inputs, options).read();
  if (!plot) return plot.error();
  return draw_plot(*plot, options);
}

}  // namespace figures
