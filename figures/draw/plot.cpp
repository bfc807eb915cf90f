// Draws an x-y plot: bands, rules, axes, lines, dots, then labels, starting with the front series.
#include "figures/draw/plot.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "figures/draw/canvas.hpp"

namespace figures {
namespace {

// Maps the values of one axis to page coordinates.
struct Scale {
  bool logarithmic;
  LogScale log;
  LinearScale linear;
  Scale(const PlotAxis& axis, double from, double to)
      : logarithmic(axis.logarithmic),
        log{axis.low, axis.high, from, to},
        linear{axis.low, axis.high, from, to} {}
  double operator()(double value) const { return logarithmic ? log(value) : linear(value); }
};

// Removes corners that move a line by less than a reader can see.
std::vector<Point> simplified(const std::vector<Point>& line) {
  constexpr double visible = 0.12;
  if (line.size() < 3) return line;
  std::vector<bool> kept(line.size(), false);
  kept.front() = kept.back() = true;
  std::vector<std::pair<std::size_t, std::size_t>> open{{0, line.size() - 1}};
  while (!open.empty()) {
    const auto [first, last] = open.back();
    open.pop_back();
    const Point a = line[first], b = line[last];
    const double dx = b.x - a.x, dy = b.y - a.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    double worst = visible;
    std::size_t corner = 0;
    for (std::size_t i = first + 1; i < last; ++i) {
      const double off = std::fabs(dx * (line[i].y - a.y) - dy * (line[i].x - a.x));
      if (off > worst * std::max(length, 1e-9)) worst = off / std::max(length, 1e-9), corner = i;
    }
    if (corner == 0) continue;
    kept[corner] = true;
    open.push_back({first, corner});
    open.push_back({corner, last});
  }
  std::vector<Point> out;
  for (std::size_t i = 0; i < line.size(); ++i)
    if (kept[i]) out.push_back(line[i]);
  return out;
}

// Points along a line, close enough together for a label that looks for a place near it.
std::vector<Point> at_most(std::size_t count, const std::vector<Point>& line) {
  const std::size_t step = (line.size() + count - 1) / count;
  std::vector<Point> out;
  for (std::size_t i = 0; i < line.size(); i += step) out.push_back(line[i]);
  return out;
}

class Drawing {
 public:
  // Coordinates are in the plot area of the canvas.
  Drawing(const Plot& plot, const Canvas& canvas, Svg& svg)
      : plot_(plot),
        canvas_(canvas),
        x_(plot.x, canvas_.plot.left, canvas_.plot.right),
        y_(plot.y, canvas_.plot.bottom, canvas_.plot.top),
        labels_(canvas_.label_bounds()),
        svg_(svg) {}

  // Returns the labels that found no place.
  std::vector<std::string> draw() {
    for (const PlotBand& band : plot_.bands) fill(band);
    draw_x_axis(svg_, canvas_, on_page(plot_.x.ticks, x_), plot_.x.title, labels_);
    draw_y_axis(svg_, canvas_, on_page(plot_.y.ticks, y_), plot_.y.title, labels_);
    for (const PlotRule& rule : plot_.rules) cross(rule);
    for (const PlotSeries& series : plot_.series) join(series);
    for (const PlotSeries& series : plot_.series) dot(series);
    if (!svg_.within_budget()) return {};
    for (auto one = plot_.series.rbegin(); one != plot_.series.rend(); ++one) name_points(*one);
    for (auto one = plot_.series.rbegin(); one != plot_.series.rend(); ++one) name_line(*one);
    for (const PlotRule& rule : plot_.rules) name_rule(rule);
    for (const PlotBand& band : plot_.bands) name_band(band);
    if (plot_.series.empty() && !plot_.empty.empty()) say_empty();
    labels_.draw(svg_, canvas_.colors.paper, canvas_.colors.ink_soft);
    return labels_.omitted();
  }

 private:
  Point at(const PlotPoint& p) const { return {x_(p.x), y_(p.y)}; }
  std::string_view colour(Hue hue) const { return colour_of(hue, canvas_.colors); }

  void fill(const PlotBand& band) {
    if (band.upper.empty() || band.lower.empty()) return;
    std::vector<Point> upper, lower;
    for (const PlotPoint& point : band.upper) upper.push_back(at(point));
    for (auto one = band.lower.rbegin(); one != band.lower.rend(); ++one) lower.push_back(at(*one));
    upper = simplified(upper);
    PathData path;
    path.move(upper[0].x, upper[0].y);
    for (std::size_t i = 1; i < upper.size(); ++i) path.line(upper[i].x, upper[i].y);
    for (const Point p : simplified(lower)) path.line(p.x, p.y);
    path.close();
    svg_.begin("path").set("d", path.str()).set("fill", colour(band.hue));
    svg_.set("fill-opacity", "0.06").end();
  }

  void cross(const PlotRule& rule) {
    const Box& box = canvas_.plot;
    const Point from = rule.vertical ? Point{x_(rule.at), box.top} : Point{box.left, y_(rule.at)};
    const Point to = rule.vertical ? Point{x_(rule.at), box.bottom} : Point{box.right, y_(rule.at)};
    svg_.begin_line(from, to);
    svg_.set("stroke", colour(rule.hue)).set("stroke-dasharray", "2 4").end();
    labels_.discourage(from, to, 25);
  }

  // The corners of the line of a series, in page coordinates.
  std::vector<Point> corners(const PlotSeries& series) const {
    std::vector<Point> out;
    for (const PlotPoint& point : series.points) {
      const Point p = at(point);
      if (series.steps && !out.empty()) out.push_back({p.x, out.back().y});
      out.push_back(p);
    }
    return out;
  }

  void join(const PlotSeries& series) {
    const std::vector<Point> line = simplified(corners(series));
    if (!(series.line > 0) || line.size() < 2) return;
    PathData path;
    path.move(line[0].x, line[0].y);
    for (std::size_t i = 1; i < line.size(); ++i) {
      path.line(line[i].x, line[i].y);
      labels_.discourage(line[i - 1], line[i], 40);
    }
    svg_.begin("path").set("d", path.str()).set("stroke", colour(series.hue));
    svg_.set("stroke-width", series.line).set("stroke-linejoin", "round");
    if (series.dashed) svg_.set("stroke-dasharray", "6 5");
    svg_.end();
  }

  // Dots on a line are small and have no names.
  double radius(const PlotSeries& series) const {
    if (series.line > 0 && series.points.size() > 12) return 2.5;
    return canvas_.narrow ? 4.5 : 5;
  }

  void dot(const PlotSeries& series) {
    const std::string_view color = colour(series.hue);
    const double r = radius(series);
    for (const PlotPoint& point : series.points) {
      const Point p = at(point);
      if (point.high > point.low) spread(point, color);
      if (point.disc > 0) circle(p, point.disc).set("fill", color).set("fill-opacity", "0.3").end();
      if (series.dot == Dot::none) continue;
      const bool hollow = series.dot == Dot::hollow;
      const std::string_view inside = hollow ? canvas_.colors.paper : color;
      const std::string_view edge = hollow ? color : canvas_.colors.paper;
      if (series.dot == Dot::diamond || series.dot == Dot::triangle) {
        angular(p, r + 1, series.dot == Dot::triangle, inside, edge);
      } else {
        circle(p, r).set("fill", inside);
        svg_.set("stroke", edge).set("stroke-width", r < 3 ? 1 : 1.5).end();
      }
      labels_.add_dot(p, r + 1);
    }
  }

  Svg& circle(Point p, double r) {
    return svg_.begin("circle").set("cx", p.x).set("cy", p.y).set("r", r);
  }

  void angular(Point p, double r, bool triangle, std::string_view inside, std::string_view edge) {
    PathData path;
    path.move(p.x, p.y - r);
    if (triangle) path.line(p.x + r, p.y + r * 0.8).line(p.x - r, p.y + r * 0.8);
    else path.line(p.x + r, p.y).line(p.x, p.y + r).line(p.x - r, p.y);
    path.close();
    svg_.begin("path").set("d", path.str()).set("fill", inside).set("stroke", edge).end();
  }

  void spread(const PlotPoint& point, std::string_view color) {
    const double x = x_(point.x), top = y_(point.high), bottom = y_(point.low);
    if (bottom - top < 12) return;
    svg_.begin_line({x, top}, {x, bottom});
    svg_.set("stroke", color).end();
  }

  void name_points(const PlotSeries& series) {
    for (const PlotPoint& point : series.points) {
      if (point.label.empty()) continue;
      TextStyle style = canvas_.name;
      style.fill = colour(series.hue);
      const TextLine first{fitted(point.label, style, canvas_.plot.width() * 0.6), style};
      std::vector<Labels::Wording> wordings;
      if (!point.note.empty()) wordings.push_back({first, {point.note, canvas_.note}});
      wordings.push_back({first});
      labels_.place(wordings, around(at(point), 11), at(point));
    }
  }

  // Labels the line along its longest straight pieces, near the preferred position.
  void name_line(const PlotSeries& series) {
    if (series.label.empty() || series.points.empty()) return;
    TextStyle style = canvas_.name;
    style.fill = colour(series.hue);
    const std::vector<Point> line = at_most(60, corners(series));
    std::vector<Place> places;
    for (std::size_t i = 0; i < line.size(); ++i) {
      const double t = static_cast<double>(i) / static_cast<double>(line.size());
      const double off = (t > series.label_at ? t - series.label_at : series.label_at - t) * 8;
      for (const int down : {1, -1})
        for (const int across : {0, -1, 1})
          places.push_back({{line[i].x, line[i].y - down * (radius(series) + 6)},
                            across,
                            down,
                            1,
                            0,
                            off + (down < 0 ? 0.6 : 0) + (across != 0 ? 0.3 : 0),
                            false,
                            {}});
      if (i % 3 != 0) continue;  // enough places for leaders
      for (Place place : around(line[i], 13)) {
        place.cost += off + 4;
        place.leader = true;
        place.target = line[i];
        places.push_back(place);
      }
    }
    labels_.place({{{series.label, style}}}, places);
  }

  void name_rule(const PlotRule& rule) {
    if (rule.label.empty()) return;
    TextStyle style = canvas_.note;
    style.fill = colour(rule.hue);
    const Box& box = canvas_.plot;
    std::vector<Place> places;
    for (int step = 0; step <= 14; ++step) {
      const double t = step / 14.0, cost = step * 0.3;
      for (const int side : {-1, 1}) {
        if (rule.vertical)
          places.push_back({{x_(rule.at) - side * 5, box.top + 2 + t * (box.height() - 24)},
                            side,
                            -1,
                            1,
                            0,
                            cost + (side > 0 ? 0.2 : 0),
                            false,
                            {}});
        else
          places.push_back({{box.right - t * box.width(), y_(rule.at) + side * 4},
                            t < 0.5 ? 1 : -1,
                            -side,
                            1,
                            0,
                            cost + (side > 0 ? 0.2 : 0),
                            false,
                            {}});
      }
    }
    labels_.place({{{rule.label, style}}}, places);
  }

  void name_band(const PlotBand& band) {
    if (band.label.empty()) return;
    TextStyle style = canvas_.note;
    style.fill = colour(band.hue);
    std::vector<Place> places;
    for (std::size_t i = 0; i < std::min(band.upper.size(), band.lower.size()); ++i) {
      const Point a = at(band.upper[i]), b = at(band.lower[i]);
      const double tall = b.y - a.y;
      for (const double t : {0.5, 0.3, 0.7})
        places.push_back({{a.x, a.y + tall * t}, 0, 0, 1, 0, tall > 20 ? 1 + t : 12, false, {}});
    }
    labels_.offer({{{band.label, style}}}, places);
  }

  void say_empty() {
    const Box& box = canvas_.plot;
    const Point middle{(box.left + box.right) / 2, (box.top + box.bottom) / 2};
    labels_.place({{{plot_.empty, canvas_.note}}}, {{middle, 0, 0}});
  }

  const Plot& plot_;
  const Canvas& canvas_;
  Scale x_, y_;
  Labels labels_;
  Svg& svg_;
};

}  // namespace

Hue hue_of(std::string_view role) {
  constexpr std::pair<std::string_view, Hue> roles[] = {{"compute", Hue::compute},
                                                        {"bandwidth", Hue::bandwidth},
                                                        {"context", Hue::reference},
                                                        {"teal", Hue::teal},
                                                        {"ochre", Hue::ochre}};
  for (const auto& [name, hue] : roles)
    if (name == role) return hue;
  return Hue::ink;
}

std::string_view colour_of(Hue hue, const Palette& palette) {
  switch (hue) {
    case Hue::compute: return palette.compute;
    case Hue::bandwidth: return palette.bandwidth;
    case Hue::reader: return palette.reader;
    case Hue::reference: return palette.reference;
    case Hue::teal: return palette.teal;
    case Hue::ochre: return palette.ochre;
    case Hue::ink: break;
  }
  return palette.ink;
}

Rendering draw_plot(const Plot& plot, const Options& options) {
  return draw_panels({plot}, options);
}

Rendering draw_panels(const std::vector<Plot>& panels, const Options& options) {
  double wide = 0, narrow = 0;
  for (const Plot& plot : panels) wide += plot.wide_height, narrow += plot.narrow_height;
  Canvas canvas(options, wide, narrow);
  const Plot& first = panels.front();
  Svg svg = start_figure(canvas, options, first.title, first.description);
  std::vector<std::string> omitted;
  double top = 0;
  for (const Plot& plot : panels) {
    Canvas part(options, plot.wide_height, plot.narrow_height);
    part.plot.top += top;
    part.plot.bottom += top;
    top += part.height;
    for (std::string& one : Drawing(plot, part, svg).draw()) omitted.push_back(std::move(one));
  }
  Rendering drawing =
      finish_figure(svg, canvas, first.title, first.description, first.table, std::move(omitted));
  for (const Plot& plot : panels)
    for (const PlotSeries& series : plot.series)
      drawing.shows_reader = drawing.shows_reader || series.hue == Hue::reader;
  return drawing;
}

}  // namespace figures
