// Draws horizontal bars. Labels are above their bars, so that on a phone a bar has the full width.
#include "figures/kinds/bars.hpp"

#include <algorithm>

#include "figures/draw/canvas.hpp"
#include "figures/draw/marks.hpp"

namespace figures {
namespace {

constexpr double row = 50, top_margin = 34, bottom_margin = 12, bar_height = 20;

class BarsDrawing {
 public:
  BarsDrawing(const BarChart& chart, const Options& options)
      : chart_(chart),
        canvas_(options, height_of(chart), height_of(chart)),
        left_(canvas_.narrow ? 8 : 12),
        right_(canvas_.width - left_),
        labels_(Box{0, 0, canvas_.width, canvas_.height}),
        svg_(start_figure(canvas_, options, chart.title, chart.description)) {}

  Rendering draw() {
    if (!chart_.full.empty()) draw_full();
    draw_key();
    double y = top_margin;
    for (const Bar& bar : chart_.bars) {
      draw_bar(bar, y);
      y += row;
    }
    return finish_figure(svg_, canvas_, chart_.title, chart_.description, chart_.table);
  }

 private:
  static double height_of(const BarChart& chart) {
    return top_margin + row * static_cast<double>(std::max<std::size_t>(1, chart.bars.size())) +
           bottom_margin;
  }

  double at(double share) const { return left_ + (right_ - left_) * std::clamp(share, 0.0, 1.0); }

  void line(double x, double top, double bottom, std::string_view stroke, double width) {
    svg_.begin_line({x, top}, {x, bottom});
    svg_.set("stroke", stroke).set("stroke-width", width).end();
  }

  // The roof: a line at the right edge that no bar crosses, with its name above.
  void draw_full() {
    TextStyle style = canvas_.name;
    style.fill = canvas_.colors.compute;
    write_text(svg_, {fitted(chart_.full, style, right_ - left_), style}, {right_, 18}, 1, labels_);
    line(right_, 24, canvas_.height - bottom_margin, canvas_.colors.compute, 2);
  }

  void draw_key() {
    double x = left_;
    for (const BarPart& part : chart_.key) {
      area({x, 10, x + 10, 20}, part.color, 0);
      const TextLine text{part.text, canvas_.note};
      write_text(svg_, text, {x + 15, 19}, -1, labels_);
      x += 15 + block_width({text}) + 16;
    }
  }

  void rectangle(double x, double y, double width, double height, std::string_view fill) {
    svg_.begin("rect").set("x", x).set("y", y).set("width", width).set("height", height);
    svg_.set("fill", fill).end();
  }

  // An area of one part. It is hatched if it stands for bytes, except in the `words` px that a text
  // covers.
  void area(const Box& box, std::string_view color, double words) {
    const std::string_view fill = area_colour(color, canvas_.colors);
    rectangle(box.left, box.top, box.width(), box.height(), fill);
    hatch_area(svg_, {box.left + words, box.top, box.right, box.bottom}, fill, canvas_.colors);
  }

  void draw_bar(const Bar& bar, double y) {
    const double room = right_ - left_ - 8;
    const TextLine note{fitted(bar.note, canvas_.note, room * 0.6), canvas_.note};
    const double free = room - block_width({note}) - 12;
    write_text(svg_, {fitted(bar.label, canvas_.name, free), canvas_.name}, {left_, y + 14}, -1,
               labels_);
    if (!bar.note.empty()) write_text(svg_, note, {right_ - 8, y + 14}, 1, labels_);
    const double top = y + 21;
    rectangle(left_, top, right_ - left_, bar_height, canvas_.colors.grid);
    for (const BarPart& part : bar.parts) draw_part(part, top);
    if (bar.reference >= 0)
      line(at(bar.reference), top - 3, top + bar_height + 3, canvas_.colors.reference, 2);
  }

  void draw_part(const BarPart& part, double top) {
    const double width = at(part.to) - at(part.from);
    if (!(width > 0)) return;
    TextStyle style = canvas_.note;
    style.fill = canvas_.colors.paper;
    style.weight = Weight::semibold;
    const TextLine text{part.text, style};
    const double wide = block_width({text}) + 12;
    const bool said = !part.text.empty() && wide <= width;
    // Leave half a pixel of paper between neighbors, but always draw something.
    const double right = at(part.from) + std::max(width - 1, 0.5);
    area({at(part.from), top, right, top + bar_height}, part.color, said ? wide - 2 : 0);
    if (said) write_text(svg_, text, {at(part.from) + 6, top + bar_height * 0.73}, -1, labels_);
  }

  const BarChart& chart_;
  Canvas canvas_;
  double left_, right_;
  Labels labels_;
  Svg svg_;
};

}  // namespace

Rendering draw_bars(const BarChart& chart, const Options& options) {
  Rendering drawing = BarsDrawing(chart, options).draw();
  drawing.shows_reader = chart.shows_reader;
  return drawing;
}

}  // namespace figures
