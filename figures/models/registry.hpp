// Which models there are. A page loads them in groups, one module each: all in one would be too large
// for somebody who wants one of them.
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

// All of them natively; in a page's module its own group. Sorted by name.
std::span<const Named> registry();

}  // namespace figures::models
