#include "figures/models/log_plot.hpp"

#include <algorithm>

namespace figures::models {
namespace {

constexpr double left = 74, right = 16, bottom = 50, row = 17;

std::string tick_text(const Tick& tick, Meaning meaning) {
  return meaning == Meaning::plain || tick.label.empty() ? tick.label
                                                         : quantity_text(tick.value, meaning, 3);
}

}  // namespace

LogPlot::LogPlot(Sheet& sheet, Axis x, Axis y, std::size_t rows) : sheet_(sheet) {
  const double top = 34 + row * static_cast<double>(rows);
  x_ = {x.low, x.high, left, sheet.width() - right};
  y_ = {y.low, y.high, sheet.height() - bottom, top};
  for (const Tick& tick : fine_log_ticks(x.low, x.high, sheet.narrow() ? 5 : 9)) {
    const double at = x_(tick.value);
    sheet.line({at, y_.from}, {at, y_.to}, sheet.colors().rule);
    const std::string text = tick_text(tick, x.meaning);
    // A number at the rim stays on the sheet.
    const double half = sheet.note_width(text) / 2;
    sheet.note(text, {std::min(at, sheet.width() - half - 4), y_.from + 17}, 0);
  }
  for (const Tick& tick : fine_log_ticks(y.low, y.high, 6)) {
    const double at = y_(tick.value);
    sheet.line({x_.from, at}, {x_.to, at}, sheet.colors().rule);
    sheet.note(tick_text(tick, y.meaning), {x_.from - 6, at + 4}, 1);
  }
  sheet.note("↑ " + y.name, {12, 18});
  sheet.note(x.name + " →", {x_.to, y_.from + 35}, 1);
}

Point LogPlot::at(Point data) const {
  return {x_(std::clamp(data.x, x_.low, x_.high)), y_(std::clamp(data.y, y_.low, y_.high))};
}

void LogPlot::verticals(std::vector<Vertical> all) {
  // A name stands right of its line: with the leftmost on top no other line runs through it.
  std::stable_sort(all.begin(), all.end(),
                   [](const Vertical& a, const Vertical& b) { return a.at < b.at; });
  double baseline = 34 + row - 4;
  for (const Vertical& one : all) {
    if (one.at < x_.low || one.at > x_.high) continue;
    const double x = x_(one.at);
    sheet_.line({x, y_.from}, {x, baseline + 4}, one.stroke, 1.5, "4 3");
    const double wide = sheet_.note_width(one.name) + 6;
    const bool before = x + wide > sheet_.width() - 4;
    sheet_.note(one.name, {before ? x - 4 : x + 4, baseline}, before ? 1 : -1, one.stroke);
    baseline += row;
  }
}

void LogPlot::curve(const std::vector<Point>& data, std::string_view stroke, double width,
                    std::string_view dashes) {
  // A dashed line is drawn as its segments: the sheet's polylines are whole.
  std::vector<Point> points;
  for (const Point& one : data) points.push_back(at(one));
  if (dashes.empty()) return sheet_.polyline(points, stroke, width);
  for (std::size_t i = 1; i < points.size(); ++i)
    sheet_.line(points[i - 1], points[i], stroke, width, dashes);
}

void LogPlot::dot(Point data, double radius, std::string_view fill) {
  sheet_.dot(at(data), radius, fill);
}

}  // namespace figures::models
