// Kernels that do not measure what they seem to, each paired with one that does: the module of
// /traps/. Their registry replaces registry.cpp in that module.
#pragma once
#include "../registry.hpp"

namespace kernels {

extern const Kernel trap_pages_touched, trap_pages_untouched;
extern const Kernel trap_decay_normal, trap_decay_denormal;
extern const Kernel trap_sums_one, trap_sums_several, trap_sums_dead;
extern const Kernel trap_chase_address, trap_chase_index;
extern const Kernel trap_steps;
extern const Kernel trap_columns_padded, trap_columns_page;

}  // namespace kernels
