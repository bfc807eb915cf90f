// What models draw on: boxes, lines and words in the colours and text sizes of all figures.
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
  // Boxes filled with a hue of lines and words have its colour for areas.
  // Many boxes of one kind as one element. `opacity` as in SVG: "0.3"; empty is opaque.
  void boxes(const std::vector<Box>& boxes, std::string_view fill, std::string_view opacity = {});
  // Lines in the paper's colour over an area that another hue would equal in grey (marks.hpp).
  void hatch(const Box& box, std::string_view fill);
  // Thick strokes through the boxes' middles: half the bytes, where there are thousands of one height.
  void strokes(const std::vector<Box>& boxes, std::string_view stroke, std::string_view opacity);
  void outlines(const std::vector<Box>& boxes, std::string_view stroke, double width = 1);
  void line(Point from, Point to, std::string_view stroke, double width = 1,
            std::string_view dashes = {});
  void arrow(Point from, Point to, std::string_view stroke, double width = 1.5);
  // Many of one kind as two elements.
  struct Arrow {
    Point from, to;
  };
  void arrows(const std::vector<Arrow>& all, std::string_view stroke, double width = 1.5);
  void polyline(const std::vector<Point>& points, std::string_view stroke, double width = 1.5);
  // A grid of `columns` times `rows` cells, apart by `gap` px: one area under lines of paper.
  void cells(const Box& area, int columns, int rows, double gap, std::string_view fill,
             std::string_view opacity = {});
  // From a part to itself enlarged: dotted lines from its right corners to the frame's left ones.
  void zoom(const Box& part, const Box& frame);
  void dot(Point at, double radius, std::string_view fill);
  void diamond(Point at, double radius, std::string_view fill);
  void triangle(Point at, double radius, std::string_view fill);
  // `across`: -1 starts at the point, 0 is centred on it, 1 ends there.
  void name(std::string text, Point baseline, int across = -1, std::string_view fill = {});
  void note(std::string text, Point baseline, int across = -1, std::string_view fill = {});
  // A note cut to `width`.
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

// A labelled bar with what it stands for at its end.
struct BarRow {
  std::string label, text;
  double share = 0;  // of the full width, 0 to 1
  std::string_view fill;
  double mark = 0;   // a limit, drawn across the bar; 0: none
  bool dot = false;  // a dot at its end instead: on a logarithmic scale a length says nothing
};
// A bar that a later step draws: its name keeps its place.
inline BarRow bar_to_come(std::string label) { return {std::move(label), {}, 0, {}}; }
// The height of a list of `rows` bars under its heading, and the list, drawn from `top` down.
double bar_rows_height(std::size_t rows, bool narrow);
void bar_rows(Sheet& sheet, double top, const std::string& heading,
              const std::vector<BarRow>& bars);
// A model that is a list of bars and its words: `rows` of them at most, so that the height is fixed.
Rendering draw_bar_rows(const Options& options, std::size_t rows, const std::string& title,
                        const std::string& description, const std::string& heading,
                        const std::vector<BarRow>& bars, Table table);
// The colour of a bar; the sheet's palette is the options' theme's.
const Palette& colors_of(const Options& options);

// A number in a table or a sentence: a count in full, anything else in `digits` significant digits.
std::string said(double value, int digits = 4);
// "1 step", "2 steps".
std::string plural(double count, std::string_view one, std::string_view many);

}  // namespace figures::models
