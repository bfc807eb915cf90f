#include "registry.hpp"

#include "families.hpp"

namespace kernels {
namespace {

const Kernel* const all[] = {
    &peak_scalar,     &peak_simd,
#if !defined(__wasm__) || defined(__wasm_relaxed_simd__)
    &peak_fma,        &peak_i8dot,
#endif
    &stream_read,     &stream_write,        &stream_add,
    &stream_copy,     &stream_triad,        &stream_memcopy,
    &roof_sweep,      &latency_chase,       &parallelism_chase,
    &matmul_naive,    &matmul_reordered,    &matmul_vector,
    &matmul_tiled,    &matmul_tiled_cache,  &matmul_packed,
    &matmul_parallel, &elementwise_unfused, &elementwise_fused,
    &matvec_f32,      &matvec_bf16,         &matvec_i8,
    &matvec_i4,       &mlp_unfused,         &mlp_fused,
    &attention_naive, &attention_tiled,     &conv_direct,
    &conv_blocked,    &conv_im2col,         &sparse_csr,
    &sparse_bitmap,   &sparse_2to4,         &allreduce_ring,
    &allreduce_tree,
};

}  // namespace

Registry registry() { return {all, int(sizeof all / sizeof all[0])}; }

}  // namespace kernels
