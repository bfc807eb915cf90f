// Places labels next to their data without collisions.
//
// A caller proposes places for each label, best place first. Labels are placed in the order in
// which they are requested, so the first labels get the best places. A label never covers another
// label, a point or the edge of the figure. Covering a line costs more than moving away with a
// leader. A label without a free place is left out and listed in omitted(). A test checks that no
// spec omits one, and the data table still has the value.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/geometry.hpp"
#include "figures/draw/svg.hpp"
#include "figures/draw/text_metrics.hpp"
#include "figures/draw/words.hpp"

namespace figures {

struct TextStyle {
  double size = 12;
  Weight weight = Weight::regular;
  std::string_view fill;
  const Words* words = nullptr;  // the translation to draw; null: no translation
};

struct TextLine {
  std::string text;
  TextStyle style;
};

// The anchor point of a label, and which point of its block is there: -1 left/top, 0 middle, 1
// right/bottom.
struct Place {
  Point anchor;
  int across = -1, down = -1;
  double cosine = 1, sine = 0;  // of the clockwise rotation around the anchor
  double cost = 0;
  bool leader = false;  // draw a line from the block to the target
  Point target = {};    // for labels of a line; a leader to a dot ends at the dot
};

// The width in px of the text as draw_text() draws it.
double text_width(std::string_view text, const TextStyle& style);

// Width and height of a block of lines, and the distance from its top to the baseline of line
// `index`.
double block_width(const std::vector<TextLine>& lines);
double block_height(const std::vector<TextLine>& lines);

// `text` cut to fit `width`, with an ellipsis if it was cut. Never splits a UTF-8 sequence.
std::string fitted(std::string_view text, const TextStyle& style, double width);

// Places around a point: at `distance`, then further away with a leader.
std::vector<Place> around(Point point, double distance);

// Places along a line from `from` to `to` (left to right), above or below it, sorted by distance
// from the fraction `preferred` of its length.
std::vector<Place> along(Point from, Point to, double gap, double preferred);

// The same places, followed by places further away with a leader to the line.
std::vector<Place> beside(Point from, Point to, double gap, double preferred);

class Labels {
 public:
  explicit Labels(const Box& bounds) : bounds_(bounds) {}

  // Adds a dot that labels refer to. No label may cover it, and a label nearer to this dot than to
  // its own has a higher cost because readers could confuse them.
  void add_dot(Point center, double reach);
  // No label may overlap this area.
  void keep_clear(const Quad& area) { solid_.push_back({area, bounds_of(area)}); }
  // Adds `cost` for a label on this line (the cost of a place is about 0 to 10).
  void discourage(Point from, Point to, double cost);

  using Wording = std::vector<TextLine>;
  // Chooses the cheapest free place of all wordings, best wording first. `dot` is the dot that the
  // label refers to. False: no place was free, and the label is omitted.
  bool place(const std::vector<Wording>& wordings, const std::vector<Place>& places,
             std::optional<Point> dot = {});
  // The same for a label that the figure does not need: never on a line, and without a leader
  // across the figure.
  bool offer(const std::vector<Wording>& wordings, const std::vector<Place>& places,
             std::optional<Point> dot = {});
  // The first line of each label without a place.
  const std::vector<std::string>& omitted() const { return omitted_; }

  // Draws the placed labels: leaders, then text with a halo in the color of the paper.
  void draw(Svg& svg, std::string_view paper, std::string_view leader_stroke) const;

 private:
  struct Line {
    Quad segment;
    Box box;
    double cost;
  };
  struct Solid {
    Quad area;
    Box box;
  };
  struct Placed {
    std::vector<TextLine> lines;
    Place place;
    Box block;  // before the rotation
    Quad leader;
    double cost;
  };
  void improve(Placed& best, const Wording& lines, Size size, const Place& place, double extra,
               std::optional<Point> dot) const;
  double cost_of(const Quad& area, double enough, double weight) const;
  bool put(const std::vector<Wording>& wordings, const std::vector<Place>& places,
           std::optional<Point> dot, double limit);
  double confusion(const Box& block, Point own) const;

  Box bounds_;
  std::vector<Solid> solid_;
  std::vector<Point> dots_;
  std::vector<Line> lines_;
  std::vector<Box>
      // Bounding boxes of consecutive lines, for a quick test; consecutive lines are close together
      stretches_;
  std::vector<Placed> placed_;
  std::vector<std::string> omitted_;
};

// Wordings in one style, each a list of lines: {{"FMA 45 GFLOP/s"}, {"FMA", "45 GFLOP/s"}}.
std::vector<Labels::Wording> wordings(
    const TextStyle& style, std::initializer_list<std::initializer_list<std::string_view>> texts);

// Draws one line of text, translated by its style; `across` as in Place. All text of a figure
// passes through here.
void draw_text(Svg& svg, const TextLine& line, Point baseline, int across, double degrees = 0);

}  // namespace figures
