// Sums an array: with too few accumulators, with enough, with a sum that is never read, and over
// pages that have never been written.
#include "../memory.hpp"
#include "../simd.hpp"
#include "traps.hpp"

namespace kernels {
namespace {

constexpr int several = 8;
constexpr std::size_t block = several * lanes;

struct Array {
  std::size_t count;  // floats
  float* values;
  float* sums;  // one vector
  std::size_t size;
};

Array lay_out(const Args& args, void* base) {
  Arena arena(base);
  Array m{};
  m.count = std::size_t(args.value[0]) / sizeof(float) / block * block;
  m.values = arena.take<float>(m.count);
  m.sums = arena.take<float>(lanes);
  m.size = arena.used();
  return m;
}

// region: sums
template <int chains>
f32x4 sum_up(Array m) {
  f32x4 sums[chains] = {};
  const float* const end = m.values + m.count;
#pragma GCC unroll 1
  for (; m.values < end; m.values += block) {
#pragma GCC unroll 8
    for (int j = 0; j < several; ++j) sums[j % chains] += load(m.values + j * lanes);
  }
  f32x4 total = sums[0];
  for (int c = 1; c < chains; ++c) total += sums[c];
  return total;
}

template <int chains>
void run(const Args& args, void* base, int reps) {
  const Array m = lay_out(args, base);
  for (int rep = 0; rep < reps; ++rep) store(m.sums, sum_up<chains>(m));
}

// The sum is never read, so the compiler removes the loop. The empty statement keeps it from
// removing the repetitions, too.
void run_dead(const Args& args, void* base, int reps) {
  const Array m = lay_out(args, base);
  for (int rep = 0; rep < reps; ++rep) {
    sum_up<several>(m);
    asm volatile("");
  }
}
// end region: sums

void prepare(const Args& args, void* base) {
  const Array m = lay_out(args, base);
  fill(m.values, m.count);
  clear(m.sums, lanes);
}

// Leaves the array as the system provided it and writes only to the place of the result.
void prepare_nothing(const Args& args, void* base) { clear(lay_out(args, base).sums, lanes); }

double verify(const Args& args, void* base, double* tolerance) {
  const Array m = lay_out(args, base);
  double expected = 0, magnitude = 1, found = 0;
  for (std::size_t i = 0; i < m.count; ++i) {
    expected += m.values[i];
    magnitude += m.values[i] < 0 ? -m.values[i] : m.values[i];
  }
  for (int i = 0; i < lanes; ++i) found += m.sums[i];
  *tolerance = 1e-7;
  return distance(found, expected) / magnitude;
}

double additions(const Args& args) { return double(lay_out(args, nullptr).count); }
double bytes(const Args& args) { return sizeof(float) * additions(args); }
std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

constexpr Kernel kernel(const char* id, const char* variant, const char* title, double size,
                        void (*prepare_it)(const Args&, void*),
                        void (*run_it)(const Args&, void*, int)) {
  return {.id = id,
          .variant = variant,
          .title = title,
          .unit = "GB/s",
          .roof_class = "memory",
          .element = "f32",
          .source = "wasm_kernels/traps/sums.cpp#sums",
          .bytes_count = "the array once",
          .params = {{.name = "w",
                      .unit = "B",
                      .doc = "bytes of the array",
                      .default_value = size,
                      .min = 4096,
                      .max = double(1 << 30)}},
          .flops = additions,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare_it,
          .run = run_it,
          .verify = verify};
}

constexpr double in_l1 = 16 << 10, in_no_cache = 256 << 20;

}  // namespace

const Kernel trap_sums_one = kernel("trap.sums", "one", "One sum", in_l1, prepare, run<1>);
const Kernel trap_sums_several =
    kernel("trap.sums", "several", "Eight sums", in_l1, prepare, run<several>);
const Kernel trap_sums_dead =
    kernel("trap.sums", "dead", "A sum that nobody reads", in_l1, prepare, run_dead);
const Kernel trap_pages_touched =
    kernel("trap.pages", "touched", "Pages written before", in_no_cache, prepare, run<several>);
const Kernel trap_pages_untouched = kernel("trap.pages", "untouched", "Pages never written",
                                           in_no_cache, prepare_nothing, run<several>);

}  // namespace kernels
