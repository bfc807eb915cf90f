// number-explorer: the numbers of two formats, below the numbers that they must represent.
//
// Each row has a tick for each number of its format, in the scale of the data. One outlier
// stretches the even grid of integers everywhere; a format with exponents only shifts. If groups
// have their own scales, the row shows the group with the outlier and one other group.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "figures/base/portable_math.hpp"
#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/knobs/few_bits.hpp"
#include "figures/models/knobs/number_formats.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace number_explorer_model {
namespace {

constexpr int count = 32768, special = count / 2 + 7;  // of numbers; index of the outlier
constexpr double reach = 4;                            // of the linear axis, in both directions
constexpr int octaves = 8;                             // of the logarithmic axis, below and above 1
// Px; ticks closer than this are drawn as an area
constexpr double apart = 2.2;

constexpr Choice format_choices[] = {
    {"tf32", "tf32"},     {"bf16", "bf16"},     {"fp16", "fp16"},   {"e5m2", "FP8 E5M2"},
    {"e4m3", "FP8 E4M3"}, {"e2m1", "FP4 E2M1"}, {"int8", "int8"},   {"int4", "int4"},
    {"mxfp8", "MXFP8"},   {"mxfp4", "MXFP4"},   {"nvfp4", "NVFP4"},
};
static_assert([] {
  for (std::size_t i = 0; i < std::size(number_formats); ++i)
    if (number_formats[i].id != format_choices[i].id) return false;
  return std::size(format_choices) == std::size(number_formats);
}());
constexpr Choice kinds[] = {{"bell", "bell curve"},
                            {"outliers", "bell, 1 in 1,000 is 20 times larger"},
                            {"laplace", "Laplace, longer tails"},
                            {"lognormal", "lognormal, tails of 3,000"}};
constexpr Choice roundings[] = {{"nearest", "to nearest"}, {"chance", "stochastically"}};
constexpr Choice axes[] = {{"even", "even"}, {"doubling", "doubling"}};
constexpr Control controls_of_it[] = {
    choice("format", "Format", format_choices, 4),
    choice("beside", "Compared with", format_choices, 6),
    range("outlier", "The outlier's size", "", 1, 64, 20),
    doubling("group", "Numbers that share a scale", "", 16, count, count),
    choice("numbers", "Numbers", kinds),
    more(choice("rounding", "Rounded", roundings)),
    more(choice("axis", "Axis", axes)),
};
enum At : std::size_t { format, beside, outlier, group, numbers, rounding, axis };

// The quantile of the normal distribution, with a relative error of about 10^-9 (Acklam 2003).
double bell_quantile(double p) {
  if (p > 0.5) return -bell_quantile(1 - p);
  if (p < 0.02425) {
    const double q = std::sqrt(-2 * 0.69314718055994530942 * log2_of(p));
    return (((((-7.784894002430293e-3 * q - 0.3223964580411365) * q - 2.400758277161838) * q -
              2.549732539343734) *
                 q +
             4.374664141464968) *
                q +
            2.938163982698783) /
           ((((7.784695709041462e-3 * q + 0.3224671290700398) * q + 2.445134137142996) * q +
             3.754408661907416) *
                q +
            1);
  }
  const double q = p - 0.5, r = q * q;
  return (((((-39.69683028665376 * r + 220.9460984245205) * r - 275.9285104469687) * r +
            138.3577518672690) *
               r -
           30.66479806614716) *
              r +
          2.506628277459239) *
         q /
         (((((-54.47609879822406 * r + 161.5858368580409) * r - 155.6989798598866) * r +
            66.80131188771972) *
               r -
           13.28068155288572) *
              r +
          1);
}

// The middle of each of `count` equal shares of a distribution, in random order. The values are as
// regular as possible, so no seed decides how far the tails reach.
std::vector<double> numbers_of(int kind) {
  std::vector<double> all;
  for (int i = 0; i < count; ++i) {
    const double p = (i + 0.5) / count, bell = bell_quantile(p);
    if (kind == 2) {
      const double size = -0.69314718055994530942 * log2_of(2 * std::min(p, 1 - p));
      all.push_back(p < 0.5 ? -size : size);
    } else {
      all.push_back(kind == 3 ? exp2_of(2 * 1.44269504088896340736 * bell) : bell);
    }
  }
  Random random(5);
  for (int i = count - 1; i > 0; --i)
    std::swap(all[static_cast<std::size_t>(i)], all[static_cast<std::size_t>(random.below(i + 1))]);
  if (kind == 1)
    for (int i = 500; i < count; i += 1000) all[static_cast<std::size_t>(i)] *= 20;
  return all;
}

// "65,504", "3.4 × 10³⁸", "1.2 × 10⁻³⁸".
std::string size_text(double value) {
  if (value >= 1e-4 && value < 1e6) return said(value, 5);
  constexpr std::string_view raised[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  const int decade = decade_of(value);
  std::string text = significant(value / power_of_ten(decade), 3) + " × 10";
  if (decade < 0) text += "⁻";
  for (const char digit : digits_of(static_cast<std::uint64_t>(decade < 0 ? -decade : decade)))
    text += raised[digit - '0'];
  return text;
}

// Bits per number with its part of a scale. One scale for all numbers does not count.
std::string bits_text(const NumberFormat& format, int asked) {
  const int shared = format.group(asked, count);
  const double scale = shared == count ? 0 : format.scale_bits(shared, count);
  return said(format.bits() + scale / shared, 4);
}

std::string share_text(double share) { return quantity_text(share, Meaning::percent, 2); }

class NumberExplorer : public Model {
 public:
  std::string_view name() const override { return "number-explorer"; }
  std::string_view title() const override { return "The numbers of a format"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    for (const std::size_t row : {0u, 1u}) chosen_[row] = whole(values, At::format + row);
    if (kind_ != whole(values, At::numbers)) {
      kind_ = whole(values, At::numbers);
      numbers_ = numbers_of(kind_);
    }
    outlier_ = values[At::outlier];
    numbers_[special] = outlier_;
    group_ = whole(values, At::group);
    chance_ = whole(values, At::rounding) == 1;
    doubling_ = whole(values, At::axis) == 1;
    // The other controls only choose the view.
    const std::array<double, 4> input{values[At::numbers], outlier_, values[At::group],
                                      values[At::rounding]};
    if (std::exchange(rounded_input_, input) == input) return {};
    for (std::size_t i = 0; i < std::size(number_formats); ++i) {
      Random random(13);
      const NumberFormat& one = number_formats[i];
      results_[i] = rounded(one, numbers_, one.group(group_, count), chance_ ? &random : nullptr);
    }
    return {};
  }
  int length() const override { return 0; }
  void step() override {}
  std::vector<std::string_view> unused() const override {
    for (const int one : chosen_)
      if (number_formats[one].scaling == Scaling::groups) return {};
    return {"group"};
  }

  std::string broken() const override {
    for (const Rounded& one : results_)
      if (one.beyond) return "a number is off by more than its format allows";
    return {};
  }
  std::vector<Count> counts() const override;
  Rendering draw(const Options& options) const override;

 private:
  // A row of ticks: its scale and its label.
  struct Grid {
    std::string name;
    double scale;
  };
  std::vector<Grid> grids(const NumberFormat& format) const;
  std::vector<double> places(const NumberFormat& format, double scale, const Box& area) const;
  double place(double x) const;  // of a number, from 0 at the left end of the axis to 1
  std::string summary() const;
  Table table() const;
  void draw_numbers(Sheet& sheet, const Box& area) const;
  void draw_axis(Sheet& sheet, const Box& area) const;
  void draw_format(Sheet& sheet, const Box& area, int chosen, std::string_view ink) const;
  void draw_grid(Sheet& sheet, const Box& area, const NumberFormat& format, double scale,
                 std::string_view ink) const;

  int chosen_[2] = {}, kind_ = -1, group_ = count;
  double outlier_ = 1;
  bool chance_ = false, doubling_ = false;
  std::vector<double> numbers_;
  Rounded results_[std::size(number_formats)];
  std::array<double, 4> rounded_input_{
      -1};  // the settings that gave `results_`; no control has the value -1
};

std::vector<Count> NumberExplorer::counts() const {
  std::vector<Count> all;
  for (const int chosen : chosen_) {
    const NumberFormat& one = number_formats[chosen];
    const std::string in = " of " + std::string(one.label);
    double found = 1;
    for (double x = one.least(); x <= one.largest(); x += one.spacing(x)) found += 2;
    all.push_back(exact("numbers" + in, "", found, one.distinct()));
    const int shared = one.group(group_, count);
    const double whole = one.scaling == Scaling::tensor_and_blocks ? 32 : 0;
    all.push_back(
        exact("bits" + in, "", results_[chosen].bits,
              count * (one.bits() + one.scale_bits(shared, count) * 1.0 / shared) + whole));
    all.push_back(
        between("relative error" + in, "", results_[chosen].error, 0, results_[chosen].bound));
    all.push_back(between("share to zero" + in, "", results_[chosen].to_zero, 0, 1));
    all.push_back(between("share clipped" + in, "", results_[chosen].clipped, 0,
                          one.scaling == Scaling::none || one.scaling == Scaling::groups ? 0 : 1));
  }
  return all;
}

std::vector<NumberExplorer::Grid> NumberExplorer::grids(const NumberFormat& format) const {
  const int shared = format.group(group_, count);
  const double tensor = tensor_scale(format, numbers_);
  const auto of_group = [&](int index) {
    const auto begin = static_cast<std::size_t>(index * shared);
    return scale_of(format, std::span(numbers_).subspan(begin, static_cast<std::size_t>(shared)),
                    tensor, shared == count);
  };
  if (format.scaling == Scaling::none) return {{"no scale", 1}};
  if (shared == count) return {{"one scale for all", of_group(0)}};
  const int with = special / shared;
  return {{"the outlier’s group of " + said(shared), of_group(with)},
          {"the group before it", of_group(with - 1)}};
}

double NumberExplorer::place(double x) const {
  if (!doubling_) return (x + reach) / (2 * reach);
  return x > 0 ? (log2_of(x) + octaves) / (2 * octaves) : -1;
}

std::string NumberExplorer::summary() const {
  const auto name = [&](int row) { return std::string(number_formats[chosen_[row]].label); };
  const Rounded& one = results_[chosen_[0]];
  const Rounded& two = results_[chosen_[1]];
  if (chosen_[0] == chosen_[1])
    return name(0) + " is off by " + share_text(one.error) + " in " +
           bits_text(number_formats[chosen_[0]], group_) + " bits per number; " +
           share_text(one.to_zero) + " of the numbers become zero.";
  const int near = one.error <= two.error ? 0 : 1, far = 1 - near;
  const Rounded& better = near == 0 ? one : two;
  const Rounded& worse = near == 0 ? two : one;
  const auto bits = [&](int row) {
    return " (" + bits_text(number_formats[chosen_[row]], group_) + " bits)";
  };
  return name(near) + bits(near) + " comes closer: off by " + share_text(better.error) + ", " +
         name(far) + bits(far) + " by " + share_text(worse.error) + ". In " + name(near) + " " +
         share_text(better.to_zero) + " of the numbers become zero, in " + name(far) + " " +
         share_text(worse.to_zero) + ".";
}

void NumberExplorer::draw_numbers(Sheet& sheet, const Box& area) const {
  const Palette& colors = sheet.colors();
  const int bins = sheet.narrow() ? 40 : 64;
  std::vector<int> found(static_cast<std::size_t>(bins));
  for (const double x : numbers_) {
    const double at = place(doubling_ ? magnitude(x) : x);
    if (at >= 0 && at < 1) ++found[static_cast<std::size_t>(at * bins)];
  }
  const double most = std::max(1, *std::max_element(found.begin(), found.end()));
  std::vector<Box> bars;
  const double wide = area.width() / bins;
  for (int i = 0; i < bins; ++i) {
    const double high = area.height() * found[static_cast<std::size_t>(i)] / most;
    if (high < 0.3) continue;
    bars.push_back(
        {area.left + i * wide, area.bottom - high, area.left + (i + 1) * wide - 1, area.bottom});
  }
  sheet.boxes(bars, colors.reference, "0.55");
  const std::string what = said(count) + " numbers";
  sheet.note(what, {area.left, area.top - 8});
  const double at = place(outlier_);
  const std::string where = "the outlier: " + said(outlier_);
  if (at > 1) {
    sheet.note(where, {area.right, area.top - 8}, 1, colors.ink);
    sheet.arrow({area.right - 22, area.bottom - 12}, {area.right - 2, area.bottom - 12}, colors.ink,
                2);
  } else {
    sheet.note(where, {area.right, area.top - 8}, 1, colors.ink);
    sheet.diamond({area.left + at * area.width(), area.bottom - 6}, 5, colors.ink);
  }
}

void NumberExplorer::draw_axis(Sheet& sheet, const Box& area) const {
  sheet.line({area.left, area.bottom}, {area.right, area.bottom}, sheet.colors().ink_soft);
  std::vector<Tick> ticks;
  if (doubling_) {
    for (const auto& [value, label] :
         {Tick{1.0 / 64, "1/64"}, Tick{1.0 / 8, "1/8"}, Tick{1, "1"}, Tick{8, "8"}, Tick{64, "64"}})
      ticks.push_back({value, label});
  } else {
    for (int x = -4; x <= 4; x += 2)
      ticks.push_back({static_cast<double>(x), (x < 0 ? "−" : "") + said(x < 0 ? -x : x)});
  }
  for (const Tick& tick : ticks) {
    const double x = area.left + place(tick.value) * area.width();
    const double half = sheet.note_width(tick.label) / 2;
    sheet.line({x, area.bottom}, {x, area.bottom + 4}, sheet.colors().ink_soft);
    sheet.note(tick.label, {std::clamp(x, area.left + half, area.right - half), area.bottom + 18},
               0);
  }
}

// The positions of the codes above zero in the figure, from right to left. On a linear axis it
// stops as soon as they touch, since all smaller ones touch as well.
std::vector<double> NumberExplorer::places(const NumberFormat& format, double scale,
                                           const Box& area) const {
  std::vector<double> all;
  const double end = (doubling_ ? exp2_of(octaves) : reach) / scale;
  double code = std::min(format.largest(), end), step = format.spacing(code);
  code = std::floor(code / step) * step;
  while (code > 0) {
    const double x = area.left + place(code * scale) * area.width();
    if (x < area.left || (!doubling_ && !all.empty() && all.back() - x < apart)) break;
    all.push_back(x);
    // Below a power of two, neighbors are closer.
    step = format.spacing(code);
    const double below = code - step;
    code = below > 0 && format.spacing(below) < step ? code - format.spacing(below) : below;
  }
  if (code > 0 && !doubling_ && !all.empty()) all.push_back(area.left + area.width() / 2);
  return all;
}

void NumberExplorer::draw_grid(Sheet& sheet, const Box& area, const NumberFormat& format,
                               double scale, std::string_view ink) const {
  const Palette& colors = sheet.colors();
  sheet.box(area, {}, colors.rule);
  // Numbers nearer to zero than to the least code become zero; without a scale, all do.
  const double half = scale > 0 ? format.least() * scale / 2 : exp2_of(octaves);
  const auto edge = [&](double share) {
    return area.left + area.width() * std::clamp(share, 0.0, 1.0);
  };
  const double from = edge(doubling_ ? 0 : place(-half)), to = edge(place(half));
  if (to - from > 2) sheet.boxes({{from, area.top, to, area.bottom}}, colors.ink_soft, "0.22");
  if (!(scale > 0)) return;
  const std::vector<double> all = places(format, scale, area);
  std::vector<Box> ticks, bands;
  const auto add = [&](std::vector<Box>& boxes, double low, double high) {
    boxes.push_back({low, area.top + 3, high, area.bottom - 3});
  };
  for (std::size_t first = 0, last = 0; first < all.size(); first = ++last) {
    // The position in the middle represents all positions that touch on the way there.
    const auto touches = [&](std::size_t next) {
      return all[next - 1] - all[next] < apart || (!doubling_ && all[next] == edge(0.5));
    };
    while (last + 1 < all.size() && touches(last + 1)) ++last;
    const bool alone = first == last;
    std::vector<Box>& boxes = alone ? ticks : bands;
    const double low = all[last] - (alone ? 0.7 : 0), high = all[first] + (alone ? 0.7 : 0);
    add(boxes, low, high);
    if (!doubling_) add(boxes, area.left + area.right - high, area.left + area.right - low);
  }
  if (!doubling_) add(ticks, edge(0.5) - 0.7, edge(0.5) + 0.7);
  sheet.boxes(bands, ink, "0.6");
  sheet.boxes(ticks, ink);
}

void NumberExplorer::draw_format(Sheet& sheet, const Box& area, int chosen,
                                 std::string_view ink) const {
  const NumberFormat& format = number_formats[chosen];
  const Rounded& result = results_[chosen];
  sheet.name(std::string(format.label), {area.left, area.top + 14});
  sheet.name("off by " + share_text(result.error), {area.right, area.top + 14}, 1);
  std::string bill =
      bits_text(format, group_) + " bits, " + share_text(result.to_zero) + " become zero";
  if (result.clipped > 0) bill += ", " + share_text(result.clipped) + " are cut";
  sheet.note(bill, {area.left, area.top + 33});
  const std::vector<Grid> all = grids(format);
  const double room = (area.bottom - area.top - 42) / 2;
  double top = area.top + 42;
  for (const Grid& grid : all) {
    const double high = room * 2 / static_cast<double>(all.size());
    sheet.note(grid.name, {area.left, top + 13});
    draw_grid(sheet, {area.left, top + 19, area.right, top + high - 3}, format, grid.scale, ink);
    top += high;
  }
}

Table NumberExplorer::table() const {
  Table table{{"Format", "Bits, with scales", "Largest", "Smallest normal", "Smallest above zero",
               "Roundoff", "Distinct numbers", "Off by", "Become zero", "Cut"},
              {}};
  for (std::size_t i = 0; i < std::size(number_formats); ++i) {
    const NumberFormat& one = number_formats[i];
    const Rounded& result = results_[i];
    // MX scales are powers of two from 2⁻¹²⁷ to 2¹²⁷. NVFP4 scales go up to 448, times the tensor's
    // scale.
    const bool powers = one.scaling == Scaling::powers;
    const bool blocks = one.scaling == Scaling::tensor_and_blocks;
    const double most = powers ? exp2_of(127) : blocks ? 448 : 1;
    const double least = powers ? exp2_of(-127) : blocks ? exp2_of(-9) : 1;
    const bool integer = one.exponent == 0;
    table.rows.push_back({std::string(one.label), bits_text(one, group_),
                          size_text(one.largest() * most) + (blocks ? " × the tensor’s scale" : ""),
                          integer || powers || blocks ? "" : size_text(one.least_normal()),
                          size_text(one.least() * least),
                          integer ? "half a scale" : size_text(exp2_of(-one.mantissa - 1)),
                          said(one.distinct()) + (powers || blocks ? " per block" : ""),
                          share_text(result.error), share_text(result.to_zero),
                          share_text(result.clipped)});
  }
  return table;
}

Rendering NumberExplorer::draw(const Options& options) const {
  Sheet sheet(options, 418, 446, std::string(title()), summary());
  const Palette& colors = sheet.colors();
  const double left = 16, right = sheet.width() - 16;
  const double ground = sheet.narrow() ? 120 : 112;
  const Box numbers{left, 30, right, ground};
  draw_numbers(sheet, numbers);
  draw_axis(sheet, numbers);
  const double room = (sheet.height() - ground - 28 - 24) / 2;
  const std::string_view inks[] = {colors.teal, colors.ochre};
  double top = ground + 28;
  for (const std::size_t row : {0u, 1u}) {
    draw_format(sheet, {left, top, right, top + room - 4}, chosen_[row], inks[row]);
    top += room;
  }
  sheet.note("A tick is a number of the format; shaded: rounds to zero",
             {left, sheet.height() - 8});
  return sheet.finish(table());
}

}  // namespace
}  // namespace number_explorer_model

std::unique_ptr<Model> make_number_explorer() {
  return std::make_unique<number_explorer_model::NumberExplorer>();
}

}  // namespace figures::models
