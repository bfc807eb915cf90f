#include "figures/draw/sheet.hpp"

#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/marks.hpp"

namespace figures::models {
namespace {

void add_box(PathData& path, const Box& box) {
  path.move(box.left, box.top).line(box.right, box.top).line(box.right, box.bottom);
  path.line(box.left, box.bottom).close();
}

double bar_pitch(bool narrow) { return narrow ? 42 : 28; }

std::string outline_of(const std::vector<Box>& boxes) {
  PathData path;
  for (const Box& box : boxes) add_box(path, box);
  return path.str();
}

}  // namespace

Sheet::Sheet(const Options& options, double wide_height, double narrow_height,
             const std::string& title, const std::string& description)
    : canvas_(options, wide_height, narrow_height),
      title_(title),
      description_(description),
      svg_(start_figure(canvas_, options, title, description)) {}

void Sheet::box(const Box& box, std::string_view fill, std::string_view stroke) {
  svg_.begin("rect").set("x", box.left).set("y", box.top);
  svg_.set("width", box.width()).set("height", box.height());
  if (!fill.empty()) svg_.set("fill", area_colour(fill, colors()));
  if (!stroke.empty()) svg_.set("stroke", stroke);
  svg_.end();
}

void Sheet::boxes(const std::vector<Box>& boxes, std::string_view fill, std::string_view opacity) {
  if (boxes.empty()) return;
  svg_.begin("path").set("d", outline_of(boxes));
  svg_.set("fill", area_colour(fill, colors()));
  if (!opacity.empty()) svg_.set("fill-opacity", opacity);
  svg_.end();
}

void Sheet::hatch(const Box& box, std::string_view fill) {
  hatch_area(svg_, box, area_colour(fill, colors()), colors());
}

void Sheet::strokes(const std::vector<Box>& boxes, std::string_view stroke,
                    std::string_view opacity) {
  if (boxes.empty()) return;
  PathData path;
  for (const Box& box : boxes) {
    const double y = (box.top + box.bottom) / 2;
    path.move(box.left, y).line(box.right, y);
  }
  svg_.begin("path").set("d", path.str()).set("stroke", stroke);
  svg_.set("stroke-width", boxes[0].bottom - boxes[0].top).set("stroke-opacity", opacity).end();
}

void Sheet::outlines(const std::vector<Box>& boxes, std::string_view stroke, double width) {
  if (boxes.empty()) return;
  svg_.begin("path").set("d", outline_of(boxes)).set("stroke", stroke);
  svg_.set("stroke-width", width).end();
}

void Sheet::line(Point from, Point to, std::string_view stroke, double width,
                 std::string_view dashes) {
  svg_.begin_line(from, to);
  svg_.set("stroke", stroke).set("stroke-width", width);
  if (!dashes.empty()) svg_.set("stroke-dasharray", dashes);
  svg_.end();
}

void Sheet::arrow(Point from, Point to, std::string_view stroke, double width) {
  arrows({{from, to}}, stroke, width);
}

void Sheet::arrows(const std::vector<Arrow>& all, std::string_view stroke, double width) {
  PathData lines, heads;
  for (const auto& [from, to] : all) {
    const double dx = to.x - from.x, dy = to.y - from.y;
    const double length = std::sqrt(dx * dx + dy * dy);
    if (!(length > 0)) continue;
    lines.move(from.x, from.y).line(to.x, to.y);
    const double ux = dx / length, uy = dy / length, size = 4 + width;
    heads.move(to.x, to.y);
    heads.line(to.x - size * ux - size * uy / 2, to.y - size * uy + size * ux / 2);
    heads.line(to.x - size * ux + size * uy / 2, to.y - size * uy - size * ux / 2).close();
  }
  if (lines.str().empty()) return;
  svg_.begin("path").set("d", lines.str()).set("stroke", stroke).set("stroke-width", width).end();
  svg_.begin("path").set("d", heads.str()).set("fill", stroke).end();
}

void Sheet::polyline(const std::vector<Point>& points, std::string_view stroke, double width) {
  if (points.size() < 2) return;
  PathData path;
  path.move(points[0].x, points[0].y);
  for (std::size_t i = 1; i < points.size(); ++i) path.line(points[i].x, points[i].y);
  svg_.begin("path").set("d", path.str()).set("stroke", stroke).set("stroke-width", width);
  svg_.set("stroke-linejoin", "round").end();
}

void Sheet::cells(const Box& area, int columns, int rows, double gap, std::string_view fill,
                  std::string_view opacity) {
  boxes({area}, fill, opacity);
  PathData rules;
  for (int i = 1; i < columns; ++i) {
    const double x = area.left + area.width() * i / columns;
    rules.move(x, area.top).line(x, area.bottom);
  }
  for (int i = 1; i < rows; ++i) {
    const double y = area.top + area.height() * i / rows;
    rules.move(area.left, y).line(area.right, y);
  }
  svg_.begin("path").set("d", rules.str()).set("stroke", colors().paper);
  svg_.set("stroke-width", gap).end();
}

void Sheet::zoom(const Box& part, const Box& frame) {
  line({part.right, part.top}, {frame.left, frame.top}, colors().ink_soft, 1, "2 3");
  line({part.right, part.bottom}, {frame.left, frame.bottom}, colors().ink_soft, 1, "2 3");
}

void Sheet::dot(Point at, double radius, std::string_view fill) {
  svg_.begin("circle").set("cx", at.x).set("cy", at.y).set("r", radius).set("fill", fill).end();
}

void Sheet::diamond(Point at, double radius, std::string_view fill) {
  PathData path;
  path.move(at.x, at.y - radius).line(at.x + radius, at.y).line(at.x, at.y + radius);
  path.line(at.x - radius, at.y).close();
  svg_.begin("path").set("d", path.str()).set("fill", fill).end();
}

void Sheet::triangle(Point at, double radius, std::string_view fill) {
  PathData path;
  path.move(at.x, at.y - radius).line(at.x + radius, at.y + radius * 0.8);
  path.line(at.x - radius, at.y + radius * 0.8).close();
  svg_.begin("path").set("d", path.str()).set("fill", fill).end();
}

void Sheet::word(TextStyle style, std::string text, Point baseline, int across,
                 std::string_view fill) {
  if (!fill.empty()) style.fill = fill;
  draw_text(svg_, {std::move(text), style}, baseline, across);
}

void Sheet::name(std::string text, Point baseline, int across, std::string_view fill) {
  word(canvas_.name, std::move(text), baseline, across, fill);
}

void Sheet::note(std::string text, Point baseline, int across, std::string_view fill) {
  word(canvas_.note, std::move(text), baseline, across, fill);
}

void Sheet::note_in(double width, std::string text, Point baseline, int across,
                    std::string_view fill) {
  note(fitted(text, canvas_.note, width), baseline, across, fill);
}

void Sheet::name_in(double width, std::string text, Point baseline, int across,
                    std::string_view fill) {
  name(fitted(text, canvas_.name, width), baseline, across, fill);
}

double Sheet::name_width(std::string_view text) const { return text_width(text, canvas_.name); }

double Sheet::note_width(std::string_view text) const { return text_width(text, canvas_.note); }

Rendering Sheet::finish(Table table) {
  return finish_figure(svg_, canvas_, std::move(title_), std::move(description_), std::move(table));
}

double bar_rows_height(std::size_t rows, bool narrow) {
  return 44 + static_cast<double>(rows) * bar_pitch(narrow);
}

void bar_rows(Sheet& sheet, double top, const std::string& heading,
              const std::vector<BarRow>& bars) {
  const bool narrow = sheet.narrow();
  const Palette& colors = sheet.colors();
  // The wide layout has a column for the names and room for a number after the longest bar.
  double names = 88, numbers = 118;
  for (const BarRow& bar : bars) {
    names = std::fmax(names, sheet.note_width(bar.label));
    numbers = std::fmax(numbers, sheet.note_width(bar.text));
  }
  const double left = narrow ? 12 : names + 24, far = sheet.width() - 12;
  const double room = far - left - (narrow ? 0 : numbers + 10);
  sheet.note(heading, {12, top + 20});
  double y = top + 34;
  for (const BarRow& bar : bars) {
    const auto at = [&](double share) {
      return left + room * std::fmin(std::fmax(share, 0.0), 1.0);
    };
    const double bar_top = narrow ? y + 18 : y, bar_bottom = narrow ? y + 32 : y + 19;
    const double end = std::fmax(at(bar.share), left + (bar.share > 0 ? 1.5 : 0));
    const std::string_view ink = bar.fill.empty() ? colors.ink_soft : colors.ink;
    if (narrow) {
      sheet.note_in(far - left - sheet.note_width(bar.text) - 12, bar.label, {left, y + 13}, -1,
                    ink);
      sheet.note(bar.text, {far, y + 13}, 1, ink);
    } else {
      sheet.note(bar.label, {left - 10, y + 14}, 1, ink);
      sheet.note(bar.text, {std::fmax(end, at(bar.mark)) + 8, y + 14}, -1, ink);
    }
    const double middle = (bar_top + bar_bottom) / 2;
    if (bar.dot) sheet.line({left, middle}, {left + room, middle}, colors.grid);
    if (bar.dot && bar.share > 0) {
      sheet.dot({at(bar.share), middle}, 5.5, bar.fill);
    } else if (bar.share > 0) {
      sheet.boxes({{left, bar_top, end, bar_bottom}}, bar.fill);
      sheet.hatch({left, bar_top, end, bar_bottom}, bar.fill);
    }
    if (bar.mark > 0)
      sheet.line({at(bar.mark), bar_top - 2}, {at(bar.mark), bar_bottom + 2}, colors.ink, 2);
    y += bar_pitch(narrow);
  }
}

Rendering draw_bar_rows(const Options& options, std::size_t rows, const std::string& title,
                        const std::string& description, const std::string& heading,
                        const std::vector<BarRow>& bars, Table table) {
  Sheet sheet(options, bar_rows_height(rows, false), bar_rows_height(rows, true), title,
              description);
  bar_rows(sheet, 0, heading, bars);
  return sheet.finish(std::move(table));
}

const Palette& colors_of(const Options& options) { return palette(options.theme); }

std::string said(double value, int digits) {
  // An integer is a count, so all of its digits matter.
  if (value == std::floor(value) && std::fabs(value) < 1e9) return significant(value, 9);
  return significant(value, digits);
}

std::string plural(double count, std::string_view one, std::string_view many) {
  return said(count) + " " + std::string(count == 1 ? one : many);
}

}  // namespace figures::models
