#include "figures/kinds/squares.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"
#include "figures/draw/plot.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct Square {
  std::string label, said;
  Hue hue = Hue::ink;
  double value = 0;  // in the spec's unit
};

struct Squares {
  std::string title, description;
  std::vector<Square> rows;  // sorted by size, smallest first
  Table table;
};

class SquaresReader : private GivenReader {
 public:
  SquaresReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Squares> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    unit_text_ = fields_.text("unit");
    if (const Result<Unit> unit = parse_unit(unit_text_)) unit_ = *unit;
    else fields_.fail("unit", unit.error());
    out_.table.columns = {"", out_.title, "Relative to the first"};
    fields_.each("rows", [&](Fields& one) { read_row(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  void read_row(Fields& one) {
    Square row;
    row.label = one.text("label");
    row.hue = hue_of(one.text("role", "ink"));
    row.value = one.quantity("value", scope_, unit_.dimension) / unit_.scale;
    if (error_) return;
    if (!(row.value > 0 && row.value < 1e12)) return one.fail("value", "is not a positive amount");
    if (!out_.rows.empty() && row.value < out_.rows.back().value)
      return one.fail("value", "is smaller than the one above: sort rows from small to large");
    row.said = significant(row.value, 3) + " " + unit_text_;
    const double first = out_.rows.empty() ? row.value : out_.rows.front().value;
    const std::string times = significant(row.value / first, 3) + " ×";
    out_.table.add({row.label, row.said, times});
    if (!out_.rows.empty()) row.said += ", " + times;
    out_.rows.push_back(std::move(row));
  }

  std::string unit_text_;
  Unit unit_;
  Squares out_;
};

// The largest square is the whole area. The others are inside it, one below the other, in the same
// scale.
class SquaresDrawing {
 public:
  SquaresDrawing(const Squares& data, const Options& options)
      : data_(data), sheet_(options, 920, 358, data.title, data.description) {}

  Rendering draw() {
    const Palette& colors = sheet_.colors();
    const Square& whole = data_.rows.back();
    const double side = sheet_.width() - 1, lead = sheet_.narrow() ? 19 : 26;
    const Box frame{0.5, 0.5, side + 0.5, side + 0.5};
    const std::string_view hue = colour_of(whole.hue, colors);
    sheet_.boxes({frame}, hue, "0.12");
    sheet_.box(frame, {}, hue);
    const double left = sheet_.narrow() ? 12 : 28;
    double y = left;
    sheet_.name(whole.label, {left, y + lead * 0.7}, -1, hue);
    sheet_.note(whole.said, {left, y + lead * 1.65}, -1, colors.ink);
    y += lead * 2.4;
    const double gap = room_between(y, side);
    for (std::size_t i = 0; i + 1 < data_.rows.size(); ++i) {
      const Square& row = data_.rows[i];
      const double wide = side * std::sqrt(row.value / whole.value);
      const double tall = std::max(wide, lead * 2);
      const double top = y + (tall - wide) / 2;
      const Box box{left, top, left + wide, top + wide};
      sheet_.boxes({box}, colour_of(row.hue, colors));
      sheet_.hatch(box, colour_of(row.hue, colors));
      const double words = left + wide + 12, middle = y + tall / 2;
      sheet_.name(row.label, {words, middle - 3}, -1, colour_of(row.hue, colors));
      sheet_.note(row.said, {words, middle + lead * 0.75}, -1, colors.ink);
      y += tall + gap;
    }
    return sheet_.finish(data_.table);
  }

 private:
  // The space between the squares: the rest of the height, but at least a little.
  double room_between(double from, double side) const {
    const double lead = sheet_.narrow() ? 19 : 26;
    double taken = from;
    for (std::size_t i = 0; i + 1 < data_.rows.size(); ++i)
      taken += std::max(side * std::sqrt(data_.rows[i].value / data_.rows.back().value), lead * 2);
    const double gaps = static_cast<double>(data_.rows.size()) - 1;
    return std::clamp((side - 8 - taken) / std::max(gaps, 1.0), 2.0, 40.0);
  }

  const Squares& data_;
  models::Sheet sheet_;
};

}  // namespace

Result<Rendering> render_squares(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options) {
  const Result<Squares> data = SquaresReader(spec, inputs).read();
  if (!data) return data.error();
  return SquaresDrawing(*data, options).draw();
}

}  // namespace figures
