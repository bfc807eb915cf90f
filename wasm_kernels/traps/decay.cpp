// Repeats y = y / 2 + b in an array that fits into L1. It converges to 2 b. With b = 1 these are
// normal numbers; with b = 1e-40 they are denormals, which many processors handle in microcode.
#include "../memory.hpp"
#include "../simd.hpp"
#include "traps.hpp"

namespace kernels {
namespace {

constexpr std::size_t count = 2048;  // floats
constexpr float normal = 1, denormal = 1e-40f;

struct Memory {
  float* y;
  float* b;
  std::size_t size;
};

Memory lay_out(void* base) {
  Arena arena(base);
  Memory m{};
  m.y = arena.take<float>(count);
  m.b = arena.take<float>(1);
  m.size = arena.used();
  return m;
}

void prepare(void* base, float b) {
  const Memory m = lay_out(base);
  for (std::size_t i = 0; i < count; ++i) m.y[i] = b;
  *m.b = b;
}
void prepare_normal(const Args&, void* base) { prepare(base, normal); }
void prepare_denormal(const Args&, void* base) { prepare(base, denormal); }

// region: decay
void run(const Args&, void* base, int reps) {
  const Memory m = lay_out(base);
  const f32x4 b = splat(*m.b), half = splat(0.5f);
  for (int rep = 0; rep < reps; ++rep) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < count; i += lanes) store(m.y + i, load(m.y + i) * half + b);
  }
}
// end region: decay

// After any number of steps, all values are equal and between b and 2 b (after many steps 2 b,
// except for the last bit of a denormal).
double verify(const Args&, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  const double b = *m.b;
  double error = 0;
  for (std::size_t i = 0; i < count; ++i) {
    error = larger(error, distance(m.y[i], m.y[0]) / b);
    error = larger(error, m.y[i] > 1.4 * b && m.y[i] < 2.01 * b ? 0 : 1);
  }
  *tolerance = 0;
  return error;
}

double flops(const Args&) { return 2 * count; }
double bytes(const Args&) { return 2 * sizeof(float) * count; }
std::size_t memory(const Args&) { return lay_out(nullptr).size; }

constexpr Kernel kernel(const char* variant, const char* title,
                        void (*prepare_it)(const Args&, void*)) {
  return {.id = "trap.decay",
          .variant = variant,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = "simd",
          .element = "f32",
          .source = "wasm_kernels/traps/decay.cpp#decay",
          .bytes_count = "the array, read and written",
          .params = {},
          .flops = flops,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare_it,
          .run = run,
          .verify = verify};
}

}  // namespace

const Kernel trap_decay_normal = kernel("normal", "Ordinary numbers", prepare_normal);
const Kernel trap_decay_denormal = kernel("denormal", "Denormal numbers", prepare_denormal);

}  // namespace kernels
