#include "webgpu.hpp"

namespace kernels {
namespace {

const Kernel* const all[] = {
    &gpu_peak_f32,
    &gpu_peak_f16,
    &gpu_peak_i8dot,
    &gpu_read,
    &gpu_copy,
    &gpu_triad,
    &gpu_sweep,
    &gpu_chase,
    &gpu_inflight,
    &gpu_width,
    &gpu_diverge_uniform,
    &gpu_diverge_random,
    &gpu_diverge_rare,
    &gpu_diverge_group,
    &gpu_diverge_eight,
    &gpu_stride,
    &gpu_wgmem,
    &gpu_matmul_strided,
    &gpu_matmul_naive,
    &gpu_matmul_tiled,
    &gpu_matmul_regblock,
    &gpu_matmul_vec4,
    &gpu_matmul_f16,
    &gpu_matmul_tuned,
    &gpu_launch_dispatch,
    &gpu_launch_submit,
    &gpu_launch_trip,
    &gpu_upload,
    &gpu_download,
};

}  // namespace

Registry webgpu_registry() { return {all, int(sizeof all / sizeof all[0])}; }

}  // namespace kernels
