// The cost of divergent lanes in a warp: branch.wgsl, for gpu.width and gpu.diverge.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr Index lanes = 1u << 18;
constexpr double usual_trips = 512;

// The last parameter of each kernel; gpu.width has another one before it.
template <int place>
double trips(const Args& args) {
  return size_or(args.value[place], usual_trips);
}
template <int place>
double useful_operations(const Args& args) {
  return double(lanes) * trips<place>(args) * 2;
}
double answer_bytes(const Args&) { return double(lanes) * 8; }

// The path of a lane, for each of the two kernels.
Index by_width(const Args& args, Index lane) {
  const Index k = Index(args.value[0]);
  return k == 0 ? 0 : lane / k % 2;
}
Index none(const Args&, Index) { return 0; }
Index half(const Args&, Index lane) { return scramble(lane) >> 31; }
Index rare(const Args&, Index lane) { return scramble(lane) >> 26 == 0 ? 1 : 0; }
Index by_group(const Args&, Index lane) { return lane / 256 % 2; }
Index eight(const Args&, Index lane) { return scramble(lane) >> 29; }

// Path p adds p + 1 per iteration.
template <Index (*path)(const Args&, Index), int place>
struct Paths {
  static Index outputs(const Args&) { return lanes; }
  static float output(const Args& args, Index lane) {
    return value(lane) + float(trips<place>(args) * (path(args, lane) + 1));
  }
  static std::size_t input_bytes(const Args&) { return lanes * sizeof(Index); }
  static void lay_out(const Args& args, void* input) {
    for (Index lane = 0; lane < lanes; ++lane) static_cast<Index*>(input)[lane] = path(args, lane);
  }
};

constexpr double widths[] = {0, 1, 2, 4, 8, 16, 32, 64, 128, 256};
constexpr Param neighbours{
    "k", "", "neighbours that take the same of two paths; 0: one path", 0, 0, 256, widths, 10};

constexpr Param length{
    "trips", "", "of each path; 0: as many as make a run last half a millisecond", 0, 0, 1 << 20};

constexpr Kernel branch(const char* variant, const char* title) {
  return {.id = "gpu.diverge",
          .variant = variant,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = "f32",
          .element = "f32",
          .source = "wasm_kernels/webgpu/branch.wgsl#branch",
          .bytes_count = "the path and the result of each lane",
          .params = {length},
          .flops = useful_operations<0>,
          .bytes = answer_bytes};
}

constexpr Kernel width() {
  Kernel kernel = branch("", "GPU: two paths, alternating every k lanes");
  kernel.id = "gpu.width";
  kernel.params[0] = neighbours;
  kernel.params[1] = length;
  kernel.flops = useful_operations<1>;
  return kernel;
}

}  // namespace

const Kernel gpu_width = completed<Paths<by_width, 1>>(width());
const Kernel gpu_diverge_uniform = completed<Paths<none, 0>>(branch("uniform", "GPU: one path"));
const Kernel gpu_diverge_random =
    completed<Paths<half, 0>>(branch("random", "GPU: each lane takes one of two paths at random"));
const Kernel gpu_diverge_rare =
    completed<Paths<rare, 0>>(branch("rare", "GPU: one lane in 64 takes another path"));
const Kernel gpu_diverge_group = completed<Paths<by_group, 0>>(
    branch("group", "GPU: whole groups of 256 take one of two paths"));
const Kernel gpu_diverge_eight = completed<Paths<eight, 0>>(
    branch("eight", "GPU: each lane takes one of eight paths at random"));

}  // namespace kernels
