// A machine that has measured whatever is asked of it. The book has no recorded GPU, so what an author
// writes about one is checked against this: names, parameters and units, though no number.
#pragma once

#include <span>

#include "generator/load/values.hpp"

namespace primer {

// Does any of these need a GPU?
bool needs_gpu(std::span<const figures::Name> names);

// The reference machine, with a result of 1 in its unit for every kernel of a GPU that `names` asks
// for. Parameters that a kernel does not have stay out; looking the name up reports them.
figures::Profile stand_in(std::span<const figures::Name> names, const Values& values);

}  // namespace primer
