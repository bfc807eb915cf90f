// What a specification of each kind may look like; natively alone, since pages hold what the build
// has checked.
#pragma once

#include <span>
#include <string_view>

#include "figures/spec/shape.hpp"

namespace figures {

// In the order of the kinds' groups; each has the kind's name.
std::span<const Shape> shapes();

// Null: no such kind.
const Shape* shape_of(std::string_view kind);

}  // namespace figures
