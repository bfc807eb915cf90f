#include "figures/draw/canvas.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

constexpr double wide_width = 920, column_width = 640, narrow_width = 358;
constexpr std::size_t svg_budget = 200'000;  // bytes; a typical figure needs a tenth of it

// Moves a coordinate to the middle of a pixel, so that hairlines are sharp.
double on_pixel(double value) { return std::floor(value) + 0.5; }

// All ticks are one element, and so are all grid lines, because axes are half of the bytes of a
// small drawing.
void rules(Svg& svg, const PathData& lines, std::string_view stroke) {
  svg.begin("path").set("d", lines.str()).set("stroke", stroke).end();
}

double width_of(Layout layout) {
  if (layout == Layout::narrow) return narrow_width;
  return layout == Layout::column ? column_width : wide_width;
}

struct Sizes {
  double tick, name, note;
};
Sizes sizes_of(Layout layout) {
  if (layout == Layout::narrow) return {11.5, 12.5, 12};
  return layout == Layout::column ? Sizes{12.5, 14, 13} : Sizes{14, 16, 14.5};
}

// The plot area, with room above it for the title of the y axis and the number of the highest line.
Box plot_of(Layout layout, double width, double height) {
  if (layout == Layout::narrow) return {44, 34, width - 6, height - 42};
  return {64, 42, width - 16, height - 48};
}

}  // namespace

Canvas::Canvas(const Options& options, double wide_height, double narrow_height)
    : colors(palette(options.theme)),
      narrow(options.width == Layout::narrow),
      width(width_of(options.width)),
      height(narrow ? narrow_height : wide_height),
      plot(plot_of(options.width, width, height)),
      tick{sizes_of(options.width).tick, Weight::regular, colors.ink_soft, options.words},
      name{sizes_of(options.width).name, Weight::semibold, colors.ink, options.words},
      note{sizes_of(options.width).note, Weight::regular, colors.ink_soft, options.words} {}

void write_text(Svg& svg, const TextLine& line, Point baseline, int across, Labels& labels) {
  const double size = line.style.size;
  const double wide = text_width(line.text, line.style);
  const double left = baseline.x - wide * (across + 1) / 2;
  labels.keep_clear(
      quad_of(Box{left, baseline.y - size * 0.75, left + wide, baseline.y + size * 0.25}));
  draw_text(svg, line, baseline, across);
}

void draw_x_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels) {
  const Box& plot = canvas.plot;
  const double y = on_pixel(plot.bottom);
  PathData lines;  // the ticks; a list of numbers has none
  for (const AxisTick& tick : ticks) {
    const double x = on_pixel(tick.at);
    lines.move(x, y).line(x, y + (tick.label.empty() ? 3 : 5));
  }
  if (!ticks.empty()) rules(svg, lines, canvas.colors.ink_soft);
  svg.begin_line({plot.left, y}, {plot.right, y});
  svg.set("stroke", canvas.colors.ink_soft).end();
  const double baseline = plot.bottom + 5 + canvas.tick.size;
  for (const AxisTick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double half = text_width(tick.label, canvas.tick) / 2;
    const double x = std::clamp(tick.at, half + 2, canvas.width - 2 - half);
    write_text(svg, {tick.label, canvas.tick}, {x, baseline}, 0, labels);
  }
  write_text(svg, {title, canvas.note}, {plot.right, baseline + canvas.note.size * 1.4}, 1, labels);
}

// The numbers are left of the plot, at the height of their grid line, so that no curve crosses
// them.
void draw_y_axis(Svg& svg, const Canvas& canvas, const std::vector<AxisTick>& ticks,
                 const std::string& title, Labels& labels) {
  const Box& plot = canvas.plot;
  PathData lines;
  for (const AxisTick& tick : ticks) {
    if (tick.label.empty()) continue;
    const double y = on_pixel(tick.at);
    if (y < plot.bottom - 1) lines.move(0, y).line(plot.right, y);
  }
  if (!lines.str().empty()) rules(svg, lines, canvas.colors.grid);
  for (const AxisTick& tick : ticks) {
    if (!tick.label.empty())
      write_text(svg, {tick.label, canvas.tick}, {0, tick.at - 4}, -1, labels);
  }
  const double above = canvas.tick.size + 8;  // the highest number may be at the top of the plot
  write_text(svg, {title, canvas.note}, {0, plot.top - above}, -1, labels);
}

namespace {

// Translates titles, descriptions and tables. In a page, the scripts do this, so no module contains
// the code.
void say_natively(const Canvas& canvas, std::string& text) {
  if constexpr (tells_authors) text = said(canvas.note.words, text);
}

// A description without a translation stays in English, as in the spec, and is marked as English.
void describe(Svg& svg, const Canvas& canvas, const std::string& description) {
  svg.begin("desc");
  if constexpr (tells_authors) {
    if (const Words* words = canvas.note.words) {
      const auto told = Words(*words).tell(description);  // a copy keeps unsaid() short
      if (!told) svg.set("lang", "en");
      svg.text(told.value_or(description)).end();
      return;
    }
  }
  svg.text(description).end();
}

}  // namespace

void say_natively(const Words* words, Table& table) {
  if constexpr (tells_authors) {
    for (std::string& column : table.columns) column = said(words, column);
    for (auto& row : table.rows)
      for (std::string& cell : row) cell = said(words, cell);
  }
}

Svg start_figure(const Canvas& canvas, const Options& options, std::string title,
                 const std::string& description) {
  say_natively(canvas, title);
  Svg svg(svg_budget);
  svg.begin("svg").set("xmlns", "http://www.w3.org/2000/svg");
  svg.set("width", canvas.width).set("height", canvas.height);
  svg.set("viewBox", "0 0 " + fixed(canvas.width, 2) + " " + fixed(canvas.height, 2));
  svg.set("class", "figure-svg").set("role", "img").set("lang", options.lang);
  svg.set("fill", "none");
  // In the page, the style sheet sets the font. A figure outside the page must name it.
  if (options.theme != Theme::css)
    svg.set("font-family", "'Roofline Figure', 'Source Sans 3', sans-serif");
  // Browsers take the accessible name and description of the image from title and desc without ids.
  svg.begin("title").text(title).end();
  describe(svg, canvas, description);
  return svg;
}

Rendering finish_figure(Svg& svg, const Canvas& canvas, std::string title, std::string description,
                        Table table, std::vector<std::string> omitted) {
  svg.end();
  say_natively(canvas, title);
  say_natively(canvas.note.words, table);
  return {svg.within_budget() ? svg.str() : "",
          canvas.width,
          canvas.height,
          std::move(title),
          std::move(description),
          std::move(table),
          std::move(omitted),
          {}};
}

}  // namespace figures
