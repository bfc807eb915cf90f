// The arithmetic roofs: peak_f32.wgsl, peak_f16.wgsl, peak_i8dot.wgsl.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr int lanes_per_group = 256, chains = 16, trips = 512;
constexpr double usual_groups = 1024;

constexpr Param groups{"groups", "", "workgroups of 256 lanes; 0: doubled until that gains nothing",
                       0,        0,  65535};

double lanes(const Args& args) { return size_or(args.value[0], usual_groups) * lanes_per_group; }
double vector_operations(const Args& args) { return lanes(args) * chains * 4 * trips * 2; }
double byte_operations(const Args& args) { return lanes(args) * chains * trips * 8; }
double answer_bytes(const Args& args) { return lanes(args) * sizeof(float); }

struct Lanes : NoInput {
  static Index outputs(const Args& args) { return Index(lanes(args)); }
};

// x = x * 1 + 1, so each chain counts its own steps from where it began.
struct FusedChains : Lanes {
  static float output(const Args&, Index lane) {
    float sum = 0;
    for (int c = 0; c < chains; ++c)
      for (int j = 0; j < 4; ++j) sum += float(lane % 8) + float(c + j) + trips;
    return sum;
  }
};

int dot(Index a, Index b) {
  int sum = 0;
  for (int byte = 0; byte < 32; byte += 8)
    sum += int(std::int8_t(a >> byte)) * int(std::int8_t(b >> byte));
  return sum;
}

// x = x + x · y over four bytes each, modulo 2^32; 24 bits of the sum, which a float holds.
struct DotChains : Lanes {
  static float output(const Args&, Index lane) {
    Index sum = 0;
    for (int c = 0; c < chains; ++c) {
      Index x = lane % 8 + Index(c);
      for (int i = 0; i < trips; ++i) x += Index(dot(x, 0x01ff0203u));
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
                            .params = {groups},
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
                            .params = {groups},
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
                          .params = {groups},
                          .flops = byte_operations,
                          .bytes = answer_bytes});

}  // namespace kernels
