#include "figures/sweep.hpp"

#include <algorithm>

#include "figures/measured.hpp"
#include "figures/numeric.hpp"
#include "figures/plot.hpp"

namespace figures {
namespace {

// One machine's curve: by working set, in the axis's unit (GB/s or ns).
std::vector<PlotPoint> curve_of(const Profile* profile, const MeasurementRef& ref) {
  std::vector<PlotPoint> out;
  if (profile == nullptr) return out;
  for (const Measurement& result : profile->results) {
    MeasurementRef one = ref;
    const double bytes = result.param("w", 0);
    if (result.kernel != ref.kernel || !(bytes > 0)) continue;
    one.params.push_back({"w", bytes});
    if (find_trusted(profile, one) != &result) continue;
    if (result.unit != "ns" && result.unit != "GB/s") continue;
    if (!(result.median > 1e-3 && result.median < 1e6 && bytes < 1e15)) continue;
    out.push_back({bytes, result.median, "", "", 0, 0});
  }
  std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.x < b.x; });
  return out;
}

// The curve's value nearest to the middle (by ratio) of a level's range of working sets.
const PlotPoint* in_level(const std::vector<PlotPoint>& curve, double from, double to) {
  const PlotPoint* best = nullptr;
  double least = 1e300;
  for (const PlotPoint& point : curve) {
    if (point.x < from || point.x > to) continue;
    const double ratio = log2_of(point.x * point.x / (from * to));
    if (ratio * ratio < least) least = ratio * ratio, best = &point;
  }
  return best;
}

class Reader {
 public:
  Reader(const nlohmann::json& spec, const Inputs& inputs, const Options& options)
      : fields_(spec, "", error_), inputs_(inputs), narrow_(options.width == Layout::narrow) {}

  Result<std::vector<Plot>> read() {
    fields_.member("kind");
    const std::string title = fields_.required_text("title");
    fields_.each("panels", [&](Fields& one) { read_panel(one); });
    fields_.finish();
    if (error_) return *error_;
    if (panels_.empty()) return Error{"panels: are missing"};
    share_x();
    if (description_.empty()) description_ = "Nothing has been measured yet.";
    panels_.front().title = title;
    panels_.front().description = description_;
    panels_.front().table = table_;
    return std::move(panels_);
  }

 private:
  const Profile* main() const { return yours_ ? inputs_.reader : inputs_.reference; }

  void read_panel(Fields& one) {
    const std::string title = one.required_text("title"), verb = one.required_text("says");
    const MeasurementRef ref = read_measurement_ref(one);
    if (error_) return;
    Plot plot;
    const std::vector<PlotPoint> reader = curve_of(inputs_.reader, ref);
    const std::vector<PlotPoint> reference = curve_of(inputs_.reference, ref);
    const bool any_reader = yours_ || reader.size() > 1;
    yours_ = reader.size() > 1;
    if (table_.columns.empty()) table_.columns = {"", "Working set", "Level", "Value"};
    if (reference.size() > 1) add_curve(plot, reference, any_reader, Hue::bandwidth);
    if (yours_) add_curve(plot, reader, false, Hue::reader);
    const bool rate = ref.kernel.rfind("latency", 0) != 0;
    plot.y.title = "↑ " + title + (rate ? ", GB/s" : ", ns");
    const std::vector<PlotPoint>& curve = yours_ ? reader : reference;
    if (!curve.empty()) name_levels(plot, curve, rate, verb);
    plot.empty = "Not measured yet";
    fit_y(plot);
    plot.wide_height = 270;
    plot.narrow_height = 236;
    panels_.push_back(std::move(plot));
  }

  void add_curve(Plot& plot, const std::vector<PlotPoint>& points, bool behind, Hue hue) {
    PlotSeries series;
    series.points = points;
    series.hue = behind ? Hue::reference : hue;
    series.dot = behind ? Dot::none : Dot::full;
    series.line = behind ? 1.5 : 2;
    series.label_at = behind ? 0.9 : 0.3;
    if (behind) series.label = "reference machine";
    else if (hue == Hue::reader && panels_.empty()) series.label = "your machine";
    low_ = std::min(low_, points.front().x);
    high_ = std::max(high_, points.back().x);
    plot.series.push_back(std::move(series));
  }

  // Capacities as lines down the plot, and what each level delivers in words on the curve.
  void name_levels(Plot& plot, const std::vector<PlotPoint>& curve, bool rate,
                   const std::string& verb) {
    PlotSeries names;
    names.dot = Dot::none;
    names.hue = yours_ ? Hue::reader : plot.series.front().hue;
    double from = curve.front().x;
    const std::string cpu = main()->cpu();
    for (const Level& level : main()->levels) {
      if (!level.device.empty() && level.device != cpu) continue;
      const bool outermost = &level == &main()->levels.back();
      if (!(level.bytes > 0) && !outermost) continue;  // its capacity was not found
      const bool last = !(level.bytes > 0) || level.bytes >= curve.back().x;
      const double to = last ? curve.back().x : level.bytes;
      if (to <= from) continue;
      if (!last) plot.rules.push_back({to, true, capacity(level), Hue::reference});
      // The outermost level is reached gradually: look at its far end.
      if (const PlotPoint* point = in_level(curve, last ? std::max(from, to / 8) : from, to)) {
        PlotPoint named = *point;
        named.label = value_text(point->y, rate);
        names.points.push_back(named);
        table_.rows.push_back({rate ? "bandwidth" : "latency", quantity_text(point->x, Meaning::bytes),
                               level_words(level.name), named.label});
      }
      from = to;
      if (last) break;
    }
    say(curve, rate, verb);
    plot.series.push_back(std::move(names));
  }

  std::string capacity(const Level& level) const {
    return level_words(level.name) + " " + quantity_text(level.bytes, Meaning::bytes, 2);
  }

  static std::string value_text(double value, bool rate) {
    return quantity_text(value * (rate ? 1e9 : 1e-9), rate ? Meaning::byte_rate : Meaning::seconds);
  }

  void say(const std::vector<PlotPoint>& curve, bool rate, const std::string& verb) {
    const double near = curve.front().y, far = curve.back().y;
    const double factor = rate ? near / far : far / near;
    if (!description_.empty()) description_ += ' ';
    description_ += (yours_ ? "On your machine " : "On the reference machine ") + verb + " " +
                    value_text(near, rate) + " in " + quantity_text(curve.front().x, Meaning::bytes) +
                    " and " + value_text(far, rate) + " in " +
                    quantity_text(curve.back().x, Meaning::bytes) + ", " + significant(factor, 2) +
                    (rate ? " times less." : " times more.");
  }

  static void fit_y(Plot& plot) {
    double low = 1e300, high = 0;
    for (const PlotSeries& series : plot.series)
      for (const PlotPoint& point : series.points)
        low = std::min(low, point.y), high = std::max(high, point.y);
    if (!(high > 0)) low = 1, high = 100;
    plot.y.logarithmic = true;
    plot.y.low = low / 1.5;
    plot.y.high = high * 2;
    plot.y.ticks = fine_log_ticks(plot.y.low, plot.y.high, 8);
  }

  void share_x() {
    if (low_ > high_) low_ = 8192, high_ = 268435456;
    for (Plot& plot : panels_) {
      plot.x.logarithmic = true;
      plot.x.low = low_ / 1.2;
      plot.x.high = high_ * 1.2;
      plot.x.ticks = byte_ticks(plot.x.low, plot.x.high, narrow_ ? 5 : 8);
      plot.x.title = "bytes that the loop touches →";
    }
  }

  std::optional<Error> error_;
  Fields fields_;
  const Inputs& inputs_;
  bool narrow_, yours_ = false;
  double low_ = 1e300, high_ = 0;
  std::string description_;
  Table table_;
  std::vector<Plot> panels_;
};

}  // namespace

Result<Rendering> render_sweep(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<std::vector<Plot>> panels = Reader(spec, inputs, options).read();
  if (!panels) return panels.error();
  return draw_panels(*panels, options);
}

}  // namespace figures
