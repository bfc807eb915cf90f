// The drawing area of a model: boxes, lines and text in the colors and text sizes of all figures.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/draw/canvas.hpp"

namespace figures::models {

class Sheet {
 public:
  Sheet(const Options& options, double wide_height, double narrow_height, const std::string& title,
        const std::string& description);

  const Palette& colors() const { return canvas_.colors; }
  bool narrow() const { return canvas_.narrow; }
  double width() const { return canvas_.width; }
  double height() const { return canvas_.height; }
  double note_size() const { return canvas_.note.size; }

  void box(const Box& box, std::string_view fill, std::string_view stroke = {});
  // Draws many boxes of one kind as one element. If `fill` is a hue of lines and text, the boxes
  // have the corresponding area color. `opacity` as in SVG: "0.3"; empty is opaque.
  void boxes(const std::vector<Box>& boxes, std::string_view fill, std::string_view opacity = {});
  // Draws lines in the color of the paper over an area that would have the same gray as another hue
  // (marks.hpp).
  void hatch(const Box& box, std::string_view fill);
  // Draws boxes as thick strokes through their middles. Halves the bytes if thousands of boxes have
  // the same height.
  void strokes(const std::vector<Box>& boxes, std::string_view stroke, std::string_view opacity);
  void outlines(const std::vector<Box>& boxes, std::string_view stroke, double width = 1);
  void line(Point from, Point to, std::string_view stroke, double width = 1,
            std::string_view dashes = {});
  void arrow(Point from, Point to, std::string_view stroke, double width = 1.5);
  // Draws many arrows of one kind as two elements.
  struct Arrow {
    Point from, to;
  };
  void arrows(const std::vector<Arrow>& all, std::string_view stroke, double width = 1.5);
  void polyline(const std::vector<Point>& points, std::string_view stroke, double width = 1.5);
  // Draws a grid of `columns` x `rows` cells, `gap` px apart, as one area under lines in the color
  // of the paper.
  void cells(const Box& area, int columns, int rows, double gap, std::string_view fill,
             std::string_view opacity = {});
  // Connects a part to its enlarged copy: dotted lines from the right corners of `part` to the left
  // corners of `frame`.
  void zoom(const Box& part, const Box& frame);
  void dot(Point at, double radius, std::string_view fill);
  void diamond(Point at, double radius, std::string_view fill);
  void triangle(Point at, double radius, std::string_view fill);
  // `across`: -1 starts the text at the point, 0 centers it there, 1 ends it there.
  void name(std::string text, Point baseline, int across = -1, std::string_view fill = {});
  void note(std::string text, Point baseline, int across = -1, std::string_view fill = {});
  // A note truncated to `width`.
  void note_in(double width, std::string text, Point baseline, int across = -1,
               std::string_view fill = {});
  void name_in(double width, std::string text, Point baseline, int across = -1,
               std::string_view fill = {});
  double note_width(std::string_view text) const;
  double name_width(std::string_view text) const;

  Rendering finish(Table table);

 private:
  void word(TextStyle style, std::string text, Point baseline, int across, std::string_view fill);

  Canvas canvas_;
  std::string title_, description_;
  Svg svg_;
};

// A bar with a label at its start and its value at its end.
struct BarRow {
  std::string label, text;
  double share = 0;  // fraction of the full width, 0 to 1
  std::string_view fill;
  double mark = 0;   // a limit, drawn across the bar, as a fraction; 0: none
  bool dot = false;  // a dot at the end instead: on a logarithmic scale, lengths mean nothing
};
// A bar that a later step draws. It reserves the place of its name.
inline BarRow bar_to_come(std::string label) { return {std::move(label), {}, 0, {}}; }
// The height of a list of `rows` bars with its heading, and the list itself, drawn below `top`.
double bar_rows_height(std::size_t rows, bool narrow);
void bar_rows(Sheet& sheet, double top, const std::string& heading,
              const std::vector<BarRow>& bars);
// Draws a model that is only a list of bars with text. `rows` is the maximum, so that the height
// does not change.
Rendering draw_bar_rows(const Options& options, std::size_t rows, const std::string& title,
                        const std::string& description, const std::string& heading,
                        const std::vector<BarRow>& bars, Table table);
// The palette of the theme in `options`.
const Palette& colors_of(const Options& options);

// A number in a table or a sentence: integers in full, others with `digits` significant digits.
std::string said(double value, int digits = 4);
// "1 step", "2 steps".
std::string plural(double count, std::string_view one, std::string_view many);

}  // namespace figures::models
