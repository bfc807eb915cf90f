#include "figures/kinds/sweep.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "figures/base/portable_math.hpp"
#include "figures/draw/plot.hpp"
#include "figures/spec/measured.hpp"

namespace figures {
namespace {

constexpr double farthest = 4;  // sizes further apart than this factor are not joined by a line

bool names(const MeasurementRef& ref, std::string_view wanted) {
  return std::any_of(ref.params.begin(), ref.params.end(),
                     [&](const Parameter& param) { return param.name == wanted; });
}

// The curve of one machine, by working set or number of threads, in the unit of the result. If the
// spec leaves the spacing of a chase open, the curve uses the widest measured spacing
// (notes/2026-11-measuring.md explains why).
std::vector<PlotPoint> curve_of(const Profile* profile, const MeasurementRef& ref,
                                bool by_threads) {
  std::vector<PlotPoint> out;
  if (profile == nullptr) return out;
  std::map<double, std::pair<double, PlotPoint>>
      widest;  // per x, the largest spacing and its point
  for (const Measurement& result : profile->results) {
    if (result.kernel != ref.kernel) continue;
    MeasurementRef one = ref;
    const double x = by_threads ? result.threads : result.param("w", 0);
    if (!(x > 0)) continue;
    if (by_threads) one.threads = result.threads;
    else one.params.push_back({"w", x});
    const double line = result.param("line", 0);
    if (line > 0 && !names(ref, "line")) one.params.push_back({"line", line});
    if (find_trusted(profile, one) != &result) continue;
    if (result.unit != "ns" && result.unit != "GB/s" && result.unit != "GFLOP/s") continue;
    if (!(result.median > 1e-3 && result.median < 1e6 && x < 1e15)) continue;
    auto& [spacing, point] = widest[x];
    if (line >= spacing) spacing = line, point = {x, result.median, "", "", 0, 0};
  }
  for (auto& [x, found] : widest) out.push_back(std::move(found.second));
  return out;
}

// The point nearest (by ratio) to the middle of a level's range of working sets.
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

class SweepReader {
 public:
  SweepReader(const nlohmann::json& spec, const Inputs& inputs, const Options& options)
      : fields_(spec, "", error_), inputs_(inputs), narrow_(options.width == Layout::narrow) {}

  Result<std::vector<Plot>> read() {
    const std::string title = fields_.text("title");
    by_threads_ = fields_.text("along", "w") == "threads";
    fields_.each("panels", [&](Fields& one) { read_panel(one); });
    if (error_) return *error_;
    if (panels_.empty()) return Error{for_author()};
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
    const std::string title = one.text("title"), verb = one.text("says");
    const MeasurementRef ref = read_measurement_ref(one);
    if (error_) return;
    Plot plot;
    const std::vector<PlotPoint> reader = curve_of(inputs_.reader, ref, by_threads_);
    const std::vector<PlotPoint> reference = curve_of(inputs_.reference, ref, by_threads_);
    const bool any_reader = yours_ || reader.size() > 1;
    yours_ = reader.size() > 1;
    if (table_.columns.empty())
      table_.columns = {"", by_threads_ ? "Threads" : "Working set",
                        by_threads_ ? "Speedup" : "Level", "Value"};
    const Meaning meaning = ref.kernel.rfind("latency", 0) == 0  ? Meaning::seconds
                            : ref.kernel.rfind("stream", 0) == 0 ? Meaning::byte_rate
                                                                 : Meaning::flop_rate;
    if (reference.size() > 1)
      add_curve(plot, reference, any_reader,
                meaning == Meaning::flop_rate ? Hue::compute : Hue::bandwidth);
    if (yours_) add_curve(plot, reader, false, Hue::reader);
    plot.y.title = "↑ " + title +
                   (meaning == Meaning::seconds     ? ", ns"
                    : meaning == Meaning::byte_rate ? ", GB/s"
                                                    : ", GFLOP/s");
    const std::vector<PlotPoint>& curve = yours_ ? reader : reference;
    if (curve.size() > 1 && by_threads_) name_ends(plot, curve, meaning, title, verb);
    if (curve.size() > 1 && !by_threads_) name_levels(plot, curve, meaning, verb);
    plot.empty = "Not measured yet";
    fit_y(plot);
    plot.wide_height = by_threads_ ? 220 : 270;
    plot.narrow_height = by_threads_ ? 210 : 236;
    panels_.push_back(std::move(plot));
  }

  void add_curve(Plot& plot, const std::vector<PlotPoint>& points, bool behind, Hue hue) {
    PlotSeries series;
    series.hue = behind ? Hue::reference : hue;
    series.dot = behind ? Dot::none : Dot::full;
    series.line = behind ? 1.5 : 2;
    series.label_at = behind ? 0.9 : 0.3;
    if (behind) series.label = "reference machine";
    else if (hue == Hue::reader && panels_.empty()) series.label = "your machine";
    low_ = std::min(low_, points.front().x);
    high_ = std::max(high_, points.back().x);
    const std::size_t first = plot.series.size();
    for (const PlotPoint& point : points) {
      // Nothing was measured between sizes far apart, and a line would suggest values there.
      const bool joined = !series.points.empty() && point.x <= farthest * series.points.back().x;
      if (!joined && !series.points.empty()) plot.series.push_back(series), series.points.clear();
      series.points.push_back(point);
    }
    plot.series.push_back(series);
    if (plot.series.size() == first + 1) return;
    // If the curve has gaps, its label belongs to all pieces together.
    for (std::size_t i = first; i < plot.series.size(); ++i) plot.series[i].label.clear();
    series.points = points;
    series.dot = Dot::none;
    series.line = 0;
    plot.series.push_back(std::move(series));
  }

  // Draws the capacities as vertical lines, and labels the curve with the bandwidth of each level.
  void name_levels(Plot& plot, const std::vector<PlotPoint>& curve, Meaning meaning,
                   const std::string& verb) {
    const bool rate = meaning == Meaning::byte_rate;
    PlotSeries names;
    names.dot = Dot::none;
    names.hue = yours_ ? Hue::reader : plot.series.front().hue;
    double from = curve.front().x, told = 0;
    const std::string cpu = main()->cpu();
    for (const Level& level : main()->levels) {
      if (!level.device.empty() && level.device != cpu) continue;
      const bool outermost = &level == &main()->levels.back();
      if (!(level.bytes > 0) && !outermost) continue;  // the capacity was not found
      const bool last = !(level.bytes > 0) || level.bytes >= curve.back().x;
      const double to = last ? curve.back().x : level.bytes;
      if (to <= from) continue;
      if (!last) plot.rules.push_back({to, true, capacity(level), Hue::reference});
      // The curve approaches the outermost level gradually, so take a point near its end.
      if (const PlotPoint* point = in_level(curve, last ? std::max(from, to / 8) : from, to)) {
        PlotPoint named = *point;
        named.label = value_text(point->y, meaning);
        names.points.push_back(named);
      }
      for (const PlotPoint& point : curve)
        if (point.x > told && point.x <= to)
          table_.add({rate ? "bandwidth" : "latency", quantity_text(point.x, Meaning::bytes),
                      level_words(level.name), value_text(point.y, meaning)});
      told = to;
      from = to;
      if (last) break;
    }
    say(verb, curve.front(), curve.back(), meaning,
        rate ? curve.front().y / curve.back().y : curve.back().y / curve.front().y,
        rate ? " times less." : " times more.");
    plot.series.push_back(std::move(names));
  }

  // Labels the lowest and the highest number of threads, and the gain between them.
  void name_ends(Plot& plot, const std::vector<PlotPoint>& curve, Meaning meaning,
                 const std::string& title, const std::string& verb) {
    PlotSeries names;
    names.dot = Dot::none;
    names.hue = yours_ ? Hue::reader : plot.series.front().hue;
    const PlotPoint& first = curve.front();
    const PlotPoint& best = *std::max_element(
        curve.begin(), curve.end(), [](const auto& a, const auto& b) { return a.y < b.y; });
    for (const PlotPoint* point : {&first, &best}) {
      if (!names.points.empty() && point == &first) continue;
      names.points.push_back(*point);
      names.points.back().label = value_text(point->y, meaning);
    }
    for (const PlotPoint& point : curve)
      table_.add({title, significant(point.x, 3), significant(point.y / first.y, 3) + "×",
                  value_text(point.y, meaning)});
    say(verb, first, best, meaning, best.y / first.y, " times as much.");
    plot.series.push_back(std::move(names));
  }

  std::string capacity(const Level& level) const {
    const auto size = [](double bytes) { return quantity_text(bytes, Meaning::bytes, 3); };
    const std::string low = size(level.at_least()), high = size(level.at_most());
    const auto unit = [](const std::string& text) { return text.find_last_of(' '); };
    const bool alike = low.substr(unit(low)) == high.substr(unit(high));
    const std::string from = alike ? low.substr(0, unit(low)) : low;
    return level_words(level.name) + " " + (low == high ? high : from + "–" + high);
  }

  static std::string value_text(double value, Meaning meaning) {
    return quantity_text(value * (meaning == Meaning::seconds ? 1e-9 : 1e9), meaning);
  }

  std::string place_text(double x) const {
    if (by_threads_) return "with " + significant(x, 3) + (x > 1 ? " threads" : " thread");
    return "in " + quantity_text(x, Meaning::bytes);
  }

  void say(const std::string& verb, const PlotPoint& near, const PlotPoint& far, Meaning meaning,
           double factor, const std::string& comparison) {
    if (!description_.empty()) description_ += ' ';
    description_ += (yours_ ? "On your machine " : "On the reference machine ") + verb + " " +
                    value_text(near.y, meaning) + " " + place_text(near.x) + " and " +
                    value_text(far.y, meaning) + " " + place_text(far.x) + ", " +
                    significant(factor, 2) + comparison;
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
    // A single number does not make a scale.
    while (plot.y.ticks.size() < 2) {
      plot.y.high *= 1.25;
      plot.y.ticks = fine_log_ticks(plot.y.low, plot.y.high, 8);
    }
  }

  void share_x() {
    if (low_ > high_) low_ = by_threads_ ? 1 : 8192, high_ = by_threads_ ? 16 : 268435456;
    for (Plot& plot : panels_) {
      plot.x.logarithmic = true;
      plot.x.low = low_ / 1.2;
      plot.x.high = high_ * 1.2;
      plot.x.ticks = by_threads_ ? log_ticks(plot.x.low, plot.x.high, 2, 8)
                                 : byte_ticks(plot.x.low, plot.x.high, narrow_ ? 5 : 8);
      plot.x.title = by_threads_ ? "threads →" : "working set →";
    }
  }

  std::optional<Error> error_;
  Fields fields_;
  const Inputs& inputs_;
  bool narrow_, yours_ = false, by_threads_ = false;
  double low_ = 1e300, high_ = 0;
  std::string description_;
  Table table_;
  std::vector<Plot> panels_;
};

}  // namespace

Result<Rendering> render_sweep(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<std::vector<Plot>> panels = SweepReader(spec, inputs, options).read();
  if (!panels) return panels.error();
  return draw_panels(*panels, options);
}

}  // namespace figures
