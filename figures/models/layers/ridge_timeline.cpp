// ridge-timeline: ten years of chips, and which of their ratios stay the same.
//
// Five quantities of each data sheet, by the width of the numbers: the ridge point P/B, the tokens
// that saturate the chip sP/(2B), the operations per byte sent P/L, the energy of an operation at
// peak and rated power, and the time to read the full memory M/B. A quantity that a sheet lacks has
// no mark. A step advances by one year with a new chip; a chip without a year is left out.
#include <algorithm>
#include <cmath>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/chips.hpp"
#include "figures/models/data_sheets.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace ridge_timeline_model {
namespace {

constexpr Choice quantities[] = {{"ridge", "ridge"},
                                 {"tokens", "tokens that fill it"},
                                 {"sent", "FLOPs per byte sent"},
                                 {"energy", "energy per operation"},
                                 {"drain", "time to read its memory"}};
enum Quantity { ridge, tokens, sent, energy, drain };
constexpr Choice width_choices[] = {
    {"all", "all widths"}, {"16", "16 bits"}, {"8", "8 bits"}, {"4", "4 bits"}};
constexpr Control controls_of_it[] = {
    choice("quantity", "Quantity", quantities),
    choice("bits", "Number width", width_choices),
};
enum At : std::size_t { quantity, width };

// Text and axis unit of a quantity.
struct Unit {
  std::string_view axis, unit, of_all;
  double scale;
};
constexpr Unit units[] = {
    {"ridge, FLOP/B", " FLOP/B", "the ridge", 1},
    {"tokens that fill the chip", " tokens", "the tokens that fill a chip", 1},
    {"operations per byte sent, FLOP/B", " FLOP/B", "the operations per byte sent", 1},
    {"energy per operation at the peak, pJ", " pJ", "the energy per operation", 1e12},
    {"time to read a full memory, ms", " ms", "the time to read a full memory", 1e3},
};

constexpr double rows_top = 60;

class RidgeTimeline : public Model {
 public:
  std::string_view name() const override { return "ridge-timeline"; }
  std::string_view title() const override { return "Ten years of data sheets"; }
  std::span<const Control> controls() const override { return controls_of_it; }
  std::vector<std::string> facts() const override { return data_sheet_facts(); }

  std::vector<std::string> reset(std::span<const double> values, const Numbers& numbers) override {
    quantity_ = whole(values, At::quantity);
    width_ = whole(values, At::width) - 1;
    machine_ = numbers.machine;
    sheets_.clear();
    for (int i = 0; i < data_sheet_count; ++i) {
      DataSheet sheet = data_sheet(i, numbers);
      if (sheet.year > 0) sheets_.push_back(std::move(sheet));
    }
    std::stable_sort(sheets_.begin(), sheets_.end(),
                     [](const DataSheet& a, const DataSheet& b) { return a.year < b.year; });
    years_.clear();
    for (const DataSheet& sheet : sheets_)
      if (years_.empty() || years_.back() != sheet.year) years_.push_back(sheet.year);
    done_ = 0;
    return {};
  }
  int length() const override { return static_cast<int>(years_.size()); }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return " years with chips"; }
  void step() override { ++done_; }
  std::vector<std::string_view> unused() const override {
    if (quantity_ == drain) return {"bits"};
    return {};
  }

  std::string broken() const override {
    for (const DataSheet& sheet : out())
      for (int i = 0; i < widths; ++i) {
        const bool printed = quantity_ == drain ? sheet.memory > 0 && sheet.bandwidth > 0
                                                : sheet.peak[i] > 0 && other_input(sheet) > 0;
        if ((value(quantity_, sheet, i) > 0) != printed)
          return "a number out of nothing, or none of two";
      }
    return {};
  }
  std::vector<Count> counts() const override {
    std::vector<Count> all;
    for (const DataSheet& sheet : out())
      for (int i = 0; i < widths; ++i) {
        const double closed = value(quantity_, sheet, i);
        if (!shown(i) || !(closed > 0)) continue;
        const std::string name =
            sheet.label + (quantity_ == drain ? "" : ", " + said(bits_of[i]) + " bits");
        if (quantity_ == tokens)
          all.push_back(between(name, "tokens", fewest_tokens(sheet, i), closed, closed + 1));
        else
          all.push_back(exact(name, std::string(units[quantity_].unit), counted(sheet, i), closed));
      }
    return all;
  }
  Rendering draw(const Options& options) const override;

 private:
  std::span<const DataSheet> out() const {
    std::size_t count = 0;
    while (count < sheets_.size() && done_ > 0 && sheets_[count].year <= years_[done_ - 1]) ++count;
    return std::span(sheets_).first(count);
  }
  // The time to read the memory does not depend on the width, so it has one mark, in place of the
  // first width.
  bool shown(int i) const { return quantity_ == drain ? i == 0 : width_ < 0 || width_ == i; }
  double other_input(const DataSheet& sheet) const {
    return quantity_ == sent ? sheet.link : quantity_ == energy ? sheet.power : sheet.bandwidth;
  }
  static double value(int of, const DataSheet& sheet, int i) {
    switch (of) {
      case ridge: return sheet.ridge(i);
      case tokens: return sheet.tokens(i);
      case sent: return sheet.per_byte_sent(i);
      case energy: return sheet.joules(i);
      default: return sheet.seconds_to_read();
    }
  }
  // The same value, counted while the chip reads its memory once or sends a gigabyte.
  double counted(const DataSheet& sheet, int i) const {
    const Reading reading = read_once(sheet, i);
    switch (quantity_) {
      case ridge: return reading.operations / reading.bytes;
      case sent: return sheet.peak[i] * (1e9 / sheet.link) / 1e9;
      case energy: return sheet.power * reading.seconds / reading.operations;
      default: return reading.seconds;
    }
  }
  // The value of the measured machine's core in fp32; 0: not known.
  double here() const {
    if (!(machine_.peak > 0) || !(machine_.bandwidth > 0)) return 0;
    const double ridge_here = machine_.peak / machine_.bandwidth;
    return quantity_ == ridge ? ridge_here : quantity_ == tokens ? 2 * ridge_here : 0;
  }
  struct Spread {
    double low = 0, high = 0;
    int chips = 0;
    double factor() const { return low > 0 ? high / low : 0; }
  };
  Spread spread(int of, std::span<const DataSheet> sheets) const {
    Spread all;
    for (const DataSheet& sheet : sheets) {
      bool any = false;
      for (int i = 0; i < widths; ++i) {
        const double one = of == drain                 ? (i == 0 ? sheet.seconds_to_read() : 0)
                           : width_ < 0 || width_ == i ? value(of, sheet, i)
                                                       : 0;
        if (!(one > 0)) continue;
        any = true;
        all.low = all.low > 0 ? std::min(all.low, one) : one;
        all.high = std::max(all.high, one);
      }
      all.chips += any ? 1 : 0;
    }
    return all;
  }
  std::string words(double value) const {
    return said(value * units[quantity_].scale, 3) + std::string(units[quantity_].unit);
  }
  // Whether the chip has at least one mark.
  bool prints(const DataSheet& sheet) const {
    for (int i = 0; i < widths; ++i)
      if (shown(i) && value(quantity_, sheet, i) > 0) return true;
    return false;
  }
  double rows(std::span<const DataSheet> sheets) const {
    return static_cast<double>(std::count_if(sheets.begin(), sheets.end(),
                                             [this](const DataSheet& one) { return prints(one); }));
  }
  std::string summary() const;
  static void draw_mark(Sheet& sheet, int width, Point at, bool hollow);
  void draw_axis(Sheet& sheet, const LogScale& x, double bottom) const;
  void draw_key(Sheet& sheet) const;

  int quantity_ = 0, width_ = -1;
  std::size_t done_ = 0;
  Machine machine_;
  std::vector<DataSheet> sheets_;  // sorted by year
  std::vector<double> years_;
};

std::string RidgeTimeline::summary() const {
  const Spread now = spread(quantity_, out());
  if (now.chips == 0) return "No data sheet so far has the numbers for this.";
  std::string text = capital(std::string(units[quantity_].of_all)) + ", over " +
                     plural(now.chips, "chip", "chips") + " up to " + said(years_[done_ - 1]) +
                     ": " + said(now.low * units[quantity_].scale, 3) + " to " + words(now.high) +
                     ", a factor of " + said(now.factor(), 2) + ". ";
  int steadiest = quantity_;
  for (int of = 0; of <= drain; ++of)
    if (spread(of, out()).chips > 1 &&
        spread(of, out()).factor() < spread(steadiest, out()).factor())
      steadiest = of;
  text += steadiest == quantity_
              ? "None of the other four is as steady."
              : "Steadiest of the five: " + std::string(units[steadiest].of_all) +
                    ", a factor of " + said(spread(steadiest, out()).factor(), 2) + ".";
  if (here() > 0)
    text += " One core of " + the_machine(machine_.label) + ": " + words(here()) + ".";
  return text;
}

// The mark of a width: shape and color; hollow for an announced chip.
void RidgeTimeline::draw_mark(Sheet& sheet, int width, Point at, bool hollow) {
  const Palette& colors = sheet.colors();
  const auto mark = [&](double radius, std::string_view fill) {
    if (width == 0) sheet.dot(at, radius, fill);
    if (width == 1) sheet.diamond(at, radius + 0.5, fill);
    if (width == 2) sheet.triangle(at, radius + 0.5, fill);
  };
  mark(4.5, width == 0 ? colors.ink : width == 1 ? colors.ochre : colors.teal);
  if (hollow) mark(2.4, colors.paper);
}

// The key of the marks.
void RidgeTimeline::draw_key(Sheet& sheet) const {
  const double base = sheet.height() - 12;
  double x = 17;
  const auto entry = [&](int width, bool hollow, const std::string& text) {
    draw_mark(sheet, width, {x, base - 4}, hollow);
    sheet.note(text, {x + 9, base});
    x += 9 + sheet.note_width(text) + 20;
  };
  for (int i = 0; i < widths && quantity_ != drain; ++i)
    if (shown(i)) entry(i, false, said(bits_of[i]) + " bits");
  entry(std::max(width_, 0), true, "announced");
}

void RidgeTimeline::draw_axis(Sheet& sheet, const LogScale& x, double bottom) const {
  const Unit& unit = units[quantity_];
  sheet.note(std::string(unit.axis) + " →", {sheet.width() - 12, 20}, 1);
  for (const Tick& tick :
       fine_log_ticks(x.low * unit.scale, x.high * unit.scale, sheet.narrow() ? 5 : 9)) {
    const double at = x(tick.value / unit.scale);
    sheet.line({at, rows_top - 8}, {at, bottom}, sheet.colors().rule);
    sheet.note(tick.label,
               {std::min(at, sheet.width() - sheet.note_width(tick.label) / 2 - 4), rows_top - 14},
               0);
  }
}

Rendering RidgeTimeline::draw(const Options& options) const {
  // The height is that of all chips; if few chips have the quantity, their rows are further apart.
  const double all_rows = 23.0 * (data_sheet_count + 1);
  const double pitch = std::min(40.0, all_rows / (rows(sheets_) + (here() > 0 ? 1 : 0)));
  const double height = rows_top + all_rows + 34;
  Sheet sheet(options, height, height, std::string(title()), summary());
  const Palette& colors = sheet.colors();
  const Unit& unit = units[quantity_];
  // The axis covers all years, so that it does not change with the step.
  Spread all = spread(quantity_, sheets_);
  if (here() > 0) all.low = std::min(all.low, here()), all.high = std::max(all.high, here());
  if (!(all.low > 0)) all = {1, 10, 0};
  const double left = sheet.narrow() ? 112 : 150;
  // All quantities have the same ratio from end to end, so that their bands can be compared.
  const double factor = std::max(2000.0, all.factor() * 1.5),
               low = std::sqrt(all.low * all.high / factor);
  const LogScale x{low, low * factor, left, sheet.width() - 18};
  const double bottom = rows_top + pitch * (rows(sheets_) + (here() > 0 ? 1 : 0));
  const Spread now = spread(quantity_, out());
  if (now.chips > 1)
    sheet.boxes({{x(now.low), rows_top, x(now.high), bottom}}, colors.reference, "0.14");
  draw_axis(sheet, x, bottom);
  Table table{{"Year", "Chip"}, {}};
  if (quantity_ == drain) table.columns.emplace_back(unit.axis);
  else
    for (const int bits : bits_of)
      table.columns.push_back(std::string(unit.axis) + ", " + said(bits) + " bits");
  double y = rows_top + pitch / 2, year = 0;
  for (const DataSheet& one : out()) {
    const bool drawn = prints(one);
    if (drawn && one.year != year) sheet.note(said(year = one.year), {12, y + 4});
    if (drawn) sheet.note_in(left - 56, one.label, {48, y + 4}, -1, colors.ink);
    table.rows.push_back({said(one.year), one.label + (one.announced ? ", announced" : "")});
    // Marks of different widths are at different heights, because their values may be equal.
    for (int i = 0; i < (quantity_ == drain ? 1 : widths); ++i) {
      const double found = value(quantity_, one, i);
      table.rows.back().push_back(found > 0 ? words(found) : "not printed");
      if (!shown(i) || !(found > 0)) continue;
      const Point at{x(found), y + (quantity_ == drain || width_ >= 0 ? 0 : 4.0 * (i - 1))};
      draw_mark(sheet, i, at, one.announced);
    }
    if (drawn) y += pitch;
  }
  if (here() > 0) {
    const double last = rows_top + pitch * (rows(sheets_) + 0.5);
    sheet.note("one core here", {12, last + 4}, -1, colors.reader);
    sheet.dot({x(here()), last}, 5, colors.reader);
    table.rows.push_back({"", "one core of " + the_machine(machine_.label), words(here())});
    while (table.rows.back().size() < table.columns.size()) table.rows.back().push_back("");
  }
  draw_key(sheet);
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace ridge_timeline_model

std::unique_ptr<Model> make_ridge_timeline() {
  return std::make_unique<ridge_timeline_model::RidgeTimeline>();
}

}  // namespace figures::models
