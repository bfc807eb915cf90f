// The parameters of a model that a reader may change (typed, bounded, with a unit), and their
// values.
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

// A slider or, with choices, a list. All text has static storage.
struct Control {
  std::string_view id, label, unit;
  double low = 0, high = 1, initial = 0;
  bool doubling = false;            // the slider moves by powers of two
  bool more = false;                // in the section "More"
  std::span<const Choice> choices;  // a value is an index into them; empty: a slider
  std::string_view hint = {};       // explains the control if the label is too short

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

// Reports that a value was changed: "n is at most 64, not 100: 64 is used".
struct Notice {
  std::string text;
  std::string_view control = {};  // id of the control with the changed value; empty: several
};

// One value per control, in the order of the controls. Values are within range, and integers if the
// slider has only integers.
struct Settings {
  std::vector<double> values;
  std::vector<Notice> notices;  // one per changed value
};

// Reads an object that maps control ids to numbers or ids of choices. A missing value becomes the
// initial value; a value out of range is clamped and adds a notice. Error: an unknown name (with
// the nearest name), or a value of the wrong type.
Result<Settings> read_settings(std::span<const Control> controls, const nlohmann::json& object);

// Like read_settings(), for numbers from any source: rounds and clamps them; a number that is not
// finite becomes the initial value.
double clamped(const Control& control, double value);

// The value in the unit of its control: "64 KiB", "16 tokens", "H100".
std::string value_text(const Control& control, double value);

}  // namespace figures::models
