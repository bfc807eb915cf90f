// The compute roofs of the GPU: peak_f32.wgsl, peak_f16.wgsl, peak_i8dot.wgsl.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

// A lane does 4,096 steps in total, regardless of the number of chains: FP16 still counts that many
// exactly.
constexpr int lanes_per_group = 256, steps = 4096;
constexpr double usual_groups = 1024, usual_chains = 8;

constexpr Param groups{"groups", "", "workgroups of 256 lanes; 0: doubled until that gains nothing",
                       0,        0,  65535};
constexpr double chain_counts[] = {0, 4, 8, 16};
constexpr Param chains{
    "chains",     "", "independent sequences of steps; 0: the fastest number of them", 0, 0, 16,
    chain_counts, 4};

int chains_of(const Args& args) { return int(size_or(args.value[1], usual_chains)); }
double lanes(const Args& args) { return size_or(args.value[0], usual_groups) * lanes_per_group; }
double vector_operations(const Args& args) { return lanes(args) * steps * 4 * 2; }
double byte_operations(const Args& args) { return lanes(args) * steps * 8; }
double answer_bytes(const Args& args) { return lanes(args) * sizeof(float); }

struct Lanes : NoInput {
  static Index outputs(const Args& args) { return Index(lanes(args)); }
};

// x = x * 1 + 1, so each chain counts its own steps from its starting value.
struct FusedChains : Lanes {
  static float output(const Args& args, Index lane) {
    const int count = chains_of(args);
    float sum = 0;
    for (int c = 0; c < count; ++c)
      for (int j = 0; j < 4; ++j) sum += float(lane % 8) + float(c + j) + float(steps / count);
    return sum;
  }
};

int dot(Index a, Index b) {
  int sum = 0;
  for (int byte = 0; byte < 32; byte += 8)
    sum += int(std::int8_t(a >> byte)) * int(std::int8_t(b >> byte));
  return sum;
}

// x = x + x · y over four bytes each, modulo 2^32. The answer is 24 bits of the sum, which a float
// holds exactly.
struct DotChains : Lanes {
  static float output(const Args& args, Index lane) {
    const int count = chains_of(args);
    Index sum = 0;
    for (int c = 0; c < count; ++c) {
      Index x = lane % 8 + Index(c);
      for (int i = 0; i < steps / count; ++i) x += Index(dot(x, 0x01ff0203u));
      sum += x;
    }
    return float(sum >> 8);
  }
};

constexpr const char* counted = "one float for each lane";

}  // namespace

const Kernel gpu_peak_f32 =
    completed<FusedChains>({.id = "gpu.peak.f32",
                            .title = "GPU: multiply-add in FP32",
                            .unit = "GFLOP/s",
                            .roof_class = "f32",
                            .element = "f32",
                            .source = "wasm_kernels/webgpu/peak_f32.wgsl#peak",
                            .bytes_count = counted,
                            .params = {groups, chains},
                            .flops = vector_operations,
                            .bytes = answer_bytes});

const Kernel gpu_peak_f16 =
    completed<FusedChains>({.id = "gpu.peak.f16",
                            .title = "GPU: multiply-add in FP16",
                            .unit = "GFLOP/s",
                            .roof_class = "f16",
                            .element = "f16",
                            .needs = "shader-f16",
                            .source = "wasm_kernels/webgpu/peak_f16.wgsl#peak",
                            .bytes_count = counted,
                            .params = {groups, chains},
                            .flops = vector_operations,
                            .bytes = answer_bytes});

const Kernel gpu_peak_i8dot =
    completed<DotChains>({.id = "gpu.peak.i8dot",
                          .title = "GPU: dot products of four 8-bit integers",
                          .unit = "Gop/s",
                          .roof_class = "i8",
                          .element = "i8",
                          .source = "wasm_kernels/webgpu/peak_i8dot.wgsl#peak",
                          .bytes_count = counted,
                          .params = {groups, chains},
                          .flops = byte_operations,
                          .bytes = answer_bytes});

}  // namespace kernels
