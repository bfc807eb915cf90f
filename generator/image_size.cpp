#include "generator/image_size.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace primer {
namespace {

constexpr std::string_view space = " \t\r\n";
constexpr double largest = 65535;

std::optional<ImageSize> sized(double width, double height) {
  const auto fits = [](double side) { return side >= 0.5 && side <= largest; };
  if (!fits(width) || !fits(height)) return std::nullopt;
  return ImageSize{static_cast<int>(std::lround(width)), static_cast<int>(std::lround(height))};
}

// Eight bytes of signature, the length and the name of the first chunk, then two big-endian sides.
std::optional<ImageSize> png_size(std::string_view bytes) {
  if (bytes.size() < 24 || bytes.substr(12, 4) != "IHDR") return std::nullopt;
  const auto side = [&](std::size_t at) {
    double value = 0;
    for (const char c : bytes.substr(at, 4)) value = value * 256 + static_cast<unsigned char>(c);
    return value;
  };
  return sized(side(16), side(20));
}

// The value of an attribute of a start tag; empty when it has none.
std::string_view attribute(std::string_view tag, std::string_view name) {
  for (auto at = tag.find(name); at != tag.npos; at = tag.find(name, at + 1)) {
    const auto equals = tag.find_first_not_of(space, at + name.size());
    if (space.find(tag[at - 1]) == space.npos || equals == tag.npos || tag[equals] != '=') continue;
    const auto open = tag.find_first_not_of(space, equals + 1);
    if (open == tag.npos || (tag[open] != '"' && tag[open] != '\'')) continue;
    const auto close = tag.find(tag[open], open + 1);
    if (close != tag.npos) return tag.substr(open + 1, close - open - 1);
  }
  return {};
}

// Takes a number, and the spaces and commas around it, off the beginning of `text`.
std::optional<double> take_number(std::string_view& text) {
  constexpr std::string_view separators = " \t\r\n,";
  const auto strip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(separators), text.size()));
  };
  strip();
  double value = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc()) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  strip();
  return value;
}

// "720" and "720px"; nothing for "100%" and other units.
std::optional<double> pixels(std::string_view text) {
  const auto value = take_number(text);
  return text.empty() || text == "px" ? value : std::nullopt;
}

std::optional<ImageSize> svg_size(std::string_view bytes) {
  const auto begin = bytes.find("<svg");
  if (begin == bytes.npos) return std::nullopt;
  const std::string_view tag = bytes.substr(begin, bytes.find('>', begin) - begin);
  const auto width = pixels(attribute(tag, "width"));
  const auto height = pixels(attribute(tag, "height"));
  if (width && height) return sized(*width, *height);
  std::string_view box = attribute(tag, "viewBox");
  double sides[4] = {};
  for (double& side : sides) {
    const auto value = take_number(box);
    if (!value) return std::nullopt;
    side = *value;
  }
  return sized(sides[2], sides[3]);
}

}  // namespace

std::optional<ImageSize> image_size(std::string_view bytes) {
  return bytes.starts_with("\x89PNG\r\n\x1a\n") ? png_size(bytes) : svg_size(bytes);
}

}  // namespace primer
