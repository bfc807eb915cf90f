// Runs a model with each of its settings, one after another.
#pragma once

#include <limits>
#include <nlohmann/json.hpp>
#include <vector>

#include "figures/models/render.hpp"

namespace figures::models {

constexpr int last_step = std::numeric_limits<int>::max();

// The initial settings, then one control at a time: each choice, and both ends of a slider.
inline std::vector<nlohmann::json> settings_of(const Model& model) {
  using nlohmann::json;
  std::vector<json> all = {json::object()};
  for (const Control& control : model.controls()) {
    if (control.is_choice())
      for (const Choice& choice : control.choices)
        all.push_back({{std::string(control.id), std::string(choice.id)}});
    else
      for (const double end : {control.low, control.high})
        all.push_back({{std::string(control.id), static_cast<std::int64_t>(end)}});
  }
  return all;
}

}  // namespace figures::models
