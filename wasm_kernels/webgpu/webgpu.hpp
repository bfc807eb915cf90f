// The kernels in WGSL: their descriptions, their counts, and the reference for a GPU's answers. The
// browser runs the WGSL files in this folder (site/runtime/gpu/*.js). `run` computes the same on
// the processor, one output at a time, and is never timed.
//
// The memory of such a kernel: `base` holds the answer in floats, either all outputs, if there are
// at most 65,536, or 4,096 samples. After it, 64 bytes apart, is what the page uploads (a cycle, or
// a path per lane). If a parameter leaves something open (0), the page decides, and counts with its
// choice.
#pragma once
#include "../memory.hpp"
#include "../registry.hpp"

namespace kernels {

Registry webgpu_registry();

extern const Kernel gpu_peak_f32, gpu_peak_f16, gpu_peak_i8dot;
extern const Kernel gpu_read, gpu_copy, gpu_triad, gpu_sweep;
extern const Kernel gpu_chase, gpu_inflight;
extern const Kernel gpu_width, gpu_diverge_uniform, gpu_diverge_random, gpu_diverge_rare;
extern const Kernel gpu_diverge_group, gpu_diverge_eight;
extern const Kernel gpu_stride, gpu_wgmem;
extern const Kernel gpu_matmul_strided, gpu_matmul_naive, gpu_matmul_tiled, gpu_matmul_regblock;
extern const Kernel gpu_matmul_vec4, gpu_matmul_f16, gpu_matmul_tuned;
extern const Kernel gpu_launch_dispatch, gpu_launch_submit, gpu_launch_trip;
extern const Kernel gpu_upload, gpu_download;

namespace webgpu {

using Index = std::uint32_t;

inline constexpr Index most_answers = 65536, sampled_answers = 4096;
inline constexpr double mebibyte = 1024 * 1024;

// A deterministic hash; fill.wgsl and gather.wgsl have the same one.
inline Index scramble(Index x) {
  x = x * 747796405u + 2891336453u;
  x = ((x >> ((x >> 28) + 4u)) ^ x) * 277803737u;
  return (x >> 22) ^ x;
}
// The number that fill.wgsl writes at position i: an integer from -3 to 4.
inline float value(Index i) { return float(int(scramble(i) >> 29) - 3); }

inline Index answers(Index outputs) { return outputs <= most_answers ? outputs : sampled_answers; }
// The index of the output for answer k: k itself or, for many outputs, the first, the last, and
// random ones in between.
inline Index sample_index(Index k, Index outputs) {
  if (outputs <= most_answers || k == 0) return k;
  return k == 1 ? outputs - 1 : scramble(k) % outputs;
}

// The functions of a Kernel, built from its reference: a type with `outputs(args)`, `output(args,
// index)` and, if the page uploads something, `input_bytes(args)` and `lay_out(args, input)`.
struct NoInput {
  static std::size_t input_bytes(const Args&) { return 0; }
  static void lay_out(const Args&, void*) {}
};

template <class Reference>
std::size_t input_offset(const Args& args) {
  return (std::size_t(answers(Reference::outputs(args))) * sizeof(float) + 63) / 64 * 64;
}
template <class Reference>
std::size_t memory(const Args& args) {
  return input_offset<Reference>(args) + Reference::input_bytes(args);
}
template <class Reference>
void prepare(const Args& args, void* base) {
  float* const answer = static_cast<float*>(base);
  for (Index k = 0; k < answers(Reference::outputs(args)); ++k) answer[k] = __builtin_nanf("");
  Reference::lay_out(args, static_cast<char*>(base) + input_offset<Reference>(args));
}
template <class Reference>
void run(const Args& args, void* base, int) {
  float* const answer = static_cast<float*>(base);
  const Index outputs = Reference::outputs(args);
  for (Index k = 0; k < answers(outputs); ++k)
    answer[k] = Reference::output(args, sample_index(k, outputs));
}
// All numbers are integers that their format holds exactly in any order of additions, so no error
// is allowed. A NaN, which prepare() writes, is larger than any error.
template <class Reference>
double verify(const Args& args, void* base, double* tolerance) {
  const float* const answer = static_cast<const float*>(base);
  const Index outputs = Reference::outputs(args);
  double error = 0;
  for (Index k = 0; k < answers(outputs); ++k)
    error = larger(error, distance(answer[k], Reference::output(args, sample_index(k, outputs))));
  *tolerance = 0;
  return error;
}

template <class Reference>
constexpr Kernel completed(Kernel kernel) {
  kernel.memory = memory<Reference>;
  kernel.prepare = prepare<Reference>;
  kernel.run = run<Reference>;
  kernel.verify = verify<Reference>;
  return kernel;
}

// The size of a buffer: the parameter, or the default for 0.
inline double size_or(double given, double usual) { return given > 0 ? given : usual; }

}  // namespace webgpu
}  // namespace kernels
