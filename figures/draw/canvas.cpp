#include "figures/draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

constexpr double wide_width = 720;
constexpr double narrow_width = 358;
constexpr std::size_t svg_budget = 200'000;  // bytes; a figure is a tenth of it

// Crisp hairlines: on the middle of a pixel.
double on_pixel(double value) { return std::floor(value) + 0.5; }

void rule(Svg& svg, Point from, Point to, std::string_view stroke) {
  svg.begin_line(from, to);
  svg.set("stroke", stroke).end();
}

}  // namespace

Canvas::Canvas(const Options& options, double wide_height, double narrow_height)
    : colors(palette(options.theme)),
      narrow(options.width == Layout::narrow),
      width(narrow ? narrow_width : wide_width),
      height(narrow ? narrow_height : wide_height),
      tick{narrow ? 11.5 : 12.5, Weight::regular, colors.ink_soft},
      name{narrow ? 12.5 : 14, Weight::semibold, colors.ink},
      note{narrow ? 12.0 : 13.0, Weight::regular, colors.ink_soft} {
  plot = narrow ? Box{44, 28, width - 6, height - 42} : Box{76, 32, width - 12, height - 48};
}

void write_text(Svg& svg, const TextLine& line, Point baseline, int across, Labels& labels) {
  const double size = line.style.size;
  const double wide = text_width(line.text, size, line.style.weight);
  const double left = baseline.x - wide * (across + 1) / 2;
  labels.keep_clear(
      quad_of(Box{left, baseline.y - size * 0.75, left + wide, baseline.y + size * 0.25}));
  draw_text(svg, line, baseline, across);
}

void draw_x_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels) {
  const Box& plot = canvas.plot;
  for (const AxisTick& tick : ticks) {
    const double x = on_pixel(tick.at);
    if (!tick.label.empty()) rule(svg, {x, plot.top}, {x, plot.bottom}, canvas.colors.rule);
    if (tick.label.empty()) rule(svg, {x, plot.bottom - 4}, {x, plot.bottom}, canvas.colors.rule);
  }
  const double y = on_pixel(plot.bottom);
  rule(svg, {plot.left, y}, {plot.right, y}, canvas.colors.ink_soft);
  const double baseline = plot.bottom + canvas.tick.size * 1.35;
  for (const AxisTick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double half = text_width(tick.label, canvas.tick.size, canvas.tick.weight) / 2;
    const double x = std::clamp(tick.at, half + 2, canvas.width - 2 - half);
    write_text(svg, {tick.label, canvas.tick}, {x, baseline}, 0, labels);
  }
  write_text(svg, {title, canvas.note}, {plot.right, baseline + canvas.note.size * 1.4}, 1, labels);
}

void draw_y_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels) {
  const Box& plot = canvas.plot;
  for (const AxisTick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double y = on_pixel(tick.at);
    if (y < plot.bottom - 1) rule(svg, {plot.left, y}, {plot.right, y}, canvas.colors.rule);
    const double baseline = tick.at + canvas.tick.size * cap_height / 2;
    write_text(svg, {tick.label, canvas.tick}, {plot.left - 7, baseline}, 1, labels);
  }
  write_text(svg, {title, canvas.note},
             {canvas.narrow ? 6.0 : 12.0, plot.top - (canvas.narrow ? 14 : 17)}, -1, labels);
}

Svg start_figure(const Canvas& canvas, const Options& options, const std::string& title,
                 const std::string& description) {
  Svg svg(svg_budget);
  const std::string t = options.id_prefix + "title", d = options.id_prefix + "desc";
  svg.begin("svg").set("xmlns", "http://www.w3.org/2000/svg");
  svg.set("width", canvas.width).set("height", canvas.height);
  svg.set("viewBox", "0 0 " + fixed(canvas.width, 2) + " " + fixed(canvas.height, 2));
  svg.set("class", "figure-svg").set("role", "img").set("lang", options.lang);
  svg.set("aria-labelledby", t).set("aria-describedby", d).set("fill", "none");
  // In the page the style sheet sets the font; a figure on its own has to say it.
  if (options.theme != Theme::css)
    svg.set("font-family", "'Roofline Figure', 'Source Sans 3', sans-serif");
  svg.begin("title").set("id", t).text(title).end();
  svg.begin("desc").set("id", d).text(description).end();
  return svg;
}

Rendering finish_figure(Svg& svg, const Canvas& canvas, std::string title, std::string description,
                        Table table, std::vector<std::string> omitted) {
  svg.end();
  return {svg.within_budget() ? svg.str() : "",
          canvas.width,
          canvas.height,
          std::move(title),
          std::move(description),
          std::move(table),
          std::move(omitted)};
}

}  // namespace figures
