#include "figures/kinds/bit_formats.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/decimal_text.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/draw/canvas.hpp"
#include "figures/spec/finding.hpp"
#include "figures/spec/spec_reader.hpp"

namespace figures {
namespace {

struct Format {
  std::string label;
  int sign = 1, exponent = 0, mantissa = 0;
  double largest = 0;
  int bits() const { return sign + exponent + mantissa; }
};

// The largest finite value. `codes` says which codes of the highest exponent are not numbers: all
// of them for "ieee", the last one for "one-nan", none for "finite". A format without an exponent
// is an integer.
double largest_of(const Format& format, const std::string& codes) {
  const auto power = [](int n) { return std::ldexp(1.0, n); };
  if (format.exponent == 0) return power(format.mantissa) - 1;
  const int bias = (1 << (format.exponent - 1)) - 1;
  if (codes == "ieee") return (2 - power(-format.mantissa)) * power(bias);
  return (2 - power((codes == "one-nan" ? 1 : 0) - format.mantissa)) * power(bias + 1);
}

// A whole number as a superscript: "³⁸".
std::string raised(int number) {
  constexpr std::string_view digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char digit : write_whole(number)) text += digits[digit - '0'];
  return text;
}

// "448", "65,504", "3.4 × 10³⁸".
std::string large_text(double value) {
  if (value < 1e6) return significant(value, 6);
  const int decade = decade_of(value);
  return significant(value / power_of_ten(decade), 2) + " × 10" + raised(decade);
}

std::string gap_text(const Format& format) {
  if (format.exponent == 0) return "steps of 1";
  if (format.mantissa > 10) return "steps of 2⁻" + raised(format.mantissa) + " above 1";
  return "steps of 1/" + fixed(std::ldexp(1.0, format.mantissa), 0) + " above 1";
}

class BitFormatsDrawing {
 public:
  BitFormatsDrawing(const std::vector<Format>& formats, const std::string& title,
                    const std::string& finding, const Options& options)
      : formats_(formats),
        narrow_(options.width == Layout::narrow),
        canvas_(options, height(), height()),
        labels_(Box{0, 0, canvas_.width, canvas_.height}),
        title_(title),
        finding_(finding),
        svg_(start_figure(canvas_, options, title, finding)) {}

  Rendering draw() {
    int most = 1;
    for (const Format& format : formats_) most = std::max(most, format.bits());
    left_ = narrow_ ? 8 : 92;
    cell_ = (canvas_.width - left_ - (narrow_ ? 8 : 236)) / most;
    key();
    Table table{{"Format", "Sign", "Exponent", "Mantissa", "Largest", "Resolution"}, {}};
    double y = top;
    for (const Format& format : formats_) {
      draw_row(format, y);
      table.add({format.label, write_whole(format.sign), write_whole(format.exponent),
                 write_whole(format.mantissa), large_text(format.largest), gap_text(format)});
      y += row();
    }
    return finish_figure(svg_, canvas_, title_, finding_, std::move(table), labels_.omitted());
  }

 private:
  static constexpr double top = 34;
  double row() const { return narrow_ ? 50 : 34; }
  double height() const { return top + row() * static_cast<double>(formats_.size()) + 4; }

  void key() {
    double x = left_;
    const std::pair<std::string_view, const char*> parts[] = {
        {canvas_.colors.reference, "sign"},
        {canvas_.colors.teal, "exponent: range"},
        {canvas_.colors.ochre, "mantissa: resolution"}};
    for (const auto& [color, text] : parts) {
      box(x, 10, 10, 10, color);
      const TextLine line{text, canvas_.note};
      write_text(svg_, line, {x + 15, 19}, -1, labels_);
      x += 15 + block_width({line}) + 14;
    }
  }

  void box(double x, double y, double wide, double tall, std::string_view color) {
    svg_.begin("rect").set("x", x).set("y", y).set("width", wide).set("height", tall);
    svg_.set("fill", color).end();
  }

  void draw_row(const Format& format, double y) {
    const double tall = 20, strip = narrow_ ? y + 19 : y + 4;
    double x = left_;
    const std::pair<int, std::string_view> parts[] = {{format.sign, canvas_.colors.reference},
                                                      {format.exponent, canvas_.colors.teal},
                                                      {format.mantissa, canvas_.colors.ochre}};
    for (const auto& [bits, color] : parts) {
      for (int i = 0; i < bits; ++i) box(x + i * cell_, strip, cell_ - 1.5, tall, color);
      const TextLine count{write_whole(bits), {12, Weight::semibold, canvas_.colors.paper}};
      // Write the number of bits over its part if the part is wide enough.
      const double middle = x + (bits * cell_ - 1.5) / 2;
      if (bits > 1 && bits * cell_ > 26) {
        box(middle - 9, strip, 18, tall, color);
        write_text(svg_, count, {middle, strip + 14.5}, 0, labels_);
      }
      x += bits * cell_;
    }
    const double baseline = narrow_ ? y + 13 : strip + 15;
    write_text(svg_, {format.label, canvas_.name}, {narrow_ ? left_ : left_ - 12, baseline},
               narrow_ ? -1 : 1, labels_);
    const std::string said = "to " + large_text(format.largest) + ", " + gap_text(format);
    write_text(svg_, {said, canvas_.note}, {canvas_.width - 8, baseline}, 1, labels_);
  }

  const std::vector<Format>& formats_;
  bool narrow_;
  Canvas canvas_;
  Labels labels_;
  std::string title_, finding_;
  Svg svg_;
  double left_ = 0, cell_ = 0;
};

}  // namespace

Result<Rendering> render_formats(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options) {
  std::optional<Error> error;
  Fields fields(spec, "", error);
  Names names({inputs.facts, inputs.catalogue, nullptr, inputs.reference});
  const std::string title = fields.text("title");
  const std::string finding = finding_of(fields, names);
  std::vector<Format> formats;
  fields.each("formats", [&](Fields& one) {
    Format format;
    format.label = one.text("label");
    format.sign = static_cast<int>(std::clamp(one.number("sign", 1), 0.0, 1.0));
    format.exponent = static_cast<int>(std::clamp(one.number("exponent", 0), 0.0, 11.0));
    format.mantissa = static_cast<int>(std::clamp(one.number("mantissa", 0), 0.0, 52.0));
    format.largest = largest_of(format, one.text("codes", "ieee"));
    if (format.bits() < 2) one.fail("", "has fewer than two bits");
    formats.push_back(format);
  });
  if (error) return *error;
  return BitFormatsDrawing(formats, title, finding, options).draw();
}

}  // namespace figures
