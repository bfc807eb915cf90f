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
    // Keep a number at the edge inside the figure.
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

// A vertical ends below its name, so it can only cross names in lower rows. Rows are therefore
// filled from below, each with a name that none of the remaining verticals crosses.
void LogPlot::verticals(std::vector<Vertical> all) {
  std::erase_if(all, [&](const Vertical& one) { return one.at < x_.low || one.at > x_.high; });
  std::stable_sort(all.begin(), all.end(),
                   [](const Vertical& a, const Vertical& b) { return a.at > b.at; });
  // The left end of the name: to the right of its line, above it at the edge of the figure, or to
  // its left.
  const auto begins = [&](const Vertical& one, int choice) {
    const double x = x_(one.at), wide = sheet_.note_width(one.name);
    return choice == 0 ? x + 4 : choice == 1 ? sheet_.width() - 4 - wide : x - 4 - wide;
  };
  const auto free = [&](const Vertical& one, int choice) {
    const double from = begins(one, choice), to = from + sheet_.note_width(one.name);
    if (from < 4 || to > sheet_.width() - 4 + 1e-9 || from > x_(one.at) + 4) return false;
    return std::none_of(all.begin(), all.end(), [&](const Vertical& other) {
      return &other != &one && x_(other.at) > from - 3 && x_(other.at) < to + 3;
    });
  };
  double baseline = y_.to - 4;
  while (!all.empty()) {
    std::size_t next = 0;
    int choice = 1;
    for (std::size_t i = all.size(); i-- > 0;)
      for (int one = 2; one >= 0; --one)
        if (free(all[i], one)) next = i, choice = one;
    const Vertical& one = all[next];
    const double x = x_(one.at);
    sheet_.line({x, y_.from}, {x, baseline + 4}, one.stroke, 1.5, "4 3");
    sheet_.note(one.name, {begins(one, choice), baseline}, -1, one.stroke);
    all.erase(all.begin() + static_cast<std::ptrdiff_t>(next));
    baseline -= row;
  }
}

void LogPlot::curve(const std::vector<Point>& data, std::string_view stroke, double width,
                    std::string_view dashes) {
  // The sheet has no dashed polylines, so a dashed line is drawn in segments.
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
