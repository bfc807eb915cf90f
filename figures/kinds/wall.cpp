#include "figures/kinds/wall.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "figures/base/decimal_text.hpp"
#include "figures/draw/canvas.hpp"
#include "figures/draw/marks.hpp"
#include "figures/draw/plot.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

constexpr double tallest = 1e6;  // px; only a mistake in the spec makes a taller wall
constexpr double tick_every = 1000;

struct Mark {
  std::string label, rate_text;
  double depth = 0;  // px
};

struct Column {
  std::string label;
  Hue hue = Hue::ink;
  std::vector<Mark> marks;  // sorted by depth; the last is the end of the wall
  bool known = true;        // false: its px or a rate was not measured
  double height() const { return known ? marks.back().depth : 0; }
};

struct Wall {
  std::string title, description;
  std::vector<Column> columns;
  Table table;
};

class WallReader : private GivenReader {
 public:
  WallReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Wall> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    out_.table.columns = {"", "", "Rate", "Height in px"};
    fields_.each("columns", [&](Fields& one) { read_column(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void read_column(Fields& one) {
    Column column;
    column.label = one.text("label");
    column.hue = hue_of(one.text("role", "ink"));
    unit_text_ = one.text("unit");
    if (const Result<Unit> unit = parse_unit(unit_text_)) unit_ = *unit;
    else return one.fail("unit", unit.error());
    const std::optional<double> pixel = measured_quantity(one, "pixel", scope_, unit_.dimension);
    if (!pixel) column.known = false;
    else if (!(*pixel > 0)) one.fail("pixel", "is not a positive rate");
    one.each("marks", [&](Fields& mark) { read_mark(mark, pixel.value_or(0), column); });
    out_.columns.push_back(std::move(column));
  }

  void read_mark(Fields& one, double pixel, Column& column) {
    Mark mark;
    mark.label = one.text("label");
    const std::optional<double> rate = measured_quantity(one, "value", scope_, unit_.dimension);
    if (!rate || !(pixel > 0)) column.known = false;
    if (error_) return;
    mark.rate_text = rate ? significant(*rate / unit_.scale, 3) + " " + unit_text_ : "not measured";
    mark.depth = rate && pixel > 0 ? *rate / pixel : 0;
    if (!(mark.depth >= 0 && mark.depth <= tallest))
      return one.fail("value", "is not between 0 and " + significant(tallest, 1) + " px");
    if (!column.marks.empty() && mark.depth < column.marks.back().depth)
      return one.fail("value", "is smaller than the mark before it: sort marks in ascending order");
    const std::string px = column.known ? significant(mark.depth, 3) : "not measured";
    out_.table.add({column.label, mark.label, mark.rate_text, px});
    column.marks.push_back(std::move(mark));
  }

  std::string unit_text_;
  Unit unit_;
  Wall out_;
};

std::string moved(double x, double y) {
  return "translate(" + fixed(x, 1) + " " + fixed(y, 1) + ")";
}

class WallDrawing {
 public:
  WallDrawing(const Wall& data, const Options& options)
      : data_(data),
        canvas_(options, height(), height()),
        svg_(start_figure(canvas_, options, data.title, data.description)) {}

  Rendering draw() {
    const double share = canvas_.narrow ? 200 : 480;
    for (std::size_t i = 0; i < data_.columns.size(); ++i)
      draw_column(data_.columns[i], static_cast<double>(i) * share);
    return finish_figure(svg_, canvas_, data_.title, data_.description, data_.table);
  }

 private:
  static constexpr double top = 34, below = 46;

  double height() const {
    double most = 0;
    for (const Column& column : data_.columns) most = std::max(most, column.height());
    return std::ceil(top + most + below);
  }

  double bar() const { return canvas_.narrow ? 52 : 120; }

  void draw_column(const Column& column, double left) {
    const std::string_view color = colour_of(column.hue, canvas_.colors);
    TextStyle name = canvas_.name;
    name.fill = color;
    draw_text(svg_, {column.label, name}, {left, 18}, -1);
    if (!column.known) return draw_text(svg_, {"not measured", canvas_.note}, {left, top + 14}, -1);
    svg_.begin("g").set("transform", moved(left, top));
    draw_bar(column.height(), area_colour(color, canvas_.colors));
    for (double y = tick_every; y < column.height(); y += tick_every) draw_tick(y);
    // One line of text per mark if the wall is short, otherwise two.
    const bool is_short = column.height() < 400;
    const double lead = canvas_.note.size + 2;
    double free = 0;
    for (const Mark& mark : column.marks) {
      const double words = std::max(0.0, free - mark.depth);
      draw_mark(mark, words, is_short);
      free = mark.depth + words + (is_short ? lead : 2 * lead + 4);
    }
    svg_.end();
  }

  void draw_bar(double tall, std::string_view fill) {
    svg_.begin("g").set("class", "wall-bar");
    svg_.begin("rect").set("width", bar()).set("height", tall).set("fill", fill).end();
    hatch_area(svg_, {0, 0, bar(), tall}, fill, canvas_.colors);
    svg_.end();
  }

  void draw_tick(double y) {
    TextStyle style = canvas_.tick;
    style.fill = canvas_.colors.paper;
    svg_.begin("g").set("class", "wall-tick").set("transform", moved(0, y));
    svg_.begin_line({0, 0}, {bar(), 0}).set("stroke", canvas_.colors.paper).end();
    draw_text(svg_, {significant(y, 5), style}, {bar() / 2, -5}, 0);
    svg_.end();
  }

  void draw_mark(const Mark& mark, double words, bool is_short) {
    const double right = bar() + 6, size = canvas_.name.size;
    svg_.begin("g").set("class", "wall-mark").set("transform", moved(0, mark.depth));
    // Short enough to miss the tick labels, which are centered in the bar.
    svg_.begin_line({bar() - 6, 0}, {right, 0}).set("stroke", canvas_.colors.ink).end();
    svg_.begin("g").set("class", "wall-words").set("transform", moved(right + 4, words));
    draw_text(svg_, {mark.label, canvas_.name}, {0, size * 0.35}, -1);
    const double second = size * 0.35 + canvas_.note.size + 4;
    if (!is_short) draw_text(svg_, {mark.rate_text, canvas_.note}, {0, second}, -1);
    svg_.end().end();
  }

  const Wall& data_;
  Canvas canvas_;
  Svg svg_;
};

}  // namespace

Result<Rendering> render_wall(const nlohmann::json& spec, const Inputs& inputs,
                              const Options& options) {
  const Result<Wall> data = WallReader(spec, inputs).read();
  if (!data) return data.error();
  return WallDrawing(*data, options).draw();
}

}  // namespace figures
