#include "generator/pictures/svg_dashes.hpp"

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/pictures/svg_expansion.hpp"
#include "generator/pictures/svg_outline.hpp"

namespace primer {
namespace {

using figures::Error;
using figures::ok;
using figures::Status;

constexpr double usual_font_size = 16, largest_font_word = 48;  // "medium" and "xxx-large"
constexpr double outline_of_letter = 30;  // in font sizes; a Chinese one of many strokes has 20
constexpr double usual_side = 2000;       // of a picture that says none: a window
constexpr double unknown_side = 1e12;

// What an element inherits. What cannot be told is nothing: an error only where it matters.
struct Style {
  bool stroked = false;
  std::optional<double> per_unit =
      0;  // dashes and gaps for each unit of a line; 0: a line without any
  std::optional<double> font_size = usual_font_size;
};

// What an element says itself, read once however often it is drawn.
struct Own {
  std::optional<bool> stroked;
  std::optional<std::optional<double>> per_unit, font_size;
  std::optional<double>
      line;  // of a shape; where the author says how long a path is, dashes are measured with that
  double letters = 0;
  bool scales = true;
  std::vector<std::pair<std::string, const SvgNode*>> references;
  // With what it uses; what paints and markers refer to is drawn for each.
  double elements = 0, details = 0;
};

std::string_view value_of(const SvgNode& node, const char* name) {
  const auto found = node.attributes.find(name);
  return found == node.attributes.end() ? std::string_view() : trim(found->second);
}

bool begins_number(std::string_view value) {
  return !value.empty() &&
         (value[0] == '.' || value[0] == '+' || (value[0] >= '0' && value[0] <= '9'));
}

double side(std::string_view value) {
  const auto length = svg_length(value, 1);
  if (value.ends_with('%')) return length.value_or(0) > 1 ? unknown_side : 0;
  return std::fabs(length.value_or(unknown_side));
}

// The longest side that a percentage can be of.
double longest_side(const SvgNode& node) {
  double longest = usual_side;
  for (const double number : svg_numbers(value_of(node, "viewBox")))
    longest = std::max(longest, std::fabs(number));
  if (node.name == "svg" || node.name == "symbol" || node.name == "use") {
    for (const char* name : {"width", "height"})
      longest = std::max(longest, side(value_of(node, name)));
  }
  for (const auto& child : node.children) longest = std::max(longest, longest_side(child));
  return longest;
}

// Of "5,3px 2". Nothing when a part is not a length, with which a browser ignores all of it, or of a unit that depends
// on where it stands.
std::optional<double> dashes_per_unit(std::string_view list) {
  constexpr std::string_view between = " ,\t\r\n";
  double sum = 0, count = 0;
  for (auto at = list.find_first_not_of(between); at != list.npos;
       at = list.find_first_not_of(between, at), ++count) {
    const std::string_view one = list.substr(at, list.find_first_of(between, at) - at);
    const auto length =
        begins_number(one) && !one.ends_with('%') ? svg_length(one, 0) : std::nullopt;
    if (!length) return std::nullopt;
    sum += *length;
    at += one.size();
  }
  return sum > 0 ? count / sum : 0;  // browsers draw dashes that come to nothing as a whole line
}

std::optional<double> font_size_of(std::string_view value) {
  for (const char* word :
       {"xx-small", "x-small", "small", "medium", "large", "x-large", "xx-large", "xxx-large"}) {
    if (value == word) return largest_font_word;
  }
  return begins_number(value) && !value.ends_with('%') ? svg_length(value, 0) : std::nullopt;
}

// Nothing for a value that is not there, or is the inherited one.
std::optional<std::string_view> own_value(const SvgNode& node, const char* name) {
  const auto value = value_of(node, name);
  if (value.empty() || value == "inherit") return std::nullopt;
  return value;
}

class Dashes {
 public:
  explicit Dashes(const SvgNode& root) : longest_(longest_side(root)) {
    collect(root);
    remember_styles(root, {});
  }

  // `times`: how often the element is drawn.
  Status add(const SvgNode& node, Style style, double times) {
    const Own& own = own_of(node);
    inherit(own, style);
    if (auto counted = add_lines(node, own, style, times); !counted) return counted;
    for (const auto& child : node.children) {
      if (child.name.empty()) continue;
      if (auto counted = add(child, style, times); !counted) return counted;
    }
    for (const auto& [name, target] : own.references) {
      // What <use> shows inherits from it; what a marker draws inherits from where the marker stands.
      const bool used = name == "href";
      const double drawn = used ? 1 : times_drawn(name, own);
      if (auto counted = add(*target, used ? style : styles_.at(target), times * drawn); !counted)
        return counted;
    }
    return ok();
  }

 private:
  void collect(const SvgNode& node) {
    if (const auto id = node.attributes.find("id"); id != node.attributes.end())
      ids_.emplace(id->second, &node);
    for (const auto& child : node.children) collect(child);
  }

  void remember_styles(const SvgNode& node, Style style) {
    if (node.attributes.contains("id")) styles_.emplace(&node, style);
    inherit(own_of(node), style);
    for (const auto& child : node.children) {
      if (!child.name.empty()) remember_styles(child, style);
    }
  }

  // References run into no circle: check_expansion() saw to that.
  const Own& own_of(const SvgNode& node) {
    if (const auto known = own_.find(&node); known != own_.end()) return known->second;
    Own own = read(node);
    own.elements = 1;
    for (const auto& [name, value] : node.attributes)
      own.details += static_cast<double>(count_svg_numbers(value));
    const auto include = [&](const SvgNode& inside) {
      const Own& its = own_of(inside);
      own.elements += its.elements;
      own.details += its.details;
    };
    for (const auto& child : node.children) {
      if (!child.name.empty()) include(child);
    }
    for (const auto& [name, target] : own.references) {
      if (name == "href") include(*target);
    }
    return own_.emplace(&node, std::move(own)).first->second;
  }

  Own read(const SvgNode& node) const {
    Own own;
    if (const auto stroke = own_value(node, "stroke")) own.stroked = *stroke != "none";
    if (const auto dashes = own_value(node, "stroke-dasharray")) {
      own.per_unit = *dashes == "none" ? std::optional(0.0) : dashes_per_unit(*dashes);
    }
    if (const auto size = own_value(node, "font-size")) own.font_size = font_size_of(*size);
    own.line = svg_outline(node, longest_);
    if (own.line && *own.line > 0) {
      own.line = std::max(*own.line, svg_length(value_of(node, "pathLength"), 0).value_or(0));
    }
    if (node.name == "text" || node.name == "tspan" || node.name == "textPath") {
      for (const auto& child : node.children) own.letters += character_count(child.text);
    }
    const auto effect = value_of(node, "vector-effect");
    own.scales = effect.empty() || effect == "none";
    for (const auto& [name, value] : node.attributes) {
      const auto target = ids_.find(std::string(svg_reference(name, value)));
      if (target == ids_.end() || target->second->name.ends_with("Gradient")) continue;
      own.references.emplace_back(name, target->second);
    }
    return own;
  }

  static double times_drawn(std::string_view attribute, const Own& own) {
    if (attribute == "marker-mid") return std::max(own.details, own.elements);
    const bool inherited =
        attribute == "fill" || attribute == "stroke" || attribute.starts_with("marker-");
    return inherited ? own.elements : 1;
  }

  static void inherit(const Own& own, Style& style) {
    if (own.stroked) style.stroked = *own.stroked;
    if (own.per_unit) style.per_unit = *own.per_unit;
    if (own.font_size) style.font_size = *own.font_size;
  }

  Status add_lines(const SvgNode& node, const Own& own, const Style& style, double times) {
    const bool whole = style.per_unit && *style.per_unit == 0;
    if (!style.stroked || whole || (own.line && *own.line == 0 && own.letters == 0)) return ok();
    const bool sized = own.letters == 0 || style.font_size;
    if (!own.line || !sized || !style.per_unit || !own.scales) {
      return Error(
          "its dashes cannot be counted: write lengths as numbers, without units such as \"em\" and \"%\" and "
          "without vector-effect, or save the picture as PNG",
          node.offset);
    }
    const double line = *own.line + own.letters * outline_of_letter * style.font_size.value_or(0);
    sum_ += line * *style.per_unit * times;
    if (sum_ <= most_svg_dashes) return ok();
    return Error("here the dashes of the picture come to more than " +
                     std::to_string(static_cast<int>(most_svg_dashes)) +
                     ": make them longer, draw whole lines, or save the picture as PNG",
                 node.offset);
  }

  double longest_;
  double sum_ = 0;
  std::unordered_map<std::string, const SvgNode*> ids_;
  std::unordered_map<const SvgNode*, Own> own_;
  std::unordered_map<const SvgNode*, Style> styles_;  // what each element with an id inherits
};

}  // namespace

Status check_dashes(const SvgNode& root) { return Dashes(root).add(root, {}, 1); }

}  // namespace primer
