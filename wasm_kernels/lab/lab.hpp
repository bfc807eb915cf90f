// Kernels for the experiments on /machine/: single instructions, lines shared between cores, and
// latency under load. Their registry replaces registry.cpp in a separate module, so that other
// pages do not load them.
#pragma once
#include "../registry.hpp"

namespace kernels {

extern const Kernel op_add_f32, op_mul_f32, op_div_f32, op_add_i32, op_mul_i32;
extern const Kernel op_shuffle, op_convert, op_widen, op_load, op_store;
extern const Kernel op_madd_f32, op_dot_i8;
extern const Kernel core_pingpong, core_sharing, core_loaded;

}  // namespace kernels
