// The memory roofs of the GPU: read.wgsl, copy.wgsl, triad.wgsl, sweep.wgsl.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

constexpr double largest = 512 * mebibyte;

constexpr Param size{"w", "B", "bytes of all buffers together; 0: the most that this GPU grants",
                     0,   0,   largest};
constexpr Param working_set{"w",      "B",  "bytes that every group reads again and again",
                            mebibyte, 4096, largest};
constexpr Param repeats{
    "laps", "", "as many times over; 0: as many as make a run last half a millisecond", 0, 0, 256};

double w(const Args& args) { return size_or(args.value[0], 256 * mebibyte); }

// read: up to 2^18 lanes. Each reads every lanes-th vector of four floats, four vectors at a time.
Index read_lanes(double bytes) {
  Index lanes = 1u << 18;
  while (double(lanes) * 256 > bytes && lanes > 256) lanes /= 2;
  return lanes;
}

Index read_trips(double bytes) {
  const Index trips = Index(bytes / 16) / read_lanes(bytes) / 4 * 4;
  return trips > 4 ? trips : 4;
}

struct Sums : NoInput {
  static Index outputs(const Args& args) { return read_lanes(w(args)); }
  static float output(const Args& args, Index lane) {
    const Index lanes = outputs(args), vectors = read_trips(w(args)) * lanes;
    float sum = 0;
    for (Index i = lane; i < vectors; i += lanes)
      for (Index j = 0; j < 4; ++j) sum += value(4 * i + j);
    return sum;
  }
};

double whole_vectors(const Args& args) { return double(read_trips(w(args))) * read_lanes(w(args)); }
double read_bytes(const Args& args) { return whole_vectors(args) * 16; }
double read_operations(const Args& args) { return whole_vectors(args) * 4; }

// copy and triad: arrays of equal length, one vector per lane and iteration.
Index array_floats(const Args& args, int arrays) { return Index(w(args) / arrays / 4096) * 1024; }
struct Copied : NoInput {
  static Index outputs(const Args& args) { return array_floats(args, 2); }
  static float output(const Args&, Index i) { return value(i); }
};
struct Triad : NoInput {
  static Index outputs(const Args& args) { return array_floats(args, 3); }
  static float output(const Args& args, Index i) { return value(i) + 3 * value(i + outputs(args)); }
};
double copy_bytes(const Args& args) { return 8.0 * Copied::outputs(args); }
double triad_bytes(const Args& args) { return 12.0 * Triad::outputs(args); }
double triad_operations(const Args& args) { return 2.0 * Triad::outputs(args); }

// sweep: 1,024 groups of 256 lanes walk through the set in pieces of 4 KiB, four pieces at a time.
// Each group starts at a different piece. In a lap they read 64 MiB together, or the whole set if
// it is larger.
constexpr Index sweep_groups = 1024, piece_floats = 1024;
Index pieces(const Args& args) { return Index(args.value[0] / 4096); }
Index sweep_trips(const Args& args) {
  const Index once = (pieces(args) + sweep_groups * 4 - 1) / (sweep_groups * 4) * 4;
  const Index laps = Index(size_or(args.value[1], 1));
  return (once > 16 ? once : 16) * laps;
}
struct Sweep : NoInput {
  static Index outputs(const Args&) { return sweep_groups * 256; }
  static float output(const Args& args, Index lane) {
    const Index count = pieces(args), group = lane / 256;
    float sum = 0;
    Index piece = Index(std::uint64_t(group) * count / sweep_groups);
    for (Index trip = 0; trip < sweep_trips(args); ++trip) {
      for (Index j = 0; j < 4; ++j) sum += value(piece * piece_floats + lane % 256 * 4 + j);
      if (++piece == count) piece = 0;
    }
    return sum;
  }
};
double sweep_bytes(const Args& args) { return 4096.0 * sweep_groups * sweep_trips(args); }
double sweep_operations(const Args& args) { return sweep_bytes(args) / 4; }

}  // namespace

const Kernel gpu_read = completed<Sums>({.id = "gpu.read",
                                         .title = "GPU: read a buffer",
                                         .unit = "GB/s",
                                         .roof_class = "memory",
                                         .element = "f32",
                                         .source = "wasm_kernels/webgpu/read.wgsl#read",
                                         .bytes_count = "each float once, read",
                                         .params = {size},
                                         .flops = read_operations,
                                         .bytes = read_bytes});

const Kernel gpu_copy = completed<Copied>({.id = "gpu.copy",
                                           .title = "GPU: copy a buffer",
                                           .unit = "GB/s",
                                           .roof_class = "memory",
                                           .element = "f32",
                                           .source = "wasm_kernels/webgpu/copy.wgsl#copy",
                                           .bytes_count = "each float once read and once written",
                                           .params = {size},
                                           .flops = no_operations,
                                           .bytes = copy_bytes});

const Kernel gpu_triad = completed<Triad>({.id = "gpu.triad",
                                           .title = "GPU: a = b + 3 c",
                                           .unit = "GB/s",
                                           .roof_class = "memory",
                                           .element = "f32",
                                           .source = "wasm_kernels/webgpu/triad.wgsl#triad",
                                           .bytes_count = "two floats read and one written",
                                           .params = {size},
                                           .flops = triad_operations,
                                           .bytes = triad_bytes});

const Kernel gpu_sweep = completed<Sweep>({.id = "gpu.sweep",
                                           .title = "GPU: read a working set again and again",
                                           .unit = "GB/s",
                                           .roof_class = "memory",
                                           .element = "f32",
                                           .source = "wasm_kernels/webgpu/sweep.wgsl#sweep",
                                           .bytes_count = "each float that a lane reads",
                                           .params = {working_set, repeats},
                                           .flops = sweep_operations,
                                           .bytes = sweep_bytes});

}  // namespace kernels
