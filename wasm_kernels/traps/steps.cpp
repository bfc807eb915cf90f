// Arithmetic in a loop of a chosen length: one long call, or many short calls of the same code.
#include <cstdint>

#include "../memory.hpp"
#include "../simd.hpp"
#include "traps.hpp"

namespace kernels {
namespace {

constexpr int chains = 8;

struct Memory {
  float* x;       // the chains, followed by a
  double* taken;  // steps so far
  std::size_t size;
};

Memory lay_out(void* base) {
  Arena arena(base);
  Memory m{};
  m.x = arena.take<float>((chains + 1) * lanes);
  m.taken = arena.take<double>(1);
  m.size = arena.used();
  return m;
}

void prepare(const Args&, void* base) {
  const Memory m = lay_out(base);
  for (int i = 0; i < chains * lanes; ++i) m.x[i] = float(i + 1);
  m.x[chains * lanes] = -1;
  *m.taken = 0;
}

// region: steps
// x * a + a with a = -1 alternates between two values and never grows.
[[gnu::noinline]] void run_steps(float* x, int steps) {
  f32x4 value[chains];
#pragma GCC unroll 8
  for (int c = 0; c < chains; ++c) value[c] = load(x + c * lanes);
  const f32x4 a = splat(x[chains * lanes]);
#pragma GCC unroll 1
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 8
    for (int c = 0; c < chains; ++c) value[c] = value[c] * a + a;
  }
#pragma GCC unroll 8
  for (int c = 0; c < chains; ++c) store(x + c * lanes, value[c]);
}
// end region: steps

void run(const Args& args, void* base, int reps) {
  const Memory m = lay_out(base);
  for (int rep = 0; rep < reps; ++rep) run_steps(m.x, int(args.value[0]));
  *m.taken += double(reps) * args.value[0];
}

// After an even number of steps, x has its first value; after an odd number, -x - 1.
double verify(const Args&, void* base, double* tolerance) {
  const Memory m = lay_out(base);
  const bool is_odd = std::uint64_t(*m.taken) % 2 == 1;
  double error = *m.taken > 0 ? 0 : 1;
  for (int i = 0; i < chains * lanes; ++i)
    error = larger(error, distance(m.x[i], is_odd ? -(i + 1) - 1 : i + 1));
  *tolerance = 0;
  return error;
}

double flops(const Args& args) { return 2.0 * chains * lanes * args.value[0]; }
std::size_t memory(const Args&) { return lay_out(nullptr).size; }

}  // namespace

const Kernel trap_steps = {.id = "trap.steps",
                           .title = "Multiply and add",
                           .unit = "GFLOP/s",
                           .roof_class = "simd",
                           .element = "f32",
                           .source = "wasm_kernels/traps/steps.cpp#steps",
                           .bytes_count = "nothing: all values stay in registers",
                           .params = {{.name = "steps",
                                       .doc = "turns of the loop in one call",
                                       .default_value = 1001,
                                       .min = 1,
                                       .max = 1e9}},
                           .flops = flops,
                           .bytes = no_operations,
                           .memory = memory,
                           .prepare = prepare,
                           .run = run,
                           .verify = verify};

}  // namespace kernels
