// The bandwidth roofs: walks over arrays with almost no arithmetic, after McCalpin's STREAM (1995).
//
// The working set `w` is the total of all arrays, so that a size means the same cache level for
// each kernel. Only the bytes in the program count. A store to a line that is not in the cache
// makes the processor fetch the line first (write-allocate); this traffic is real, but it is not
// counted.
#include "../families.hpp"
#include "../memory.hpp"
#include "../simd.hpp"

namespace kernels {
namespace {

constexpr float scale = 3;
constexpr std::size_t block = 16 * lanes;  // floats; all loops advance by whole blocks

struct Arrays {
  std::size_t count;  // floats per array
  float* a;
  float* b;
  float* c;
  float* sums;  // of `read`: one vector
  std::size_t size;
};

template <int arrays>
Arrays lay_out(const Args& args, void* base) {
  Arena arena(base);
  Arrays m{};
  m.count = std::size_t(args.value[0]) / sizeof(float) / arrays / block * block;
  m.a = arena.take<float>(m.count);
  m.b = arrays > 1 ? arena.take<float>(m.count) : m.a;
  m.c = arrays > 2 ? arena.take<float>(m.count) : m.b;
  m.sums = arena.take<float>(lanes);
  m.size = arena.used();
  return m;
}

// region: read
// Several accumulators, because a single one would be latency-bound on its additions instead of
// memory-bound. All repetitions are one call, because a pass over L1 takes no longer than a few
// calls.
template <int chains>
[[gnu::noinline]] void read(Arrays m, int reps) {
  constexpr int step = chains * lanes;
  const float* const end = m.a + m.count;
  f32x4 sums[chains] = {};
#pragma GCC unroll 1
  for (int rep = 0; rep < reps; ++rep) {
    for (int c = 0; c < chains; ++c) sums[c] -= sums[c];  // 0, but the compiler cannot know that
    const float* a = m.a;
#pragma GCC unroll 1
    for (; a + step <= end; a += step) {
#pragma GCC unroll 16
      for (int c = 0; c < chains; ++c) sums[c] += load(a + c * lanes);
    }
#pragma GCC unroll 1
    for (; a < end; a += lanes) sums[0] += load(a);
  }

  f32x4 total = sums[0];
  for (int c = 1; c < chains; ++c) total += sums[c];
  store(m.sums, total);
}
// end region: read

constexpr double chain_counts[] = {1, 2, 4, 8, 12, 16};

void read_any(Arrays m, int chains, int reps) {
  switch (chains) {
    case 1: return read<1>(m, reps);
    case 2: return read<2>(m, reps);
    case 4: return read<4>(m, reps);
    case 8: return read<8>(m, reps);
    case 16: return read<16>(m, reps);
    default: return read<12>(m, reps);
  }
}

// Calls `body` with the offset of each vector in the arrays. Pointers advance in large steps, and
// instructions add the small offsets.
template <class Body>
inline void for_each_vector(Arrays m, Body body) {
  const float* const end = m.a + m.count;
  for (; m.a < end; m.a += block, m.b += block, m.c += block) {
#pragma GCC unroll 16
    for (std::size_t j = 0; j < block; j += lanes) body(m.a + j, m.b + j, m.c + j);
  }
}

void write(Arrays m) {
  for_each_vector(m, [](float* a, const float*, const float*) { store(a, splat(scale)); });
}

void copy(Arrays m) {
  for_each_vector(m, [](float* a, const float* b, const float*) { store(a, load(b)); });
}

void add(Arrays m) {
  for_each_vector(m, [](float* a, const float* b, const float* c) { store(a, load(b) + load(c)); });
}

// region: triad
void triad(Arrays m) {
  for_each_vector(m, [](float* a, const float* b, const float* c) {
    store(a, madd(splat(scale), load(c), load(b)));
  });
}
// end region: triad

// The engine's own copy (memory.copy), which may use stores that skip the fetch.
void memcopy(Arrays m) { __builtin_memcpy(m.a, m.b, m.count * sizeof(float)); }

template <int arrays>
std::size_t memory(const Args& args) {
  return lay_out<arrays>(args, nullptr).size;
}

template <int arrays>
void prepare(const Args& args, void* base) {
  const Arrays m = lay_out<arrays>(args, base);
  if (arrays == 1) fill(m.a, m.count);
  if (arrays > 1) clear(m.a, m.count);
  if (arrays > 1) fill(m.b, m.count);
  if (arrays > 2) fill(m.c, m.count);
  clear(m.sums, lanes);
}

template <int arrays, void (*body)(Arrays)>
void run(const Args& args, void* base, int reps) {
  const Arrays m = lay_out<arrays>(args, base);
  for (int rep = 0; rep < reps; ++rep) body(m);
}

void run_read(const Args& args, void* base, int reps) {
  const Arrays m = lay_out<1>(args, base);
  read_any(m, int(args.value[1]), reps);
}

template <int arrays, int flops_per_float>
double flops(const Args& args) {
  return double(flops_per_float) * double(lay_out<arrays>(args, nullptr).count);
}

template <int arrays>
double bytes(const Args& args) {
  return double(arrays) * sizeof(float) * double(lay_out<arrays>(args, nullptr).count);
}

// The result at each position follows from the sources at the same position by the rule `of`. All
// values are exact.
template <int arrays, float (*of)(float b, float c)>
double verify(const Args& args, void* base, double* tolerance) {
  const Arrays m = lay_out<arrays>(args, base);
  double error = 0;
  for (std::size_t i = 0; i < m.count; ++i)
    error = larger(error, distance(m.a[i], of(m.b[i], m.c[i])));
  *tolerance = 0;
  return error;
}

// The error is relative to the sum of magnitudes, because the order of additions differs.
double verify_read(const Args& args, void* base, double* tolerance) {
  const Arrays m = lay_out<1>(args, base);
  double sum_of_all = 0, magnitude = 0;
  for (std::size_t i = 0; i < m.count; ++i) {
    sum_of_all += m.a[i];
    magnitude += m.a[i] < 0 ? -m.a[i] : m.a[i];
  }
  double found = 0;
  for (int i = 0; i < lanes; ++i) found += m.sums[i];
  *tolerance = 1e-7;
  return distance(found, sum_of_all) / magnitude;
}

constexpr Param working_set{.name = "w",
                            .unit = "B",
                            .doc = "working set: all arrays together",
                            .default_value = 64 << 20,
                            .min = 4096,
                            .max = double(1 << 30)};

template <int arrays, int flops_per_float, void (*body)(Arrays), float (*of)(float, float)>
constexpr Kernel stream(const char* id, const char* title, const char* source, const char* count) {
  return {.id = id,
          .title = title,
          .unit = "GB/s",
          .roof_class = "memory",
          .element = "f32",
          .source = source,
          .bytes_count = count,
          .params = {working_set},
          .flops = flops<arrays, flops_per_float>,
          .bytes = bytes<arrays>,
          .memory = memory<arrays>,
          .prepare = prepare<arrays>,
          .run = run<arrays, body>,
          .verify = verify<arrays, of>};
}

float the_scale(float, float) { return scale; }
float the_source(float b, float) { return b; }
float the_sum(float b, float c) { return b + c; }
float the_triad(float b, float c) { return b + scale * c; }

constexpr const char* file = "wasm_kernels/stream/stream.cpp";

}  // namespace

const Kernel stream_read = {.id = "stream.read",
                            .title = "Read an array",
                            .unit = "GB/s",
                            .roof_class = "memory",
                            .element = "f32",
                            .source = "wasm_kernels/stream/stream.cpp#read",
                            .bytes_count = "each float once, read",
                            .params = {working_set,
                                       {.name = "chains",
                                        .doc = "independent sums",
                                        .default_value = 12,
                                        .min = 1,
                                        .max = 16,
                                        .choices = chain_counts,
                                        .choice_count = 6}},
                            .flops = flops<1, 1>,
                            .bytes = bytes<1>,
                            .memory = memory<1>,
                            .prepare = prepare<1>,
                            .run = run_read,
                            .verify = verify_read};

const Kernel stream_write = stream<1, 0, write, the_scale>(
    "stream.write", "Write an array", file, "each float once, written; write-allocate not counted");
const Kernel stream_add =
    stream<3, 1, add, the_sum>("stream.add", "Vector add, a = b + c", file,
                               "two floats read and one written; write-allocate not counted");
const Kernel stream_copy =
    stream<2, 0, copy, the_source>("stream.copy", "Copy by vector loads and stores", file,
                                   "one float read and one written; write-allocate not counted");
const Kernel stream_triad = stream<3, 2, triad, the_triad>(
    "stream.triad", "Triad, a = b + k * c", "wasm_kernels/stream/stream.cpp#triad",
    "two floats read and one written; write-allocate not counted");
const Kernel stream_memcopy = stream<2, 0, memcopy, the_source>(
    "stream.memcopy", "The engine's own copy", file, "one float read and one written");

}  // namespace kernels
