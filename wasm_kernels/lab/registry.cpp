#include "lab.hpp"

namespace kernels {
namespace {

const Kernel* const all[] = {
    &op_add_f32,    &op_mul_f32,   &op_div_f32,  &op_add_i32, &op_mul_i32,
    &op_shuffle,    &op_convert,   &op_widen,    &op_load,    &op_store,
#if !defined(__wasm__) || defined(__wasm_relaxed_simd__)
    &op_madd_f32,   &op_dot_i8,
#endif
    &core_pingpong, &core_sharing, &core_loaded,
};

}  // namespace

Registry registry() { return {all, int(sizeof all / sizeof all[0])}; }

}  // namespace kernels
