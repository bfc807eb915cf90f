#include "generator/pictures/svg_value.hpp"

#include <algorithm>
#include <initializer_list>
#include <optional>
#include <vector>

#include "figures/base/ascii.hpp"
#include "generator/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::is_digit;
using figures::is_letter;
using figures::is_space;
using figures::ok;
using figures::Status;

// clang-format off: many to a line
// Where things are and how large, units, transforms, kinds of coordinates.
const Names geometry = {
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "dx", "dy", "rotate",
    "width", "height", "d", "points", "viewBox", "preserveAspectRatio", "transform", "gradientTransform",
    "patternTransform", "gradientUnits", "patternUnits", "patternContentUnits", "clipPathUnits",
    "maskUnits", "maskContentUnits", "markerUnits", "markerWidth", "markerHeight", "refX", "refY",
    "orient", "offset", "spreadMethod", "pathLength", "textLength", "lengthAdjust", "startOffset",
    "method", "spacing", "side", "systemLanguage",
};

// Presentation attributes, by what their values may hold.
const Names paints = {"fill", "stroke", "color", "stop-color"};
const Names references = {"clip-path", "mask", "marker-start", "marker-mid", "marker-end"};
const Names words = {
    "fill-opacity", "stroke-opacity", "opacity", "stop-opacity", "stroke-width", "stroke-dasharray",
    "stroke-dashoffset", "stroke-miterlimit", "font-size", "font-size-adjust", "letter-spacing",
    "word-spacing", "baseline-shift", "kerning", "fill-rule", "clip-rule", "stroke-linecap",
    "stroke-linejoin", "font-style", "font-variant", "font-weight", "font-stretch", "text-anchor",
    "text-decoration", "dominant-baseline", "alignment-baseline", "writing-mode", "direction",
    "unicode-bidi", "display", "visibility", "overflow", "color-interpolation", "color-rendering",
    "shape-rendering", "text-rendering", "vector-effect", "paint-order", "mask-type", "white-space",
    "glyph-orientation-horizontal", "glyph-orientation-vertical",
};
// clang-format on

// Properties that Inkscape and others write and that change nothing in what is kept here.
const Names without_effect = {
    "line-height",           "text-align",        "text-orientation",
    "solid-color",           "solid-opacity",     "shape-inside",
    "shape-padding",         "shape-margin",      "shape-subtract",
    "inline-size",           "enable-background", "color-interpolation-filters",
    "flood-color",           "flood-opacity",     "lighting-color",
    "image-rendering",       "isolation",         "cursor",
    "pointer-events",        "block-progression", "text-decoration-color",
    "text-decoration-style", "filter-blend-mode", "filter-gaussianBlur-deviation",
    "color-profile",
};

// Properties that may only say that there is nothing of the kind.
const std::pair<std::string_view, std::string_view> only_as[] = {
    {"filter", "none"},
    {"mix-blend-mode", "normal"},
    {"text-transform", "none"},
    {"text-indent", "0"},
    {"text-decoration-line", "none"},
    {"text-shadow", "none"},
    {"clip", "auto"},
    {"font-kerning", "auto"},
    {"font-feature-settings", "normal"},
    {"font-variation-settings", "normal"},
    {"font-variant-ligatures", "normal"},
    {"font-variant-position", "normal"},
    {"font-variant-caps", "normal"},
    {"font-variant-numeric", "normal"},
    {"font-variant-alternates", "normal"},
    {"font-variant-east-asian", "normal"},
};

const Names transforms = {"matrix", "translate", "scale", "rotate", "skewX", "skewY"};
const Names colours = {"rgb", "rgba", "hsl", "hsla"};

// Letters, digits, space and ".,+-%_"; parentheses only after the name of one of the functions, and
// not inside of others; '#' where a colour may stand.
bool is_plain(std::string_view value, const Names& functions, bool hash = false) {
  std::size_t word = 0;  // where the word before this place begins
  bool inside = false;
  for (std::size_t at = 0; at < value.size(); ++at) {
    const char c = value[at];
    if (is_letter(c)) continue;
    if (c == '(') {
      if (inside || !is_one_of(value.substr(word, at - word), functions)) return false;
      inside = true;
    } else if (c == ')') {
      if (!inside) return false;
      inside = false;
    } else if (!is_digit(c) && !is_space(c) &&
               std::string_view(".,+-%_").find(c) == std::string_view::npos &&
               !(hash && c == '#')) {
      return false;
    }
    // "x-url(" ends in no name of the list either: only what is not part of a name begins a word.
    if (!is_digit(c) && c != '-' && c != '_') word = at + 1;
  }
  return !inside;
}

// Takes "url(#id)", with or without quotation marks, off the value's beginning; its id.
std::optional<std::string> take_reference(std::string_view& value) {
  if (!value.starts_with("url(")) return std::nullopt;
  const auto end = value.find(')');
  if (end == value.npos) return std::nullopt;
  std::string_view inside = trim(value.substr(4, end - 4));
  const bool quoted =
      inside.size() >= 2 && (inside[0] == '"' || inside[0] == '\'') && inside.back() == inside[0];
  if (quoted) inside = inside.substr(1, inside.size() - 2);
  if (!inside.starts_with('#') || !is_svg_id(inside.substr(1))) return std::nullopt;
  value = trim(value.substr(end + 1));
  return std::string(inside.substr(1));
}

std::optional<std::string> paint(std::string_view value) {
  const auto id = take_reference(value);
  if (!is_plain(value, colours, true)) return std::nullopt;
  if (!id) return std::string(value);
  return "url(#" + *id + ')' + (value.empty() ? "" : ' ' + std::string(value));
}

std::optional<std::string> reference(std::string_view value) {
  if (is_one_of(value, {"none", "inherit"})) return std::string(value);
  const auto id = take_reference(value);
  if (!id || !value.empty()) return std::nullopt;
  return "url(#" + *id + ')';
}

std::optional<std::string> family(std::string_view value) {
  const bool fine = std::all_of(value.begin(), value.end(), [](char c) {
    return is_letter(c) || is_digit(c) || is_space(c) || static_cast<unsigned char>(c) >= 0x80 ||
           std::string_view("-_,.+&'\"").find(c) != std::string_view::npos;
  });
  if (!fine) return std::nullopt;
  return std::string(value);
}

Error wrong_value(std::string_view name, std::string_view value) {
  const bool address = value.find("url(") != value.npos || value.find("image(") != value.npos;
  const std::string of = std::string(name) + ' ' + in_quotes(svg_excerpt(value));
  if (address)
    return Error(of + " refers to more than a place in the file, which is written url(#id)");
  return Error(of + " is not a value that can be published");
}

Status keep(std::string_view name, std::string_view value, std::optional<std::string> written,
            SvgProperties& to) {
  if (!written) return wrong_value(name, value);
  to[std::string(name)] = std::move(*written);
  return ok();
}

std::optional<std::string> plain(std::string_view value, const Names& functions) {
  if (!is_plain(value, functions)) return std::nullopt;
  return std::string(value);
}

// "italic 700 10px/1.2 'DejaVu Sans', serif", as Matplotlib writes it: style, variant, weight and
// stretch in any order, then the size, then the families.
Status take_font(std::string_view value, SvgProperties& to) {
  SvgProperties font = {{"font-style", "normal"},
                        {"font-variant", "normal"},
                        {"font-weight", "normal"},
                        {"font-stretch", "normal"}};
  for (std::string_view rest = value; !rest.empty();) {
    const std::string_view word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest = trim(rest.substr(word.size()));
    const bool number = is_digit(word[0]) || word[0] == '.';
    if (is_one_of(word, {"italic", "oblique"})) font["font-style"] = word;
    else if (word == "small-caps") font["font-variant"] = word;
    else if (is_one_of(word, {"bold", "bolder", "lighter"})) font["font-weight"] = word;
    else if (number && word.find_first_not_of("0123456789") == word.npos)
      font["font-weight"] = word;
    else if (word.ends_with("condensed") || word.ends_with("expanded")) font["font-stretch"] = word;
    else if (number) {
      font["font-size"] = word.substr(0, word.find('/'));
      font["font-family"] = rest;
      break;
    } else if (word != "normal") break;
  }
  if (!font.contains("font-family") || font["font-family"].empty())
    return wrong_value("font", value);
  for (const auto& [name, written] : font) {
    auto taken = take_svg_property(name, written, to);
    if (!taken) return taken;
  }
  return ok();
}

Status take_marker(std::string_view value, SvgProperties& to) {
  for (const char* name : {"marker-start", "marker-mid", "marker-end"}) {
    auto taken = keep(name, value, reference(value), to);
    if (!taken) return taken;
  }
  return ok();
}

// Nothing: the name is on no list.
std::optional<Status> take_known(std::string_view name, std::string_view value, SvgProperties& to) {
  if (is_one_of(name, paints)) return keep(name, value, paint(value), to);
  if (is_one_of(name, references)) return keep(name, value, reference(value), to);
  if (is_one_of(name, words)) return keep(name, value, plain(value, {}), to);
  if (name == "font-family") return keep(name, value, family(value), to);
  if (is_one_of(name, without_effect) || name.starts_with("-inkscape-")) return ok();
  for (const auto& [property, only] : only_as) {
    if (name != property) continue;
    if (value == only) return ok();
    const std::string mend = ": take it out, or save the picture as PNG";
    return Status(Error(std::string(name) + ' ' + in_quotes(svg_excerpt(value)) +
                        " cannot be published" + mend));
  }
  return std::nullopt;
}

}  // namespace

std::string svg_excerpt(std::string_view text) {
  constexpr std::size_t most = 60;
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "…";
}

bool is_svg_id(std::string_view id) {
  return !id.empty() && std::all_of(id.begin(), id.end(), [](char c) {
    return is_letter(c) || is_digit(c) ||
           std::string_view("_.:-").find(c) != std::string_view::npos;
  });
}

Status take_svg_attribute(std::string_view name, std::string_view value, SvgProperties& to) {
  value = trim(value);
  if (is_one_of(name, geometry)) return keep(name, value, plain(value, transforms), to);
  if (auto known = take_known(name, value, to)) return *known;
  if (name.starts_with("on"))
    return Error("it holds the handler " + svg_excerpt(name) + ": pictures only draw");
  return ok();  // no part of the drawing
}

Status take_svg_property(std::string_view name, std::string_view value, SvgProperties& to) {
  value = trim(value);
  if (name == "font") return take_font(value, to);
  if (name == "marker") return take_marker(value, to);
  if (auto known = take_known(name, value, to)) return *known;
  return Error("the property " + in_quotes(svg_excerpt(name)) +
               " cannot be published: take it out, or save the file as "
               "plain SVG");
}

}  // namespace primer
