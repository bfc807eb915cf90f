// Declares all kernels of all families; registry.cpp sets their order.
#pragma once
#include "registry.hpp"

namespace kernels {

extern const Kernel peak_scalar, peak_simd, peak_fma, peak_i8dot;
extern const Kernel stream_read, stream_write, stream_add;
extern const Kernel stream_copy, stream_triad, stream_memcopy;
extern const Kernel roof_sweep, latency_chase, parallelism_chase;
extern const Kernel matmul_naive, matmul_reordered, matmul_vector;
extern const Kernel matmul_tiled, matmul_tiled_cache, matmul_packed, matmul_parallel;
extern const Kernel elementwise_unfused, elementwise_fused;
extern const Kernel matvec_f32, matvec_bf16, matvec_i8, matvec_i4;
extern const Kernel mlp_unfused, mlp_fused;
extern const Kernel attention_naive, attention_tiled;
extern const Kernel conv_direct, conv_blocked, conv_im2col;
extern const Kernel sparse_csr, sparse_bitmap, sparse_2to4;
extern const Kernel allreduce_ring, allreduce_tree;

}  // namespace kernels
