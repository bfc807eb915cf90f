#include "generator/core/pictures/svg_value.hpp"

#include <algorithm>
#include <optional>
#include <vector>

#include "figures/base/ascii.hpp"
#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::is_digit;
using figures::is_letter;
using figures::is_space;
using figures::ok;
using figures::Status;

// clang-format off: many to a line
//
// Position, size, units, transforms, kinds of coordinates.
const Names geometry = {
    "x", "y", "x1", "y1", "x2", "y2", "cx", "cy", "r", "rx", "ry", "fx", "fy", "fr", "dx", "dy", "rotate",
    "width", "height", "d", "points", "viewBox", "preserveAspectRatio", "transform", "gradientTransform",
    "patternTransform", "gradientUnits", "patternUnits", "patternContentUnits", "clipPathUnits",
    "maskUnits", "maskContentUnits", "markerUnits", "markerWidth", "markerHeight", "refX", "refY",
    "orient", "offset", "spreadMethod", "pathLength", "textLength", "lengthAdjust", "startOffset",
    "method", "spacing", "side", "systemLanguage",
};

// Presentation attributes, grouped by what their values may contain.
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

// Properties that Inkscape and other programs write and that have no effect on what we publish.
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

// Properties that are allowed only with the value that turns them off.
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

// Whether a value has only letters, digits, spaces and ".,+-%_", with parentheses only after a name
// in `functions` and not nested, and '#' only if `hash` is set.
bool is_plain(std::string_view value, const Names& functions, bool hash = false) {
  std::size_t word = 0;  // where the word before `at` starts
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
    // A hyphen or digit does not start a new word, so "x-url(" does not count as "url(".
    if (!is_digit(c) && c != '-' && c != '_') word = at + 1;
  }
  return !inside;
}

// Removes "url(#id)", quoted or not, from the start of the value and returns the id.
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
  if (address) return Error(of + " must refer to a place in the file, written url(#id)");
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

// Returns nothing if the name is on no list.
std::optional<Status> take_known(std::string_view name, std::string_view value, SvgProperties& to) {
  if (is_one_of(name, paints)) return keep(name, value, paint(value), to);
  if (is_one_of(name, references)) return keep(name, value, reference(value), to);
  if (is_one_of(name, words)) return keep(name, value, plain(value, {}), to);
  if (name == "font-family") return keep(name, value, family(value), to);
  if (is_one_of(name, without_effect) || name.starts_with("-inkscape-")) return ok();
  for (const auto& [property, only] : only_as) {
    if (name != property) continue;
    if (value == only) return ok();
    const std::string advice = ": remove it, or save the image as PNG";
    return Status(Error(std::string(name) + ' ' + in_quotes(svg_excerpt(value)) +
                        " cannot be published" + advice));
  }
  return std::nullopt;
}

// Replaces comments with spaces, so that offsets stay valid. An unclosed comment takes the rest.
std::string without_comments(std::string_view css) {
  std::string text(css);
  for (auto at = text.find("/*"); at != text.npos; at = text.find("/*", at)) {
    const auto end = text.find("*/", at + 2);
    const auto behind = end == text.npos ? text.size() : end + 2;
    std::fill(text.begin() + static_cast<std::ptrdiff_t>(at),
              text.begin() + static_cast<std::ptrdiff_t>(behind), ' ');
  }
  return text;
}

std::size_t place_in(std::string_view whole, std::string_view part) {
  return static_cast<std::size_t>(part.data() - whole.data());
}

// The end of the declaration that starts at `at`: a semicolon outside quotation marks.
std::size_t declaration_end(std::string_view css, std::size_t at) {
  char quote = 0;
  for (; at < css.size(); ++at) {
    if (quote != 0) {
      if (css[at] == quote) quote = 0;
    } else if (css[at] == '"' || css[at] == '\'') {
      quote = css[at];
    } else if (css[at] == ';') {
      break;
    }
  }
  return at;
}

Status take_uncommented(std::string_view css, SvgProperties& to) {
  for (std::size_t at = 0; at < css.size();) {
    const auto end = declaration_end(css, at);
    const std::string_view declaration = trim(css.substr(at, end - at));
    at = end + 1;
    if (declaration.empty()) continue;
    const std::size_t place = place_in(css, declaration);
    const auto colon = declaration.find(':');
    if (colon == declaration.npos) {
      return Error("missing colon in this style", place, declaration.size());
    }
    std::string name(trim(declaration.substr(0, colon)));
    std::transform(name.begin(), name.end(), name.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
    const auto taken = take_svg_property(name, declaration.substr(colon + 1), to);
    if (!taken) return Error(taken.error().message, place, declaration.size());
  }
  return ok();
}

bool is_name(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  });
}

bool is_selector(std::string_view text) {
  if (text == "*") return true;
  if (text.starts_with('.') || text.starts_with('#')) text.remove_prefix(1);
  return is_name(text);
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
    return Error("it contains the handler " + svg_excerpt(name) + ": images cannot run scripts");
  return ok();  // no part of the drawing
}

Status take_svg_property(std::string_view name, std::string_view value, SvgProperties& to) {
  value = trim(value);
  if (name == "font") return take_font(value, to);
  if (name == "marker") return take_marker(value, to);
  if (auto known = take_known(name, value, to)) return *known;
  return Error("the property " + in_quotes(svg_excerpt(name)) +
               " cannot be published: remove it, or save the file as "
               "plain SVG");
}

Status take_svg_declarations(std::string_view css, SvgProperties& to) {
  return take_uncommented(without_comments(css), to);
}

Status SvgStyles::add(std::string_view css) {
  const std::string text = without_comments(css);
  const std::string_view all = text;
  for (std::size_t at = 0; at < all.size();) {
    const auto open = std::min(all.find('{', at), all.size());
    const std::string_view selectors = trim(all.substr(at, open - at));
    if (open == all.size() && selectors.empty()) break;
    for (const auto part : split(selectors, ',')) {
      if (is_selector(trim(part))) continue;
      return Error("the rule for " + in_quotes(svg_excerpt(trim(part))) +
                       " cannot be published: rules are for *, "
                       "an element, .class or #id",
                   place_in(all, selectors), selectors.size());
    }
    const auto close = std::min(all.find('}', open), all.size());
    if (close == all.size())
      return Error("the rule has no end", place_in(all, selectors), selectors.size());
    SvgProperties properties;
    const std::string_view block = all.substr(open + 1, close - open - 1);
    const auto taken = take_uncommented(block, properties);
    if (!taken)
      return Error(taken.error().message, open + 1 + taken.error().offset, taken.error().length);
    ++order_;
    for (const auto part : split(selectors, ',')) {
      Declarations& rule = rules_[std::string(trim(part))];
      for (const auto& [name, value] : properties) rule[name] = {order_, value};
    }
    at = close + 1;
  }
  return ok();
}

const SvgStyles::Declarations* SvgStyles::of(const std::string& selector) const {
  const auto found = rules_.find(selector);
  return found == rules_.end() ? nullptr : &found->second;
}

void SvgStyles::apply(std::string_view name, std::string_view id, std::string_view classes,
                      SvgProperties& to) const {
  if (rules_.empty()) return;
  const auto set = [&](const Declarations* rule) {
    if (!rule) return;
    for (const auto& [property, declared] : *rule) to[property] = declared.value;
  };
  set(of("*"));
  set(of(std::string(name)));
  Declarations of_classes;
  for (std::string_view rest = trim(classes); !rest.empty();) {
    const auto word = rest.substr(0, rest.find_first_of(" \t\r\n"));
    rest = trim(rest.substr(word.size()));
    const Declarations* rule = of('.' + std::string(word));
    if (!rule) continue;
    for (const auto& [property, declared] : *rule) {
      Declared& kept = of_classes[property];
      if (kept.order <= declared.order) kept = declared;
    }
  }
  set(&of_classes);
  if (!id.empty()) set(of('#' + std::string(id)));
}

}  // namespace primer
