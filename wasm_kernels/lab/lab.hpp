// Kernels for what is tried by hand on /machine/: single instructions, lines that go from core to core, and
// waits under load. Their registry takes the place of registry.cpp's, so that no other page loads them.
#pragma once
#include "../registry.hpp"

namespace kernels {

extern const Kernel op_add_f32, op_mul_f32, op_div_f32, op_add_i32, op_mul_i32;
extern const Kernel op_shuffle, op_convert, op_widen, op_load, op_store;
extern const Kernel op_madd_f32, op_dot_i8;
extern const Kernel core_pingpong, core_sharing, core_loaded;

}  // namespace kernels
