// The list of models. A page loads them in groups, one module per group, because a module with all
// models would be too large for a reader who needs one.
#pragma once

#include <span>
#include <string_view>

#include "figures/models/models.hpp"

namespace figures::models {

struct Named {
  std::string_view name;
  std::unique_ptr<Model> (*make)();
};

std::span<const Named> layers_models();  // chapters 0 to 2, 8: models-layers.wasm
std::span<const Named> chips_models();   // chapters 3, 4, 8: models-chips.wasm
std::span<const Named> knobs_models();   // chapters 5 and 7: models-knobs.wasm
std::span<const Named> many_models();    // chapter 6: models-many.wasm

// All models in a native build; only its own group in a page's module. Sorted by name.
std::span<const Named> registry();

}  // namespace figures::models
