#include "generator/pictures/image_size.hpp"

#include <algorithm>
#include <cmath>
#include <system_error>
#include <utility>

#include "generator/base/real_number.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::Result;
using figures::Status;

constexpr double largest = 65535;

std::optional<ImageSize> sized(double width, double height) {
  const auto fits = [](double side) { return side >= 0.5 && side <= largest; };
  if (!fits(width) || !fits(height)) return std::nullopt;
  return ImageSize{static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height))};
}

// Takes a number, and the spaces and commas around it, off the beginning of `text`.
std::optional<double> take_number(std::string_view& text) {
  constexpr std::string_view separators = " \t\r\n,";
  const auto strip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  };
  strip();
  double value = 0;
  const auto [end, failure] = read_real(text.data(), text.data() + text.size(), value);
  if (failure != std::errc() || !std::isfinite(value)) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  strip();
  return value;
}

// "720", "720px", "61.5pt" in pixels. No value: "100%" and "2em", which depend on what is around.
Result<std::optional<double>> pixels(std::string_view text) {
  constexpr std::pair<std::string_view, double> units[] = {
      {"", 1},    {"px", 1},         {"pt", 96 / 72.0},  {"pc", 16},
      {"in", 96}, {"cm", 96 / 2.54}, {"mm", 9.6 / 2.54}, {"Q", 2.4 / 2.54}};
  std::string_view rest = text;
  const auto value = take_number(rest);
  if (value && *value > 0) {
    for (const auto& [unit, length] : units) {
      if (rest == unit) return std::optional(*value * length);
    }
    if (rest == "%" || rest == "em" || rest == "ex") return std::optional<double>();
  }
  if (text == "auto") return std::optional<double>();
  return Error("its width or height, " + in_quotes(text.substr(0, 40)) +
               ", is not a size that can be drawn");
}

// Its sides.
Result<std::pair<double, double>> box_sides(std::string_view box) {
  double numbers[4] = {};
  for (double& number : numbers) {
    const auto value = take_number(box);
    if (!value) return Error("its viewBox has not four numbers");
    number = *value;
  }
  if (!box.empty() || numbers[2] <= 0 || numbers[3] <= 0)
    return Error("its viewBox has no sides above 0");
  return std::pair(numbers[2], numbers[3]);
}

}  // namespace

Result<std::optional<ImageSize>> drawing_size(std::string_view width, std::string_view height,
                                              std::string_view view_box) {
  std::optional<double> sides[2];
  for (const int i : {0, 1}) {
    const std::string_view text = i == 0 ? width : height;
    if (text.empty()) continue;
    const auto side = pixels(text);
    if (!side) return side.error();
    sides[i] = side.value();
  }
  std::optional<std::pair<double, double>> box;
  if (!view_box.empty()) {
    const auto of_box = box_sides(view_box);
    if (!of_box) return of_box.error();
    box = of_box.value();
  }
  if (sides[0] && sides[1]) box = std::pair(*sides[0], *sides[1]);
  if (!box) return std::optional<ImageSize>();
  const auto size = sized(box->first, box->second);
  if (!size && (width.empty() || height.empty() || (sides[0] && sides[1]))) {
    return Error("it is drawn with less than a pixel, or more than 65535 pixels, a side");
  }
  return size;
}

}  // namespace primer
