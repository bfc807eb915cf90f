// What a reader may change about a model: typed, bounded, with a unit; and the values chosen.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"

namespace figures::models {

struct Choice {
  std::string_view id, label;  // "h100-sxm", "H100"
};

// A slider, or, with choices, a list to pick from. Static storage.
struct Control {
  std::string_view id, label, unit;
  double low = 0, high = 1, initial = 0;
  bool doubling = false;            // the slider moves from a power of two to the next
  bool more = false;                // kept under "More"
  std::span<const Choice> choices;  // a value is then an index into them
  std::string_view hint = {};       // what it means, where the label is too short for it

  bool is_choice() const { return !choices.empty(); }
};

constexpr Control range(std::string_view id, std::string_view label, std::string_view unit,
                        double low, double high, double initial) {
  return {id, label, unit, low, high, initial, false, false, {}};
}
constexpr Control doubling(std::string_view id, std::string_view label, std::string_view unit,
                           double low, double high, double initial) {
  return {id, label, unit, low, high, initial, true, false, {}};
}
constexpr Control choice(std::string_view id, std::string_view label,
                         std::span<const Choice> choices, int initial = 0) {
  return {id,
          label,
          "",
          0,
          static_cast<double>(choices.size() - 1),
          static_cast<double>(initial),
          false,
          false,
          choices};
}
constexpr Control more(Control control) {
  control.more = true;
  return control;
}

// What had to be changed, in a sentence: "n is at most 64, not 100: 64 is used".
struct Notice {
  std::string text;
  std::string_view control = {};  // the id of the one whose value it was; empty: of several
};

// One value for each control, in their order, within range, whole where sliders are: all are.
struct Settings {
  std::vector<double> values;
  std::vector<Notice> notices;  // what had to be changed to get there
};

// From an object of control ids: numbers, or ids of choices. What is missing gets its initial
// value, what is out of range is clamped with a notice. Error: a name that is not a control's, or a
// value of the wrong type; with the nearest name.
Result<Settings> read_settings(std::span<const Control> controls, const nlohmann::json& object);

// As read_settings, for numbers that come from anywhere: rounded, clamped, not finite is initial.
double clamped(const Control& control, double value);

// "64 KiB", "16 tokens", "H100": a value as its control says it.
std::string value_text(const Control& control, double value);

}  // namespace figures::models
