#include "figures/kinds/tiles.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/draw/plot.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/quantities/notation.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

enum Axis : std::size_t { m, n, k };
using Extents = std::array<double, 3>;  // rows of A and C, columns of B and C, depth

struct Matrix {
  std::string_view name;
  Axis down, across, unused;
};
constexpr Matrix matrices[] = {{"A", m, k, n}, {"B", k, n, m}, {"C", m, n, k}};
constexpr std::string_view axis_names[] = {"m", "n", "k"};

// A piece of a matrix that stays in one memory level while the inner loops run.
struct Kept {
  std::size_t matrix = 0;
  std::string place;
  Hue hue = Hue::bandwidth;
  Extents extents{};
  double bytes = 0;
  double rows() const { return extents[matrices[matrix].down]; }
  double columns() const { return extents[matrices[matrix].across]; }
  double uses() const { return extents[matrices[matrix].unused]; }
};

struct Loop {
  Axis over = m;
  double by = 1;
  std::vector<Kept> keeps;
};

struct Nest {
  std::string title, description;
  Extents whole{};
  std::vector<Loop> loops;
  Table table;
  std::size_t kept() const {
    std::size_t sum = 0;
    for (const Loop& loop : loops) sum += loop.keeps.size();
    return sum;
  }
};

std::string size_text(double rows, double columns) {
  return significant(rows, 9) + " × " + significant(columns, 9);
}

std::string uses_text(double uses) { return uses == 1 ? "once" : significant(uses, 9) + " times"; }

class TilesReader {
 public:
  TilesReader(const nlohmann::json& spec, const Inputs& inputs)
      : fields_(spec, "", error_),
        names_({inputs.facts, inputs.catalogue, nullptr, nullptr}),
        scope_(&names_) {}

  Result<Nest> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    for (const Axis axis : {m, n, k})
      out_.whole[axis] = count(fields_, std::string(axis_names[axis]), 1e9);
    element_ = fields_.quantity("element", scope_, byte_dimension);
    now_ = out_.whole;
    out_.table.columns = {"Loop", "Keeps", "Size", "Where", "Each number is used"};
    fields_.each("loops", [&](Fields& one) { read_loop(one); });
    if (error_) return *error_;
    if (out_.kept() == 0) return Error{"loops: keep nothing"}.of("loops");
    return std::move(out_);
  }

 private:
  double count(Fields& one, const std::string& name, double most) {
    const double value = one.quantity(name, scope_, {});
    if (error_) return 1;
    if (!(value >= 1) || value != std::floor(value))
      one.fail(name, "must be a whole number above 0");
    if (value > most) one.fail(name, "is more than the " + significant(most, 9) + " that are left");
    return value;
  }

  void read_loop(Fields& one) {
    Loop loop;
    const std::string over = one.text("over", "m");
    loop.over = over == "m" ? m : over == "n" ? n : k;
    loop.by = count(one, "by", now_[loop.over]);
    now_[loop.over] = loop.by;
    out_.loops.push_back(loop);
    const std::string words = loop_text(out_.loops.back());
    one.each("keeps", [&](Fields& kept) { read_kept(kept, words); });
    if (out_.loops.back().keeps.empty()) out_.table.add({words, "", "", "", ""});
  }

  void read_kept(Fields& one, const std::string& loop) {
    Kept kept;
    const std::string of = one.text("of", "A");
    kept.matrix = of == "A" ? 0 : of == "B" ? 1 : 2;
    kept.place = one.text("in");
    const std::string role = one.text("role", "bandwidth");
    kept.hue = role == "compute"   ? Hue::compute
               : role == "context" ? Hue::reference
                                   : Hue::bandwidth;
    kept.extents = now_;
    kept.bytes = kept.rows() * kept.columns() * element_;
    out_.table.add({loop, of + ", " + size_text(kept.rows(), kept.columns()),
                    quantity_text(kept.bytes, Meaning::bytes), kept.place, uses_text(kept.uses())});
    out_.loops.back().keeps.push_back(std::move(kept));
  }

 public:
  static std::string loop_text(const Loop& loop) {
    const std::string name(axis_names[loop.over]);
    return name + " in steps of " + significant(loop.by, 9);
  }

 private:
  std::optional<Error> error_;
  Fields fields_;
  Names names_;
  Given scope_;
  Extents now_{};
  double element_ = 0;
  Nest out_;
};

// Places the three matrices so that a row of A and a column of B meet in C. Tiles are large enough
// to be visible, not to scale.
class TilesDrawing {
 public:
  TilesDrawing(const Nest& nest, const Options& options)
      : nest_(nest),
        sheet_(options, std::max(matrices_height, list_height(nest) + 12),
               matrices_height + list_height(nest), nest.title, nest.description),
        colors_(sheet_.colors()) {
    double most = 0;
    for (const double extent : nest.whole) most = std::max(most, extent);
    for (const Axis axis : {m, n, k})
      side_[axis] = side * std::clamp(nest.whole[axis] / most, 0.4, 1.0);
    const double corner_x = sheet_.narrow() ? 40 + side_[k] : 44 + side_[k];
    const double corner_y = 40 + side_[k];
    frames_[0] = {corner_x - side_[k], corner_y + gap, corner_x, corner_y + gap + side_[m]};
    frames_[1] = {corner_x + gap, corner_y - side_[k], corner_x + gap + side_[n], corner_y};
    frames_[2] = {corner_x + gap, corner_y + gap, corner_x + gap + side_[n],
                  corner_y + gap + side_[m]};
  }

  Rendering draw() {
    for (std::size_t i = 0; i < 3; ++i) draw_matrix(i);
    place_tiles();
    for (const Tile& tile : tiles_) draw_tile(tile);
    for (std::size_t i = 0; i < 3; ++i) number_tiles(i);
    if (sheet_.narrow()) list(8, matrices_height + 2);
    else list(408, std::max(24.0, (sheet_.height() - list_height(nest_)) / 2 + 8));
    return sheet_.finish(nest_.table);
  }

 private:
  static constexpr double side = 138, gap = 18, loop_line = 22, kept_line = 38;
  static constexpr double matrices_height = 40 + 2 * side + gap + 30;

  struct Tile {
    const Kept* kept;
    int number;
    Box box;
  };

  static double list_height(const Nest& nest) {
    return loop_line * static_cast<double>(nest.loops.size()) +
           kept_line * static_cast<double>(nest.kept()) + 8;
  }

  std::string_view color(Hue hue) const { return colour_of(hue, colors_); }

  void draw_matrix(std::size_t i) {
    const Matrix& matrix = matrices[i];
    const Box& frame = frames_[i];
    sheet_.box(frame, colors_.rule);
    const std::string size = size_text(nest_.whole[matrix.down], nest_.whole[matrix.across]);
    if (matrix.name == "B") {
      // There is room to the left of B; its numbers are above it.
      sheet_.name("B", {frame.left - 12, frame.top + 12}, 1);
      sheet_.note(size, {frame.left - 12, frame.top + 28}, 1);
    } else {
      const double middle = (frame.left + frame.right) / 2;
      const std::string name(matrix.name);
      const double wide = sheet_.name_width(name) + 8 + sheet_.note_width(size);
      const double left = std::max(4.0, middle - wide / 2);
      sheet_.name(name, {left, frame.bottom + 20});
      sheet_.note(size, {left + sheet_.name_width(name) + 8, frame.bottom + 20});
    }
  }

  // The position of a nested piece along an axis: large enough to be visible, small enough to look
  // like a part.
  static std::pair<double, double> inner(std::pair<double, double> outer, double share) {
    const double room = outer.second - outer.first;
    const double size =
        share >= 1 ? room : std::clamp(room * share, std::min(room, 7.0), room * 0.62);
    const double from = outer.first + (room - size) * 0.32;
    return {from, from + size};
  }

  void place_tiles() {
    // Spans start at 0; the frame of each matrix adds its position.
    std::array<std::pair<double, double>, 3> spans;
    for (const Axis axis : {m, n, k}) spans[axis] = {0, side_[axis]};
    Extents now = nest_.whole;
    int number = 0;
    for (const Loop& loop : nest_.loops) {
      spans[loop.over] = inner(spans[loop.over], loop.by / now[loop.over]);
      now[loop.over] = loop.by;
      for (const Kept& kept : loop.keeps) {
        const Matrix& matrix = matrices[kept.matrix];
        const Box& frame = frames_[kept.matrix];
        const auto [top, bottom] = spans[matrix.down];
        const auto [left, right] = spans[matrix.across];
        tiles_.push_back(
            {&kept,
             ++number,
             {frame.left + left, frame.top + top, frame.left + right, frame.top + bottom}});
      }
    }
  }

  void draw_tile(const Tile& tile) {
    sheet_.boxes({tile.box}, color(tile.kept->hue), tile.kept->hue == Hue::compute ? "" : "0.35");
    sheet_.outlines({tile.box}, color(tile.kept->hue));
  }

  // The numbers of A's tiles are to its left, B's above, C's to its right. A line connects a number
  // to its tile unless an inner tile is in the way.
  void number_tiles(std::size_t matrix) {
    const bool above = matrix == 1;
    std::vector<const Tile*> here;
    for (const Tile& tile : tiles_)
      if (tile.kept->matrix == matrix) here.push_back(&tile);
    const auto span = [&](const Tile& tile) {
      return above ? std::pair(tile.box.left, tile.box.right)
                   : std::pair(tile.box.top, tile.box.bottom);
    };
    std::vector<std::pair<double, const Tile*>> stands;
    for (std::size_t i = 0; i < here.size(); ++i) {
      auto [from, to] = span(*here[i]);
      if (i + 1 < here.size()) {
        const auto [first, last] = span(*here[i + 1]);
        if (to - last > first - from) from = last;
        else if (first > from) to = first;
      }
      stands.push_back({(from + to) / 2, here[i]});
    }
    std::sort(stands.begin(), stands.end(),
              [](const auto& a, const auto& b) { return a.first < b.first; });
    double free = -1e9;
    for (const auto& [wanted, tile] : stands) {
      const double at = std::max(wanted, free);
      free = at + 16;
      number_tile(*tile, matrix, at);
    }
  }

  void number_tile(const Tile& tile, std::size_t matrix, double at) {
    const Box& frame = frames_[matrix];
    const std::string_view hue = color(tile.kept->hue);
    const std::string text = write_whole(tile.number);
    if (matrix == 1) {
      const double x = std::clamp(at, tile.box.left + 1, tile.box.right - 1);
      sheet_.line({at, frame.top - 3}, {x, tile.box.top}, hue, 1, "2 2");
      sheet_.name(text, {at, frame.top - 7}, 0, hue);
      return;
    }
    const double y = std::clamp(at, tile.box.top + 1, tile.box.bottom - 1);
    const bool left = matrix == 0;
    const double outside = left ? frame.left - 4 : frame.right + 4;
    sheet_.line({outside, at}, {left ? tile.box.left : tile.box.right, y}, hue, 1, "2 2");
    sheet_.name(text, {outside + (left ? -4 : 4), at + 4.5}, left ? 1 : -1, hue);
  }

  void list(double left, double y) {
    const double right = sheet_.width() - 8;
    int number = 0;
    double indent = left;
    for (const Loop& loop : nest_.loops) {
      sheet_.name_in(right - indent, "for " + TilesReader::loop_text(loop), {indent, y + 15});
      y += loop_line;
      indent += 12;
      for (const Kept& kept : loop.keeps) {
        const double text = indent + 18, room = right - text;
        sheet_.name(write_whole(++number), {indent + 2, y + 14}, -1, color(kept.hue));
        const std::string piece = std::string(matrices[kept.matrix].name) + ", " +
                                  size_text(kept.rows(), kept.columns()) + ", " +
                                  quantity_text(kept.bytes, Meaning::bytes) + " in " + kept.place;
        sheet_.note_in(room, piece, {text, y + 14}, -1, color(kept.hue));
        sheet_.note_in(room, "each number is used " + uses_text(kept.uses()), {text, y + 30});
        y += kept_line;
      }
    }
  }

  const Nest& nest_;
  models::Sheet sheet_;
  const Palette& colors_;
  std::array<double, 3> side_{};
  std::array<Box, 3> frames_{};
  std::vector<Tile> tiles_;
};

}  // namespace

Result<Rendering> render_tiles(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<Nest> nest = TilesReader(spec, inputs).read();
  if (!nest) return nest.error();
  return TilesDrawing(*nest, options).draw();
}

}  // namespace figures
