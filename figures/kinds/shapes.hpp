// The schema of each kind of spec. Native builds only, because the build has checked every spec
// that a page contains.
#pragma once

#include <span>
#include <string_view>

#include "figures/spec/shape.hpp"

namespace figures {

// In the order of the groups of kinds. The name of a schema is the name of its kind.
std::span<const Shape> shapes();

// Null: there is no such kind.
const Shape* shape_of(std::string_view kind);

}  // namespace figures
