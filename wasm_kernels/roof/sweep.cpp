// A walk along the roofline: reads an array with a chosen amount of arithmetic per element.
//
// Each element passes through `degree` multiply-adds, so the intensity is a parameter, and one
// kernel visits both sides of the ridge point and the ridge point itself (Lo et al., "Roofline
// model toolkit", 2014). The addition that sums the elements is not counted, because some
// processors run it in parallel with the multiply-adds.
#include "../families.hpp"
#include "../memory.hpp"
#include "../simd.hpp"

namespace kernels {
namespace {

// Vectors per turn: enough chains to saturate the units, few enough for the registers.
constexpr int width = 10;
// X * -1 - 1 alternates between two values, so it never grows or vanishes
constexpr float constant = -1;

struct Array {
  float* x;
  float* sums;
  std::size_t count;
  std::size_t size;
};

// Arguments: w, degree.
Array lay_out(const Args& args, void* base) {
  Arena arena(base);
  Array a{};
  a.count = std::size_t(args.value[0]) / sizeof(float) / (width * lanes) * (width * lanes);
  a.x = arena.take<float>(a.count);
  a.sums = arena.take<float>(lanes + 1);
  a.size = arena.used();
  return a;
}

// region: sweep
void sweep(const float* x, std::size_t count, int degree, float* result) {
  const f32x4 a = splat(result[lanes]);  // the constant, which the compiler must not know
  f32x4 sums[2] = {};

  for (const float* const end = x + count; x < end; x += width * lanes) {
    f32x4 y[width];
#pragma GCC unroll 16
    for (int v = 0; v < width; ++v) y[v] = load(x + v * lanes);

    for (int step = 0; step < degree; ++step) {
#pragma GCC unroll 16
      for (int v = 0; v < width; ++v) y[v] = madd(y[v], a, a);
    }

#pragma GCC unroll 16
    for (int v = 0; v < width; ++v) sums[v % 2] += y[v];
  }
  store(result, sums[0] + sums[1]);
}
// end region: sweep

std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

void prepare(const Args& args, void* base) {
  const Array a = lay_out(args, base);
  fill(a.x, a.count);
  clear(a.sums, lanes);
  a.sums[lanes] = constant;
}

void run(const Args& args, void* base, int reps) {
  const Array a = lay_out(args, base);
  for (int rep = 0; rep < reps; ++rep) sweep(a.x, a.count, int(args.value[1]), a.sums);
}

double flops(const Args& args) { return double(lay_out(args, nullptr).count) * 2 * args.value[1]; }
double bytes(const Args& args) { return double(lay_out(args, nullptr).count) * sizeof(float); }

// The error is relative to the number of elements, whose values are of order one.
double verify(const Args& args, void* base, double* tolerance) {
  const Array a = lay_out(args, base);
  const bool odd = int(args.value[1]) % 2;
  double expected = 0, found = 0;
  for (std::size_t i = 0; i < a.count; ++i) expected += odd ? constant - a.x[i] : a.x[i];
  for (int i = 0; i < lanes; ++i) found += a.sums[i];
  *tolerance = 1e-6;
  return distance(expected, found) / double(a.count);
}

}  // namespace

const Kernel roof_sweep = {.id = "roof.sweep",
                           .title = "A read with any amount of arithmetic",
                           .unit = "GFLOP/s",
                           .roof_class = vector_class,
                           .element = "f32",
                           .source = "wasm_kernels/roof/sweep.cpp#sweep",
                           .bytes_count = "each float once, read",
                           .params = {{.name = "w",
                                       .unit = "B",
                                       .doc = "working set: the array",
                                       .default_value = 64 << 20,
                                       .min = 4096,
                                       .max = double(1 << 30)},
                                      {.name = "degree",
                                       .doc = "multiply-adds for each element",
                                       .default_value = 8,
                                       .min = 1,
                                       .max = 256}},
                           .flops = flops,
                           .bytes = bytes,
                           .memory = memory,
                           .prepare = prepare,
                           .run = run,
                           .verify = verify};

}  // namespace kernels
