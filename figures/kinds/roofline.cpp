// Draws a roofline: tints for the memory-bound and the compute-bound side, lines, ridge points and
// points. Labels follow, in the order of their importance, because the first labels get the best
// places.
#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/draw/canvas.hpp"
#include "figures/kinds/roofline.hpp"

namespace figures {
namespace {

class RooflineDrawing {
 public:
  RooflineDrawing(const Roofline& roofline, const Options& options)
      : data_(roofline),
        canvas_(options, 420, 372),
        x_{roofline.x_low, roofline.x_high, canvas_.plot.left, canvas_.plot.right},
        y_{roofline.y_low, roofline.y_high, canvas_.plot.bottom, canvas_.plot.top},
        labels_(canvas_.label_bounds()),
        description_(describe_roofline(roofline)),
        svg_(start_figure(canvas_, options, roofline.title, description_)) {}

  Rendering draw() {
    const Machine* subject = data_.subject();
    if (subject != nullptr && sides_shown()) tint_sides(*subject);
    axes();
    for (const Machine& machine : data_.machines) lines(machine);
    for (const Machine& machine : data_.machines) ridge(machine);
    for (const Mark& mark : data_.marks) dot(mark);
    // The figure of a walk is about the last point of the walk, so its label comes first.
    if (is_walk()) name_mark(data_.marks.back());
    for (auto machine = data_.machines.rbegin(); machine != data_.machines.rend(); ++machine)
      if (machine->role != Role::context) name_ceilings(*machine, 0, 1), name_ridge(*machine);
    for (auto mark = data_.marks.rbegin() + is_walk(); mark != data_.marks.rend(); ++mark)
      name_mark(*mark);
    for (auto machine = data_.machines.rbegin(); machine != data_.machines.rend(); ++machine)
      if (machine->role == Role::context) name_ceilings(*machine, 0, 1);
    for (auto machine = data_.machines.rbegin(); machine != data_.machines.rend(); ++machine)
      name_machine(*machine);
    if (subject != nullptr && sides_shown()) name_sides(*subject);
    if (subject != nullptr && subject->dashed && !data_.guess) name_slot(*subject);
    if (data_.machines.empty()) say_empty();
    labels_.draw(svg_, canvas_.colors.paper, canvas_.colors.ink_soft);
    if (data_.guess) guess();
    return finish_figure(svg_, canvas_, data_.title, description_, tabulate_roofline(data_),
                         labels_.omitted());
  }

 private:
  // The number of machines behind the subject, without the reference machine.
  std::ptrdiff_t others() const {
    return std::count_if(data_.machines.begin(), data_.machines.end(), [](const Machine& machine) {
      return machine.role == Role::context && machine.name != reference_name;
    });
  }

  // With several chips there is no common memory-bound side.
  bool sides_shown() const { return others() == 0; }

  // With many machines, numbers would cover the lines of other machines. The table has them.
  bool is_name_alone(const Machine& machine) const {
    return machine.role == Role::context && others() > 2;
  }

  std::string_view hue(Role role, std::string_view own) const {
    if (role == Role::reader) return canvas_.colors.reader;
    return role == Role::context ? canvas_.colors.reference : own;
  }

  // The reader's roof has the hues of bandwidth and compute, and only its ridge has the reader's
  // hue, unless a chip's roof already uses those hues.
  std::string_view line_hue(Role role, std::string_view own) const {
    const bool taken = std::any_of(data_.machines.begin(), data_.machines.end(),
                                   [](const Machine& one) { return one.role == Role::subject; });
    return role == Role::reader && !taken ? own : hue(role, own);
  }

  Point at(double intensity, double rate) const { return {x_(intensity), y_(rate)}; }

  // Where a slope enters the plot: at its left edge or through its floor.
  Point foot(double bandwidth) const {
    const double intensity = std::max(data_.x_low, data_.y_low / bandwidth);
    return at(intensity, intensity * bandwidth);
  }

  void tint_sides(const Machine& machine) {
    const Box& plot = canvas_.plot;
    const Point start = foot(machine.slopes[0].value);
    const Point corner = at(machine.ridge(), machine.ceilings[0].value);
    PathData bytes, arithmetic;
    bytes.move(plot.left, plot.bottom).line(start.x, start.y).line(corner.x, corner.y);
    bytes.line(corner.x, plot.bottom).close();
    arithmetic.move(corner.x, plot.bottom).line(corner.x, corner.y).line(plot.right, corner.y);
    arithmetic.line(plot.right, plot.bottom).close();
    fill(bytes, canvas_.colors.bandwidth);
    fill(arithmetic, canvas_.colors.compute);
  }

  void fill(const PathData& path, std::string_view color) {
    svg_.begin("path").set("d", path.str()).set("fill", color).set("fill-opacity", "0.06").end();
  }

  void axes() {
    const bool narrow = canvas_.narrow;
    const auto x_ticks = log_ticks(data_.x_low, data_.x_high, data_.base, narrow ? 7 : 11);
    draw_x_axis(svg_, canvas_, on_page(x_ticks, x_), x_title(narrow), labels_);
    const RateTicks rates = rate_ticks(data_.y_low, data_.y_high, data_.rate(), 10);
    draw_y_axis(svg_, canvas_, on_page(rates.ticks, y_), "↑ performance, " + rates.unit, labels_);
  }

  std::string x_title(bool narrow) const {
    if (data_.ops) return "operations per byte moved, op/B →";
    return narrow ? "FLOPs per byte moved →" : "arithmetic intensity, FLOP/B →";
  }

  void line(Point from, Point to, std::string_view stroke, double width, bool dashed) {
    svg_.begin_line(from, to);
    svg_.set("stroke", stroke).set("stroke-width", width);
    if (dashed) svg_.set("stroke-dasharray", "6 5");
    svg_.set("stroke-linecap", "round").end();
    labels_.discourage(from, to, 40);
  }

  void lines(const Machine& machine) {
    const double top = top_ceiling(machine);
    const double heavy = machine.role == Role::context ? 1.5 : 2.5;
    for (std::size_t i = machine.slopes.size(); i-- > 0;) {
      if (leader_of(machine, i) != i) continue;
      const double bandwidth = machine.slopes[i].value;
      const double reach = i == 0 ? machine.ceilings[0].value : top;
      if (reach <= data_.y_low || reach / bandwidth <= data_.x_low) continue;
      line(foot(bandwidth), at(reach / bandwidth, reach),
           line_hue(machine.role, canvas_.colors.bandwidth), i == 0 ? heavy : 1.25, machine.dashed);
    }
    for (std::size_t i = machine.ceilings.size(); i-- > 0;) {
      const double rate = machine.ceilings[i].value;
      if (rate <= data_.y_low) continue;
      const Point right = at(data_.x_high, rate);
      line(ceiling_start(machine, i), right, line_hue(machine.role, canvas_.colors.compute),
           i == 0 ? heavy : 1.25, machine.dashed);
    }
  }

  static double top_ceiling(const Machine& machine) { return machine.ceilings[0].value; }

  Point ceiling_start(const Machine& machine, std::size_t i) const {
    const double rate = machine.ceilings[i].value;
    const double slope = machine.steepest();
    return at(std::max(rate / slope, data_.x_low), rate);
  }

  void ridge(const Machine& machine) {
    const Point corner = at(machine.ridge(), machine.ceilings[0].value);
    const bool grey = machine.role == Role::context;
    const std::string_view color =
        grey ? canvas_.colors.reference : hue(machine.role, canvas_.colors.ink);
    const double floor = canvas_.plot.bottom;
    // The ridge of a context machine is only a tick on the axis, because many dotted lines would
    // hide the one that matters.
    const double from = grey ? floor - 8 : corner.y;
    svg_.begin_line({corner.x, from}, {corner.x, floor});
    svg_.set("stroke", color);
    if (!grey) svg_.set("stroke-dasharray", "1 4").set("stroke-linecap", "round");
    svg_.end();
    labels_.discourage({corner.x, from}, {corner.x, floor}, 20);
    circle(corner, grey ? 3.5 : 5, canvas_.colors.paper, color, 2);
  }

  // The roof that the reader drags, and the scales from which a script computes its position.
  void guess() {
    const Box& plot = canvas_.plot;
    const Point corner = at(guessed_rate / guessed_bandwidth, guessed_rate);
    const Point start = foot(guessed_bandwidth);
    PathData roof;
    roof.move(start.x, start.y).line(corner.x, corner.y).line(plot.right, corner.y);
    const auto span = [](const LogScale& scale) {
      std::string text;
      for (const double bound : {scale.low, scale.high, scale.from, scale.to})
        text += (text.empty() ? "" : " ") + write_significant(bound, 6);
      return text;
    };
    svg_.begin("g").set("class", "guess").set("fill", "none");
    svg_.set("data-x", span(x_));
    svg_.set("data-y", span(y_));
    svg_.set("stroke", canvas_.colors.reader).set("stroke-width", 2);
    svg_.begin("path").set("class", "guess-roof").set("d", roof.str());
    svg_.set("stroke-dasharray", "3 5").end();
    grip(corner, "guess-ring", 9, canvas_.colors.paper);
    grip(corner, "guess-grip", 22, "transparent");
    TextStyle style = canvas_.note;
    style.fill = canvas_.colors.reader;
    svg_.begin("g").set("stroke", canvas_.colors.paper).set("stroke-width", 3);
    svg_.set("paint-order", "stroke");
    draw_text(svg_, {"your guess", style}, {plot.right, corner.y - 7}, 1);
    svg_.end().end();
  }

  void grip(Point p, std::string_view name, double radius, std::string_view fill) {
    svg_.begin("circle").set("class", name).set("cx", p.x).set("cy", p.y).set("r", radius);
    svg_.set("fill", fill);
    if (fill == "transparent") svg_.set("stroke", "none");
    svg_.end();
  }

  void circle(Point p, double radius, std::string_view fill, std::string_view stroke,
              double width) {
    svg_.begin("circle").set("cx", p.x).set("cy", p.y).set("r", radius).set("fill", fill);
    svg_.set("stroke", stroke).set("stroke-width", width).end();
    labels_.add_dot(p, radius + width / 2);
  }

  bool in_picture(const Mark& mark) const {
    return mark.rate > data_.y_low && mark.intensity > data_.x_low;
  }

  void dot(const Mark& mark) {
    if (!in_picture(mark)) return;
    const Point p = at(mark.intensity, mark.rate);
    const Point high = at(mark.intensity, std::min(mark.rate + mark.spread, data_.y_high));
    const Point low = at(mark.intensity, std::max(mark.rate - mark.spread, data_.y_low));
    const std::string_view color = hue(mark.role, canvas_.colors.ink);
    if (low.y - high.y > 14) {
      svg_.begin_line({p.x, high.y}, {p.x, low.y});
      svg_.set("stroke", color).end();
    }
    const bool grey = mark.role == Role::context;
    if (mark.label.empty()) return circle(p, 3, color, canvas_.colors.paper, 1);
    circle(p, canvas_.narrow ? 4.5 : 5, grey ? canvas_.colors.paper : color,
           grey ? color : canvas_.colors.paper, 1.5);
  }

  bool is_walk() const {
    return std::any_of(data_.marks.begin(), data_.marks.end(),
                       [](const Mark& mark) { return mark.label.empty(); });
  }

  // The reference machine's point has no label if the reader's point has the same one.
  bool named_already(const Mark& mark) const {
    return mark.role == Role::context &&
           std::any_of(data_.marks.begin(), data_.marks.end(), [&](const Mark& other) {
             return other.role == Role::reader && other.label == mark.label;
           });
  }

  std::string said_of(const Mark& mark) const {
    const auto percent = [](double share) { return quantity_text(share, Meaning::percent, 2); };
    switch (data_.said) {
      case Roofline::Said::share_of_peak: return percent(mark.rate / mark.ceiling) + " of peak";
      case Roofline::Said::share_of_roof: return percent(mark.of_roof()) + " of its roof";
      case Roofline::Said::rate: break;
    }
    return quantity_text(mark.rate, data_.rate());
  }

  void name_mark(const Mark& mark) {
    if (mark.label.empty() || !in_picture(mark) || named_already(mark)) return;
    const Point p = at(mark.intensity, mark.rate);
    TextStyle name = canvas_.name;
    name.fill = hue(mark.role, canvas_.colors.ink);
    const std::string said = said_of(mark);
    const TextLine first{fitted(mark.label, name, 150), name};
    const std::vector<Labels::Wording> wordings{{first, {said, canvas_.note}}, {first}};
    // Behind the reader's machine, the points of a chip may go without labels, because the table
    // has them.
    const Machine* subject = data_.subject();
    const bool behind = mark.role == Role::subject && subject && subject->role == Role::reader;
    if (behind) labels_.offer(wordings, around(p, 11), p);
    else labels_.place(wordings, around(p, 11), p);
  }

  // "FMA 45.3 GFLOP/s". If there are several machines: with the name of the machine in one line, in
  // two lines, or the name alone.
  std::vector<std::vector<TextLine>> ceiling_wordings(const Machine& machine, std::size_t i,
                                                      const TextStyle& style) const {
    RoofLine ceiling = machine.ceilings[i];
    for (std::size_t k = 1; i == 0 && k < machine.ceilings.size(); ++k)
      if (beside_main(machine, k)) ceiling.name += ", " + machine.ceilings[k].name;
    const Meaning meaning = ceiling.ops ? Meaning::op_rate : Meaning::flop_rate;
    std::string rate = quantity_text(ceiling.value, meaning);
    if (!ceiling.name.empty() && machine.role != Role::context) rate = ceiling.name + " " + rate;
    if (i > 0 || data_.machines.size() < 2 || machine.name.empty()) {
      if (ceiling.name.empty()) return wordings(style, {{rate}});
      return wordings(
          style, {{rate}, {ceiling.name, quantity_text(ceiling.value, meaning)}, {ceiling.name}});
    }
    if (is_name_alone(machine)) {
      const std::size_t comma = std::min(machine.name.rfind(", "), machine.name.size());
      const std::string_view all = machine.name, first = all.substr(0, comma);
      return wordings(style, {{all}, {first, all.substr(std::min(comma + 2, all.size()))}});
    }
    const double share = others() > 2 ? 0.6 : 0.4;  // wider if the labels are names only
    const std::string name = fitted(machine.name, style, canvas_.plot.width() * share);
    return wordings(style, {{name + ", " + rate}, {name, rate}, {name}});
  }

  // Whether ceiling `i` is too close to the main ceiling for a label between them.
  bool beside_main(const Machine& machine, std::size_t i) const {
    const double apart = y_(machine.ceilings[i].value) - y_(machine.ceilings[0].value);
    return machine.role != Role::context && apart < 12 && apart > -12;
  }

  // The main line of a machine has a bold label.
  TextStyle line_style(const Machine& machine, bool main, std::string_view own) const {
    TextStyle style = main && machine.role != Role::context ? canvas_.name : canvas_.note;
    style.fill = line_hue(machine.role, own);
    return style;
  }

  void name_ceilings(const Machine& machine, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < std::min(last, machine.ceilings.size()); ++i) {
      if (i > 0 && beside_main(machine, i)) continue;  // shares the label of the main ceiling
      const TextStyle style = line_style(machine, i == 0, canvas_.colors.compute);
      const Point from = ceiling_start(machine, i);
      std::vector<Place> places = beside(from, {canvas_.plot.right, from.y}, 4, 1);
      if (is_name_alone(machine))
        for (const Place& place : along(foot(machine.slopes[0].value), from, 4, 0.5))
          places.push_back(place);
      labels_.place(ceiling_wordings(machine, i, style), places);
    }
  }

  void name_machine(const Machine& machine) {
    if (is_name_alone(machine)) return;
    if (machine.role == Role::context) name_ridge(machine);
    name_ceilings(machine, 1, machine.ceilings.size());
    for (std::size_t i = 0; i < machine.slopes.size(); ++i) name_slope(machine, i);
  }

  // Slopes that nearly coincide share a label: "L1, L2 101 GB/s".
  void name_slope(const Machine& machine, std::size_t i) {
    if (leader_of(machine, i) != i) return;
    const RoofLine& slope = machine.slopes[i];
    std::string names = slope.name;
    for (std::size_t k = 0; k < machine.slopes.size(); ++k)
      if (k != i && leader_of(machine, k) == i) names += ", " + machine.slopes[k].name;
    const bool several = machine.slopes.size() > 1 && machine.role != Role::context;
    const TextStyle style = line_style(machine, i == 0, canvas_.colors.bandwidth);
    const std::string rate = quantity_text(slope.value, Meaning::byte_rate);
    const double reach = machine.ceilings[0].value;
    const auto texts = several
                           ? wordings(style, {{names + " " + rate}, {names, rate}, {slope.name}})
                           : wordings(style, {{rate}});
    const auto places =
        beside(foot(slope.value), at(reach / slope.value, reach), 4, i == 0 ? 0.35 : 0.1);
    if (machine.name == reference_name) labels_.offer(texts, places);
    else labels_.place(texts, places);
  }

  // The machine's first slope that looks the same as slope `i`.
  std::size_t leader_of(const Machine& machine, std::size_t i) const {
    for (std::size_t k = 0; k < i; ++k) {
      const double apart = y_(machine.slopes[k].value) - y_(machine.slopes[i].value);
      if (apart < 8 && apart > -8) return k;
    }
    return i;
  }

  void name_ridge(const Machine& machine) {
    const Point corner = at(machine.ridge(), machine.ceilings[0].value);
    // If the ridge of a context machine coincides with the subject's, its label would add nothing.
    const Machine* subject = data_.subject();
    if (machine.role == Role::context && subject != nullptr) {
      const double apart = x_(subject->ridge()) - corner.x;
      if (apart < 4 && apart > -4) return;
    }
    TextStyle style = canvas_.note;
    style.fill = machine.role == Role::context ? canvas_.colors.reference : canvas_.colors.ink;
    if (machine.role == Role::reader) style.fill = canvas_.colors.reader;
    std::vector<Place> places;
    places.push_back({{corner.x, corner.y - 9}, 0, 1, 1, 0, 0, false});
    places.push_back({{corner.x - 6, corner.y - 8}, 1, 1, 1, 0, 0.2, false});
    places.push_back({{corner.x + 8, corner.y + 10}, -1, -1, 1, 0, 1, false});
    places.push_back({{corner.x + 5, canvas_.plot.bottom - 24}, -1, 1, 1, 0, 2, false});
    for (Place place : around(corner, 12)) {
      place.cost += 3;
      places.push_back(place);
    }
    const std::string number = quantity_text(machine.ridge(), data_.intensity());
    const auto texts = wordings(style, {{"ridge " + number}, {number}});
    // Behind the reader's machine, the reference machine is only for comparison. Its labels are
    // optional, because its numbers are in the table.
    if (machine.name == reference_name) labels_.offer(texts, places, corner);
    else labels_.place(texts, places, corner);
  }

  void name_slot(const Machine& machine) {
    TextStyle style = canvas_.note;
    style.fill = canvas_.colors.reader;
    const Point corner = at(machine.ridge(), machine.ceilings[0].value);
    labels_.place(wordings(style, {{"your machine goes here"}, {"yours goes here"}}),
                  along(corner, {canvas_.plot.right, corner.y}, 5, 0.9));
  }

  void name_sides(const Machine& machine) {
    const double corner = x_(machine.ridge()), floor = canvas_.plot.bottom - 6;
    const auto side = [&](double left, double right, std::string_view bound,
                          std::string_view color) {
      TextStyle style = canvas_.note;
      style.fill = color;
      std::vector<Place> places;
      for (const double t : {0.5, 0.35, 0.65, 0.78, 0.2})
        for (double up = 0; up < 6; ++up)
          places.push_back({{left + (right - left) * t, floor - 18 * up}, 0, 1, 1, 0, up, false});
      const auto words = wordings(style, {{bound}});
      if (block_width(words.front()) + 8 < right - left) labels_.offer(words, places);
    };
    side(canvas_.plot.left, corner, "memory-bound", canvas_.colors.bandwidth);
    side(corner, canvas_.plot.right, "compute-bound", canvas_.colors.compute);
  }

  void say_empty() {
    const Box& plot = canvas_.plot;
    const Point middle{(plot.left + plot.right) / 2, (plot.top + plot.bottom) / 2};
    labels_.place(wordings(canvas_.note, {{"No machine has been measured yet"}}), {{middle, 0, 0}});
  }

  const Roofline& data_;
  Canvas canvas_;
  LogScale x_, y_;
  Labels labels_;
  std::string description_;
  Svg svg_;
};

}  // namespace

Rendering draw_roofline(const Roofline& roofline, const Options& options) {
  const auto is_reader = [](const auto& one) { return one.role == Role::reader; };
  Rendering drawing = RooflineDrawing(roofline, options).draw();
  drawing.shows_reader = std::ranges::any_of(roofline.machines, is_reader) ||
                         std::ranges::any_of(roofline.marks, is_reader);
  return drawing;
}

Result<Rendering> render_roofline(const nlohmann::json& spec, const Inputs& inputs,
                                  const Options& options) {
  const Result<Roofline> data = read_roofline(spec, inputs);
  if (!data) return data.error();
  return draw_roofline(*data, options);
}

}  // namespace figures
