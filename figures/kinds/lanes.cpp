#include "figures/kinds/lanes.hpp"

#include <algorithm>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/spec/axis_spec.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_parts.hpp"

namespace figures {
namespace {

struct Span {
  std::string label;
  Hue hue = Hue::ink;
  bool idle = false;
  double from = 0, to = 0;  // in units of the axis
};

struct Lane {
  std::string label;
  std::vector<Span> spans;
};

struct Lanes {
  std::string title, description;
  AxisSpec axis;
  std::vector<Lane> lanes;
  Table table;
};

class LanesReader : private GivenReader {
 public:
  LanesReader(const nlohmann::json& spec, const Inputs& inputs) : GivenReader(spec, inputs) {}

  Result<Lanes> read() {
    read_given(fields_, names_, scope_);
    out_.title = fields_.text("title");
    out_.description = finding_of(fields_, scope_);
    out_.axis = read_axis(fields_, "x", scope_);
    if (!error_ && out_.axis.logarithmic)
      error_ =
          Error{for_author("x.scale: spans need a linear axis, because their length is the time")}
              .of("x.scale");
    out_.table.columns = {"", "", "From", "To"};
    fields_.each("lanes", [&](Fields& one) { read_lane(one); });
    if (error_) return *error_;
    return std::move(out_);
  }

 private:
  double time(Fields& one, const char* member) {
    return out_.axis.on_axis(one.quantity(member, scope_, out_.axis.unit.dimension));
  }

  void read_lane(Fields& one) {
    Lane lane;
    lane.label = one.text("label");
    one.each("spans", [&](Fields& inner) { read_span(inner, lane); });
    out_.lanes.push_back(std::move(lane));
  }

  void read_span(Fields& one, Lane& lane) {
    Span span;
    span.label = one.text("label", "");
    const std::string role = one.text("role", "ink");
    span.idle = role == "idle";
    span.hue = hue_of(role);
    span.from = time(one, "from");
    span.to = time(one, "to");
    const double before = lane.spans.empty() ? -1e15 : lane.spans.back().to;
    if (!error_ && !(span.from < span.to && span.to < 1e15)) one.fail("to", "must be after from");
    if (!error_ && span.from < before - 1e-9 * std::abs(before))
      one.fail("from", "overlaps the previous span");
    const auto said = [&](double value) {
      const std::string& unit = out_.axis.unit_text;
      return significant(value, 4) + (unit.empty() ? "" : " " + unit);
    };
    out_.table.add({lane.label, span.label, said(span.from), said(span.to)});
    lane.spans.push_back(std::move(span));
  }

  Lanes out_;
};

// Wide: lane names in a column. Narrow: each name above its lane.
class LanesDrawing {
 public:
  LanesDrawing(const Lanes& lanes, const Options& options)
      : lanes_(lanes),
        sheet_(options, height(lanes, false), height(lanes, true), lanes.title, lanes.description),
        colors_(sheet_.colors()),
        pitch_(pitch(sheet_.narrow())),
        left_(sheet_.narrow() ? 8 : 12),
        right_(sheet_.width() - left_ - 4) {
    double low = 1e300, high = -1e300;
    for (const Lane& lane : lanes.lanes) {
      if (!sheet_.narrow()) names_ = std::max(names_, sheet_.name_width(lane.label));
      low = std::min(low, lane.spans.front().from);
      high = std::max(high, lane.spans.back().to);
    }
    names_ = std::min(names_, 200.0);
    if (!sheet_.narrow()) left_ += names_ + 16;
    low = lanes.axis.from.value_or(std::min(low, 0.0));
    scale_ = {low, lanes.axis.to.value_or(high), left_, right_};
  }

  Rendering draw() {
    draw_ticks();
    double y = top;
    for (const Lane& lane : lanes_.lanes) {
      draw_lane(lane, y);
      y += pitch_;
    }
    return sheet_.finish(lanes_.table);
  }

 private:
  static constexpr double top = 8, bar = 24, foot = 46, inset = 4;
  static double pitch(bool narrow) { return narrow ? 50 : 36; }
  static double height(const Lanes& lanes, bool narrow) {
    return top + pitch(narrow) * static_cast<double>(lanes.lanes.size()) + foot;
  }

  void draw_ticks() {
    const double bottom = top + pitch_ * static_cast<double>(lanes_.lanes.size());
    for (const Tick& tick : linear_ticks(scale_.low, scale_.high, sheet_.narrow() ? 5 : 9)) {
      const double x = scale_(tick.value);
      sheet_.line({x, top}, {x, bottom + 4}, colors_.grid);
      sheet_.note(tick.label, {x, bottom + 18}, x > right_ - 12 ? 1 : 0);
    }
    std::string title = lanes_.axis.title;
    if (!lanes_.axis.unit_text.empty()) title += ", " + lanes_.axis.unit_text;
    sheet_.note(title + " →", {right_, bottom + 36}, 1);
  }

  void draw_lane(const Lane& lane, double y) {
    double upper = y;
    if (sheet_.narrow()) {
      sheet_.name_in(right_ - left_, lane.label, {left_, y + 15});
      upper = y + 21;
    } else {
      sheet_.name_in(names_, lane.label, {left_ - 16, y + bar / 2 + 5}, 1);
    }
    for (const Span& span : lane.spans) draw_span(span, upper);
  }

  // Draws a span with its text, if the text fits. An idle span is an outline.
  void draw_span(const Span& span, double y) {
    const double from = std::clamp(scale_(span.from), left_, right_);
    const double to = std::clamp(scale_(span.to), left_, right_);
    const Box box{from, y, std::max(to - 1, from + 0.75), y + bar};
    const double wide = span.label.empty() ? 0 : sheet_.note_width(span.label) + 2 * inset;
    const bool fits = wide > 0 && wide < box.width();
    const std::string_view color = colour_of(span.hue, colors_);
    if (span.idle) {
      sheet_.outlines({box}, colors_.rule);
    } else {
      sheet_.box(box, color);
      sheet_.hatch({from + (fits ? wide : 0), y, box.right, box.bottom}, color);
    }
    if (fits)
      sheet_.note(span.label, {from + inset, y + bar / 2 + 4.5}, -1,
                  span.idle ? std::string_view{} : colors_.paper);
  }

  const Lanes& lanes_;
  models::Sheet sheet_;
  const Palette& colors_;
  double pitch_, left_, right_, names_ = 0;
  LinearScale scale_;
};

}  // namespace

Result<Rendering> render_lanes(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options) {
  const Result<Lanes> lanes = LanesReader(spec, inputs).read();
  if (!lanes) return lanes.error();
  return LanesDrawing(*lanes, options).draw();
}

}  // namespace figures
