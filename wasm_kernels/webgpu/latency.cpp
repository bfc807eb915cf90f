// Latency: chase.wgsl (one load after another) and inflight.wgsl (many at the same time).
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr Index line_floats = 32;  // one element every 128 bytes
constexpr double steps = 16384;

constexpr Param chased{"w", "B", "bytes that the cycle is spread over; 0: the most up to 256 MiB",
                       0,   0,   256 * mebibyte};

double one(const Args&) { return 4 * steps; }
double chase_steps(const Args&) { return steps; }
Index elements(const Args& args) {
  return Index(size_or(args.value[0], 256 * mebibyte) / (4 * line_floats));
}

// Sattolo's shuffle (1986): one cycle through all elements.
void lay_out_cycle(Index count, Index* next) {
  for (Index i = 0; i < count; ++i) next[i] = i;
  for (Index i = count - 1; i > 0; --i) {
    const Index j = scramble(i) % i, kept = next[i];
    next[i] = next[j];
    next[j] = kept;
  }
}

// A lane follows 16,384 elements, starting at element 0. The reference needs the cycle, so verify()
// reads the memory of a chase, too.
struct Chase {
  static Index outputs(const Args&) { return 1; }
  static std::size_t input_bytes(const Args& args) { return elements(args) * sizeof(Index); }
  static void lay_out(const Args& args, void* input) {
    lay_out_cycle(elements(args), static_cast<Index*>(input));
  }
};
float end_of_chase(const Args& args, const void* base) {
  const auto* next =
      reinterpret_cast<const Index*>(static_cast<const char*>(base) + input_offset<Chase>(args));
  Index at = 0;
  for (int i = 0; i < int(steps); ++i) at = next[at];
  return float(at);
}
void run_chase(const Args& args, void* base, int) {
  *static_cast<float*>(base) = end_of_chase(args, base);
}
double verify_chase(const Args& args, void* base, double* tolerance) {
  *tolerance = 0;
  return larger(0, distance(*static_cast<const float*>(base), end_of_chase(args, base)));
}

constexpr double load_counts[] = {1, 2, 4, 8};
constexpr Param lanes{"lanes", "", "threads that load", 65536, 32, 1 << 20};
constexpr Param loads{"loads",     "", "independent loads of each before it waits", 1, 1, 8,
                      load_counts, 4};
constexpr Param spread{"w", "B", "bytes that are read; 0: the most up to 256 MiB",
                       0,   0,   256 * mebibyte};

// Each lane loads every lanes-th float of the buffer, at most 2^15 floats. A few lanes then use
// lines that are far apart, so that no cache holds them.
constexpr Index most_loads = 1 << 15;
Index inflight_floats(const Args& args) {
  return Index(size_or(args.value[2], 256 * mebibyte) / 4);
}
Index lane_loads(const Args& args) {
  const Index whole = inflight_floats(args) / Index(args.value[0]) / 8 * 8;
  return whole > most_loads ? most_loads : whole > 8 ? whole : 8;
}
Index step_floats(const Args& args) {
  const Index apart = inflight_floats(args) / most_loads + line_floats;
  return Index(args.value[0]) > apart ? Index(args.value[0]) : apart;
}
struct InFlight : NoInput {
  static Index outputs(const Args& args) { return Index(args.value[0]); }
  static float output(const Args& args, Index lane) {
    const Index count = inflight_floats(args), step = step_floats(args);
    float sum = 0;
    for (Index i = 0; i < lane_loads(args); ++i)
      sum += value(Index((std::uint64_t(i) * step + lane) % count));
    return sum;
  }
};
double inflight_bytes(const Args& args) { return 4.0 * args.value[0] * lane_loads(args); }

constexpr Kernel chase() {
  Kernel kernel{.id = "gpu.chase",
                .title = "GPU: one load after the other",
                .unit = "ns",
                .roof_class = "latency",
                .element = "u32",
                .source = "wasm_kernels/webgpu/chase.wgsl#chase",
                .bytes_count = "the index that each step loads",
                .params = {chased},
                .flops = chase_steps,
                .bytes = one};
  kernel.memory = memory<Chase>;
  kernel.prepare = prepare<Chase>;
  kernel.run = run_chase;
  kernel.verify = verify_chase;
  return kernel;
}

}  // namespace

const Kernel gpu_chase = chase();

const Kernel gpu_inflight =
    completed<InFlight>({.id = "gpu.inflight",
                         .title = "GPU: many loads in flight",
                         .unit = "GB/s",
                         .roof_class = "memory",
                         .element = "f32",
                         .source = "wasm_kernels/webgpu/inflight.wgsl#inflight",
                         .bytes_count = "each float that a lane loads",
                         .params = {lanes, loads, spread},
                         .flops = no_operations,
                         .bytes = inflight_bytes});

}  // namespace kernels
