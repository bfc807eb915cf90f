// Four operations on each element, as four loops and as one fused loop.
//
// y = max((x + r) * scale + shift, 0): a residual connection, a normalization with known
// statistics, a ReLU. Four loops that read and write whole arrays make 3 + 2 + 2 + 2 = 9 passes;
// one loop makes 3. The operations are the same, so the ratio of the two rates is the ratio of the
// times.
#include "../families.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "../vector_math.hpp"

namespace kernels {
namespace {

constexpr float scale = 0.5f, shift = 0.25f;  // powers of two, so nothing is rounded
constexpr int operations = 4;                 // per element
constexpr std::size_t block = 8 * lanes;      // floats; all loops advance by whole blocks

struct Arrays {
  std::size_t count;  // floats per array
  float* x;
  float* r;
  float* y;
  std::size_t size;
};

Arrays lay_out(const Args& args, void* base) {
  Arena arena(base);
  Arrays m{};
  m.count = std::size_t(args.value[0]) / sizeof(float) / 3 / block * block;
  m.x = arena.take<float>(m.count);
  m.r = arena.take<float>(m.count);
  m.y = arena.take<float>(m.count);
  m.size = arena.used();
  return m;
}

// y = body(a, b) for each vector of the arrays, eight vectors at a time.
template <class Body>
inline void map(std::size_t count, const float* a, const float* b, float* y, Body body) {
  for (std::size_t i = 0; i < count; i += block) {
#pragma GCC unroll 8
    for (std::size_t j = i; j < i + block; j += lanes) store(y + j, body(load(a + j), load(b + j)));
  }
}
template <class Body>
inline void map(std::size_t count, float* y, Body body) {
  for (std::size_t i = 0; i < count; i += block) {
#pragma GCC unroll 8
    for (std::size_t j = i; j < i + block; j += lanes) store(y + j, body(load(y + j)));
  }
}

// region: unfused
void four_loops(const Arrays& m) {
  map(m.count, m.x, m.r, m.y, [](f32x4 x, f32x4 r) { return x + r; });
  map(m.count, m.y, [](f32x4 y) { return y * splat(scale); });
  map(m.count, m.y, [](f32x4 y) { return y + splat(shift); });
  map(m.count, m.y, [](f32x4 y) { return larger(y, splat(0)); });
}
// end region: unfused

// region: fused
void one_loop(const Arrays& m) {
  map(m.count, m.x, m.r, m.y,
      [](f32x4 x, f32x4 r) { return larger((x + r) * splat(scale) + splat(shift), splat(0)); });
}
// end region: fused

double flops(const Args& args) { return double(operations) * double(lay_out(args, nullptr).count); }

template <int passes>
double bytes(const Args& args) {
  return double(passes) * sizeof(float) * double(lay_out(args, nullptr).count);
}

std::size_t memory(const Args& args) { return lay_out(args, nullptr).size; }

void prepare(const Args& args, void* base) {
  const Arrays m = lay_out(args, base);
  fill(m.x, m.count);
  for (std::size_t i = 0; i < m.count; ++i) m.r[i] = m.x[m.count - 1 - i];
  fill(m.y, m.count);
}

template <void (*body)(const Arrays&)>
void run(const Args& args, void* base, int reps) {
  const Arrays m = lay_out(args, base);
  for (int rep = 0; rep < reps; ++rep) body(m);
}

double verify(const Args& args, void* base, double* tolerance) {
  const Arrays m = lay_out(args, base);
  Deviation deviation;
  for (std::size_t i = 0; i < m.count; ++i) {
    const double before = (double(m.x[i]) + m.r[i]) * scale + shift;
    deviation.compare(m.y[i], larger(before, 0.0));
  }
  *tolerance = 0;
  return deviation.largest();
}

template <int passes, void (*body)(const Arrays&)>
constexpr Kernel chain(const char* id, const char* title, const char* source, const char* count) {
  return {.id = id,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = "simd",
          .element = "f32",
          .source = source,
          .bytes_count = count,
          .params = {{.name = "w",
                      .unit = "B",
                      .doc = "working set: two inputs and the result",
                      .default_value = 64 << 20,
                      .min = 4096,
                      .max = double(1 << 30)}},
          .flops = flops,
          .bytes = bytes<passes>,
          .memory = memory,
          .prepare = prepare,
          .run = run<body>,
          .verify = verify};
}

}  // namespace

const Kernel elementwise_unfused = chain<9, four_loops>(
    "elementwise.unfused", "Four operations in four loops",
    "wasm_kernels/elementwise/elementwise.cpp#unfused",
    "nine passes: two arrays read and one written, then three times one read and written; "
    "write-allocate not counted");
const Kernel elementwise_fused =
    chain<3, one_loop>("elementwise.fused", "Four operations in one loop",
                       "wasm_kernels/elementwise/elementwise.cpp#fused",
                       "three passes: two arrays read and one written; write-allocate not counted");

}  // namespace kernels
