// The addresses that the lanes of a warp access: stride.wgsl, and wgmem.wgsl for workgroup memory.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr Index stride_lanes = 1u << 18, line_floats = 8;

constexpr Param apart{"s", "", "floats from one element to the next", 1, 1, 64};
constexpr Param size{"w", "B", "bytes that the elements lie in; 0: the most up to 256 MiB",
                     0,   0,   256 * mebibyte};
constexpr Param repeats{
    "laps", "", "through all elements; 0: as many as make a run last half a millisecond",
    0,      0,  256};

// Each lane has four loads in flight, and a lap is a multiple of four loads. A lap begins eight
// floats after the previous one, so that widely spaced elements read new bytes instead of cached
// ones.
struct Stride {
  Index s, lanes, trips, laps;
};
Stride stride_of(const Args& args) {
  const Index s = Index(args.value[0]);
  const Index elements = Index(size_or(args.value[1], 256 * mebibyte) / 4) / s;
  Index lanes = stride_lanes;
  while (lanes > 256 && lanes * 4 > elements) lanes /= 2;
  const Index trips = elements / lanes / 4 * 4;
  const Index laps = Index(args.value[2]);
  return {s, lanes, trips > 4 ? trips : 4, laps > 0 ? laps : s > line_floats ? s / line_floats : 1};
}
struct Strided : NoInput {
  static Index outputs(const Args& args) { return stride_of(args).lanes; }
  static float output(const Args& args, Index lane) {
    const auto [s, lanes, trips, laps] = stride_of(args);
    float sum = 0;
    for (Index lap = 0; lap < laps; ++lap)
      for (Index trip = 0; trip < trips; ++trip)
        sum += value((trip * lanes + lane) * s + lap * line_floats % s);
    return sum;
  }
};
double stride_bytes(const Args& args) {
  const auto [s, lanes, trips, laps] = stride_of(args);
  return 4.0 * lanes * trips * laps;
}

constexpr Index bank_lanes = 1u << 18, bank_trips = 128, bank_words = 2048;
constexpr double strides[] = {1, 2, 4, 8, 16, 32, 33};
constexpr Param words{"s", "", "words from one lane's to the next one's", 1, 1, 33, strides, 7};

struct Banks : NoInput {
  static Index outputs(const Args&) { return bank_lanes; }
  static float output(const Args& args, Index lane) {
    const Index begin = lane % 256 * Index(args.value[0]);
    float sum = 0;
    for (Index trip = 0; trip < bank_trips; ++trip)
      for (Index j = 0; j < 8; ++j) sum += value((begin + 8 * trip) % bank_words + j);
    return sum;
  }
};
double bank_bytes(const Args&) { return 4.0 * 8 * bank_trips * bank_lanes; }

}  // namespace

const Kernel gpu_stride =
    completed<Strided>({.id = "gpu.stride",
                        .title = "GPU: read every s-th float",
                        .unit = "GB/s",
                        .roof_class = "memory",
                        .element = "f32",
                        .source = "wasm_kernels/webgpu/stride.wgsl#stride",
                        .bytes_count = "the floats that are used, in each lap",
                        .params = {apart, size, repeats},
                        .flops = no_operations,
                        .bytes = stride_bytes});

const Kernel gpu_wgmem = completed<Banks>({.id = "gpu.wgmem",
                                           .title = "GPU: read workgroup memory",
                                           .unit = "GB/s",
                                           .roof_class = "memory",
                                           .element = "f32",
                                           .source = "wasm_kernels/webgpu/wgmem.wgsl#wgmem",
                                           .bytes_count = "each float that a lane reads",
                                           .params = {words},
                                           .flops = no_operations,
                                           .bytes = bank_bytes});

}  // namespace kernels
