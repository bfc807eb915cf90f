// A fake profile that has a result for every kernel it is asked for. The book has no recorded GPU,
// and its reference machine has not run every kernel. Expressions over such kernels are checked
// against this profile, which finds wrong names, parameters and units although the numbers mean
// nothing.
#pragma once

#include <span>

#include "generator/core/load/values.hpp"

namespace primer {

// The kernel, or the variant of one, that a name means. Null: the name is not a kernel.
const figures::KernelInfo* kernel_of(const figures::Name& name, const Values& values);

// Whether any of the names is a GPU kernel.
bool needs_gpu(std::span<const figures::Name> names);

// Whether any of the names is a GPU kernel or a kernel that the reference machine never ran.
bool needs_stand_in(std::span<const figures::Name> names, const Values& values);

// The reference profile plus a result of 1, in the kernel's unit, for each such kernel in `names`.
// Unknown parameters are not added, so that looking up the name reports them.
figures::Profile stand_in(std::span<const figures::Name> names, const Values& values);

}  // namespace primer
