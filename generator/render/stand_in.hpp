// A machine that has measured whatever is asked of it. The book has no recorded GPU, and its reference machine has not run
// every kernel, so what an author writes about these is checked against this: names, parameters and units, though no
// number.
#pragma once

#include <span>

#include "generator/load/values.hpp"

namespace primer {

// Does any of these need a GPU?
bool needs_gpu(std::span<const figures::Name> names);

// Does any of these need a GPU, or a kernel that the reference machine has never run?
bool needs_stand_in(std::span<const figures::Name> names, const Values& values);

// The reference machine, with a result of 1 in its unit for every such kernel that `names` asks
// for. Parameters that a kernel does not have stay out; looking the name up reports them.
figures::Profile stand_in(std::span<const figures::Name> names, const Values& values);

}  // namespace primer
