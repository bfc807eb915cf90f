// Direct labels without collisions.
//
// A caller says where a label may stand, best place first; the first labels asked for get the best
// places. A label never covers another one, a point, or the edge of the figure; standing on a line
// costs more than moving away with a leader does. One that finds no place is left out and counted
// in omitted(): a test holds that against every spec, and the data table still has it.
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
  const Words* words = nullptr;  // what the text becomes where it is drawn; null: it stays
};

struct TextLine {
  std::string text;
  TextStyle style;
};

// Which point of the label's block sits on the anchor: -1 left/top, 0 middle, 1 right/bottom.
struct Place {
  Point anchor;
  int across = -1, down = -1;
  double cosine = 1, sine = 0;  // of the turn around the anchor, clockwise
  double cost = 0;
  bool leader = false;  // draw a line from the block to the point it belongs to
  Point target = {};    // that point, for labels of a line; labels of a dot end at the dot
};

// As wide as draw_text() draws it.
double text_width(std::string_view text, const TextStyle& style);

// Width and height of a block of lines, and the baseline of its line `index` below its top.
double block_width(const std::vector<TextLine>& lines);
double block_height(const std::vector<TextLine>& lines);

// `text` cut to fit `width`, with an ellipsis when something was cut. Whole UTF-8 sequences.
std::string fitted(std::string_view text, const TextStyle& style, double width);

// Places around a point, at `distance` and then further out with a leader.
std::vector<Place> around(Point point, double distance);

// Places along a line from `from` to `to` (left to right), on its upper side or its lower one,
// near the fraction `preferred` of its length first.
std::vector<Place> along(Point from, Point to, double gap, double preferred);

// The same, and further away with a leader to the line.
std::vector<Place> beside(Point from, Point to, double gap, double preferred);

class Labels {
 public:
  explicit Labels(const Box& bounds) : bounds_(bounds) {}

  // A dot of this reach that labels belong to: kept clear, and a label nearer to it than to its own
  // dot pays for the confusion.
  void add_dot(Point center, double reach);
  // Nothing may stand here.
  void keep_clear(const Quad& area) { solid_.push_back({area, bounds_of(area)}); }
  // Standing on this line costs `cost` (a place's own cost is about 0 to 10).
  void discourage(Point from, Point to, double cost);

  using Wording = std::vector<TextLine>;
  // The cheapest free place of one of the wordings, best wording first. `dot`: what the label
  // belongs to. False: none was free, and the label is omitted.
  bool place(const std::vector<Wording>& wordings, const std::vector<Place>& places,
             std::optional<Point> dot = {});
  // The same for what a picture can do without: never on a line, and no leader across the picture.
  bool offer(const std::vector<Wording>& wordings, const std::vector<Place>& places,
             std::optional<Point> dot = {});
  // First lines of the labels that found no place.
  const std::vector<std::string>& omitted() const { return omitted_; }

  // Draws what was placed: leaders, then text with a halo in the paper's colour.
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
    Box block;  // before turning
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
      stretches_;  // around each few lines that were given one after another: they lie together
  std::vector<Placed> placed_;
  std::vector<std::string> omitted_;
};

// Wordings in one style, each a list of lines: {{"FMA 45 GFLOP/s"}, {"FMA", "45 GFLOP/s"}}.
std::vector<Labels::Wording> wordings(
    const TextStyle& style, std::initializer_list<std::initializer_list<std::string_view>> texts);

// One line of text, in the language of its style; `across` as in Place. The only way text gets into a figure.
void draw_text(Svg& svg, const TextLine& line, Point baseline, int across, double degrees = 0);

}  // namespace figures
