// tiny-digits: a small network recognizes a thousand images while its weights have fewer and fewer
// bits.
//
// The weights are rounded as they would be stored: integers and E4M3 with one scale per group,
// which is the group's largest magnitude over the largest code. Sums, biases and activations keep
// full precision. The reader may scale up a hidden unit and scale down the weights that read it by
// the same power of two, which changes no answer in fp32, and may drop two of every four weights,
// with or without another training.
#include <algorithm>
#include <array>
#include <vector>

#include "figures/draw/scale.hpp"
#include "figures/draw/sheet.hpp"
#include "figures/models/knobs/digit_network.hpp"
#include "figures/models/knobs/few_bits.hpp"
#include "figures/models/models.hpp"

namespace figures::models {
namespace tiny_digits_model {
namespace {

constexpr int pictures = 1000, shown = 20;
constexpr int large_unit = 5;  // any unit would do
constexpr int scale_bits = 16;
constexpr int few = pictures / 100;

constexpr Choice group_choices[] = {
    {"matrix", "matrix"}, {"32", "32 weights"}, {"16", "16 weights"}, {"8", "8 weights"}};
constexpr int group_sizes[] = {0, 32, 16, 8};
constexpr Choice zero_choices[] = {
    {"none", "none"}, {"half", "two of every four"}, {"retrained", "two of four, retrained"}};
constexpr Control controls_of_it[] = {
    choice("group", "One scale per", group_choices),
    doubling("larger", "One hidden unit, times as large", "", 1, 256, 1),
    choice("zeros", "Weights dropped", zero_choices),
};
enum At : std::size_t { group, larger, zeros };

enum class Kind { floating, scaled };  // E4M3 has both an exponent and a scale
struct Format {
  std::string_view label;
  int bits;
  Kind kind;
  int integer = 0;  // bits of an integer code; 0: E4M3
};
constexpr Format formats[] = {{"fp32", 32, Kind::floating},  {"bf16", 16, Kind::floating},
                              {"FP8 E4M3", 8, Kind::scaled}, {"int8", 8, Kind::scaled, 8},
                              {"int4", 4, Kind::scaled, 4},  {"int3", 3, Kind::scaled, 3},
                              {"int2", 2, Kind::scaled, 2}};
constexpr int format_count = static_cast<int>(std::size(formats));

// The result of reading all images in one format.
struct Reading {
  int right = 0;
  double bits = 0, weights = 0;  // of all weights with their scales; number of weights
  bool exact = true;             // every weight is within half a step of its code
  std::array<int, shown> answers{};
};

const std::vector<Digit>& digits() {
  static const std::vector<Digit> drawn = draw_digits(pictures, 2);
  return drawn;
}

const DigitNetwork& network(int which) {
  return which == 0 ? trained_network() : which == 1 ? halved_network() : retrained_network();
}

class Rounding {
 public:
  Rounding(const Format& format, int group, Reading& reading)
      : format_(format), group_(group), reading_(reading) {}

  void round(DigitLayer& layer) {
    reading_.weights += static_cast<double>(layer.weights.size());
    reading_.bits += static_cast<double>(layer.weights.size()) * format_.bits;
    if (format_.kind == Kind::floating) {
      if (format_.bits == 16)
        for (float& weight : layer.weights) weight = static_cast<float>(bf16(weight));
    } else if (group_ == 0) {
      round(layer, 0, layer.units, 0, layer.inputs);
    } else {
      for (int unit = 0; unit < layer.units; ++unit)
        for (int input = 0; input < layer.inputs; input += group_)
          round(layer, unit, unit + 1, input, std::min(input + group_, layer.inputs));
    }
  }

 private:
  // Rounds one group: a range of units and a range of their inputs.
  void round(DigitLayer& layer, int unit, int last_unit, int input, int last_input) {
    reading_.bits += scale_bits;
    double most = 0;
    for (int u = unit; u < last_unit; ++u)
      for (int i = input; i < last_input; ++i) most = std::max(most, magnitude(layer.at(i, u)));
    const double scale = most / largest_code(format_.integer);
    if (scale == 0) return;
    for (int u = unit; u < last_unit; ++u)
      for (int i = input; i < last_input; ++i) {
        const double weight = layer.at(i, u), code = code_of(weight / scale, format_.integer);
        layer.at(i, u) = static_cast<float>(code * scale);
        const double step =
            format_.integer == 0 ? std::max(magnitude(weight) / 8, scale / 512) : scale;
        if (magnitude(code * scale - weight) > step / 2 * (1 + 1e-9)) reading_.exact = false;
      }
  }

  const Format& format_;
  int group_;
  Reading& reading_;
};

class TinyDigits : public Model {
 public:
  std::string_view name() const override { return "tiny-digits"; }
  std::string_view title() const override { return "A small network in few bits"; }
  std::span<const Control> controls() const override { return controls_of_it; }

  std::vector<std::string> reset(std::span<const double> values, const Numbers&) override {
    group_ = group_sizes[whole(values, At::group)];
    zeros_ = whole(values, At::zeros);
    factor_ = static_cast<float>(values[At::larger]);
    done_ = 0;
    for (std::size_t i = 0; i < runs_.size(); ++i)
      if (runs_[i].group == group_ && runs_[i].zeros == zeros_ && runs_[i].factor == factor_) {
        run_ = i;
        return {};
      }
    run_ = runs_.size();
    runs_.push_back({group_, zeros_, factor_, {}});
    return {};
  }
  // A step reads all images in the next format.
  int length() const override { return format_count; }
  int first() const override { return length(); }
  int on_paper() const override { return length(); }
  std::string step_words() const override { return " formats"; }
  void step() override {
    std::vector<Reading>& known = runs_[run_].readings;
    if (static_cast<std::size_t>(done_) == known.size())
      known.push_back(read(formats[done_], factor_));
    ++done_;
  }

  std::string broken() const override {
    if (done_ > 0 && !at(done_ - 1).exact) return "a weight is off by more than half a step";
    return {};
  }
  std::vector<Count> counts() const override {
    const double all = DigitNetwork::hidden * (digit_pixels + digit_kinds);
    const double groups = group_ == 0 ? 2 : all / group_;
    return {exact("right in fp32", "", at(0).right, read(formats[0], 1).right),
            exact("weights", "", at(4).weights, all),
            exact("bits of int4", "", at(4).bits, 4 * all + scale_bits * groups),
            between("right in bf16", "", at(1).right, at(0).right - few, at(0).right + few),
            below("right in E4M3", 2),
            below("right in int8", 3),
            below("right in int4", 4),
            below("right in int3", 5),
            below("right in int2", 6)};
  }
  Rendering draw(const Options& options) const override;

 private:
  // Cached results: the same settings are not evaluated twice.
  struct Run {
    int group, zeros;
    float factor;
    std::vector<Reading> readings;
  };

  const Reading& at(int format) const {
    return runs_[run_].readings[static_cast<std::size_t>(format)];
  }
  Reading read(const Format& format, float factor) const {
    Reading reading;
    DigitNetwork rounded = network(zeros_);
    rounded.enlarge(large_unit, factor);
    Rounding rounding(format, group_, reading);
    rounding.round(rounded.first);
    rounding.round(rounded.second);
    for (int i = 0; i < pictures; ++i) {
      const Digit& digit = digits()[static_cast<std::size_t>(i)];
      const int answer = rounded.read(digit);
      if (answer == digit.kind) ++reading.right;
      if (i < shown) reading.answers[static_cast<std::size_t>(i)] = answer;
    }
    return reading;
  }
  // Rounding loses answers, but may win a few by luck.
  Count below(const char* what, int format) const {
    return between(what, "", at(format).right, 0, at(0).right + 2 * few);
  }
  static std::string share(const Reading& reading) {
    return quantity_text(reading.right / double(pictures), Meaning::percent, 3);
  }
  std::string summary() const;
  void draw_pictures(Sheet& sheet) const;

  int group_ = 0, zeros_ = 0, done_ = 0;
  float factor_ = 1;
  std::size_t run_ = 0;
  std::vector<Run> runs_;
};

std::string TinyDigits::summary() const {
  if (done_ == 0) return "No image has been classified yet.";
  const std::string last(formats[done_ - 1].label);
  if (done_ < length())
    return "In " + last + " the network gets " + share(at(done_ - 1)) + " of the images right.";
  std::string text = "Of " + said(pictures) + " new images the network gets " + share(at(0)) +
                     " right in fp32, " + share(at(3)) + " in int8, " + share(at(4)) +
                     " in int4 and " + share(at(6)) + " in int2; guessing gets 10 %.";
  if (factor_ > 1)
    text +=
        " One hidden unit is " + said(factor_) +
        " times as large and its weights downstream as much smaller: no answer of fp32 changes.";
  return text;
}

// Draws the first images as dots in three grays, each with the answer of the last format below.
void TinyDigits::draw_pictures(Sheet& sheet) const {
  const Palette& colors = sheet.colors();
  const int columns = sheet.narrow() ? shown / 2 : shown;
  const double pitch = (sheet.width() - 20) / columns, dot = 3.5, side = dot * digit_side;
  sheet.note_in(
      sheet.width() - 24,
      done_ == 0 ? "the first images"
                 : "the first images, as " + std::string(formats[done_ - 1].label) + " reads them",
      {12, 20});
  constexpr std::array<float, 4> greys{0.3f, 0.6f, 0.9f, 1e9f};
  constexpr std::array<const char*, 3> opacities{"0.25", "0.55", "0.9"};
  std::array<std::vector<Box>, 3> dots;
  std::vector<Box> wrong;
  for (int i = 0; i < shown; ++i) {
    const Digit& digit = digits()[static_cast<std::size_t>(i)];
    const double left = 12 + i % columns * pitch, top = 30 + i / columns * 54;
    for (std::size_t grey = 0; grey < dots.size(); ++grey)
      for (int row = 0; row < digit_side; ++row)
        for (int column = 0; column < digit_side; ++column) {
          const auto inside = [&](int c) {
            const float ink = digit.pixels[static_cast<std::size_t>(row * digit_side + c)];
            return ink >= greys[grey] && ink < greys[grey + 1];
          };
          const int from = column;
          while (column < digit_side && inside(column)) ++column;
          if (column > from)
            dots[grey].push_back(
                {left + from * dot, top + row * dot, left + column * dot, top + (row + 1) * dot});
        }
    if (done_ == 0) continue;
    const int answer = at(done_ - 1).answers[static_cast<std::size_t>(i)];
    const Point below{left + side / 2, top + side + 15};
    if (answer == digit.kind) {
      sheet.note(said(answer), below, 0);
    } else {
      sheet.name(said(answer), below, 0, colors.ochre);
      wrong.push_back({left - 2, top - 2, left + side + 2, top + side + 2});
    }
  }
  for (std::size_t grey = 0; grey < dots.size(); ++grey)
    sheet.strokes(dots[grey], colors.ink, opacities[grey]);
  sheet.outlines(wrong, colors.ochre, 1.5);
}

Rendering TinyDigits::draw(const Options& options) const {
  constexpr double wide_top = 84, narrow_top = 138;
  Sheet sheet(options, wide_top + bar_rows_height(format_count, false),
              narrow_top + bar_rows_height(format_count, true), std::string(title()), summary());
  draw_pictures(sheet);
  const Palette& colors = sheet.colors();
  std::vector<BarRow> bars;
  Table table{{"Format", "Bits per weight, with scales", "Correct"}, {}};
  for (int i = 0; i < done_; ++i) {
    const Format& format = formats[i];
    const Reading& reading = at(i);
    bars.push_back({std::string(format.label), share(reading), reading.right / double(pictures),
                    format.integer == 0 ? colors.ochre : colors.teal});
    table.rows.push_back(
        {std::string(format.label), said(reading.bits / reading.weights, 4), share(reading)});
  }
  for (const Format& format : std::span(formats).subspan(static_cast<std::size_t>(done_)))
    bars.push_back(bar_to_come(std::string(format.label)));
  bar_rows(sheet, sheet.narrow() ? narrow_top : wide_top,
           "correct, of " + said(pictures) + " new images", bars);
  return sheet.finish(std::move(table));
}

}  // namespace
}  // namespace tiny_digits_model

std::unique_ptr<Model> make_tiny_digits() {
  return std::make_unique<tiny_digits_model::TinyDigits>();
}

}  // namespace figures::models
