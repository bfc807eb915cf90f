#include "figures/models/control.hpp"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"

namespace figures::models {
namespace {

std::string in_quotes(std::string_view text) { return "'" + std::string(text) + "'"; }

Result<double> pick(const Control& control, const std::string& id) {
  Nearest nearest(id);
  for (std::size_t i = 0; i < control.choices.size(); ++i) {
    if (control.choices[i].id == id) return static_cast<double>(i);
    nearest.offer(control.choices[i].id);
  }
  return Error{std::string(control.id) + " has no choice " + in_quotes(id), 0, 0, nearest.best()};
}

Result<double> read_value(const Control& control, const nlohmann::json& value) {
  const auto* text = value.get_ptr<const std::string*>();
  if (control.is_choice() && text != nullptr) return pick(control, *text);
  if (!control.is_choice() && value.is_number()) return value.get<double>();
  return Error{std::string(control.id) + " must be " +
               (control.is_choice() ? "the name of a choice" : "a number")};
}

void note_change(const Control& control, double asked, double used, Settings& settings) {
  if (asked == used) return;
  std::string why = control.doubling ? " is a power of two, not " : " is a whole number, not ";
  if (asked > control.high) why = " is at most " + significant(control.high, 9) + ", not ";
  if (asked < control.low) why = " is at least " + significant(control.low, 9) + ", not ";
  std::string text(control.id);
  text.append(why).append(significant(asked, 6)).append(": ");
  text.append(significant(used, 9)).append(" is used");
  settings.notices.push_back({text, control.id});
}

}  // namespace

double clamped(const Control& control, double value) {
  if (!std::isfinite(value)) return control.initial;
  value = std::clamp(std::floor(value + 0.5), control.low, control.high);
  if (!control.doubling) return value;
  double power = control.low;
  while (power * 1.5 <= value && power * 2 <= control.high) power *= 2;
  return power;
}

Result<Settings> read_settings(std::span<const Control> controls, const nlohmann::json& object) {
  Settings settings;
  for (const Control& control : controls) settings.values.push_back(control.initial);
  if (object.is_null()) return settings;
  if (!object.is_object()) return Error{"the parameters are not an object"};
  for (const auto& [name, value] : object.items()) {
    Nearest nearest(name);
    std::size_t at = controls.size();
    for (std::size_t i = 0; i < controls.size(); ++i) {
      nearest.offer(controls[i].id);
      if (controls[i].id == name) at = i;
    }
    if (at == controls.size())
      return Error{"no parameter " + in_quotes(name), 0, 0, nearest.best()};
    const Result<double> asked = read_value(controls[at], value);
    if (!asked) return asked.error();
    settings.values[at] = clamped(controls[at], *asked);
    note_change(controls[at], *asked, settings.values[at], settings);
  }
  return settings;
}

std::string value_text(const Control& control, double value) {
  if (control.is_choice())
    return std::string(control.choices[static_cast<std::size_t>(value)].label);
  std::string text = significant(value, 9);
  if (!control.unit.empty()) text.append(" ").append(control.unit);
  return text;
}

}  // namespace figures::models
