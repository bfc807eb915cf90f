// One layer, max(A · W + bias, 0), with bias and ReLU as separate passes or fused.
//
// A separate pass reads and writes every element of the result for one operation. The fused kernel
// does the same operations while the sums are still in registers, between the last multiply-add and
// the store. The gain depends on k, which determines the work per element before that.
#include "../families.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "../strips.hpp"
#include "../vector_math.hpp"

namespace kernels {
namespace {

using strips::Shape;

struct Layer {
  Shape shape;
  float* a;
  float* weights;
  strips::Strips packed;  // the same weights, packed
  float* bias;
  float* c;
};

Shape shape_of(const Args& args) {
  return {int(args.value[0]), int(args.value[1]), int(args.value[2])};
}

Layer lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  Layer l{};
  l.shape = s;
  l.a = arena.take<float>(std::size_t(s.m) * s.k);
  l.weights = arena.take<float>(std::size_t(s.k) * s.n);
  l.packed = {arena.take<float>(strips::size(s.n, s.k)), s.k * strips::width};
  l.bias = arena.take<float>(round_up(s.n, strips::width));
  l.c = arena.take<float>(std::size_t(s.m) * s.n);
  return l;
}

// region: unfused
// y = body(y, column) for all of C, row by row.
template <class Body>
void pass(Shape s, float* c, Body body) {
  for (int i = 0; i < s.m; ++i, c += s.n) {
    int j = 0;
    for (; j + lanes <= s.n; j += lanes) store(c + j, body(load(c + j), j));
    for (; j < s.n; ++j) c[j] = body(splat(c[j]), j)[0];
  }
}

void unfused(const Layer& l) {
  const Shape s = l.shape;
  strips::multiply(s, {l.a, s.k}, l.packed, {l.c, s.n}, false, {});
  pass(s, l.c, [&](f32x4 sums, int j) { return sums + load(l.bias + j); });
  pass(s, l.c, [](f32x4 sums, int) { return larger(sums, splat(0)); });
}
// end region: unfused

// region: fused
void in_one(const Layer& l) {
  const Shape s = l.shape;
  strips::multiply(s, {l.a, s.k}, l.packed, {l.c, s.n}, false, {.bias = l.bias, .relu = true});
}
// end region: fused

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.m * s.n * s.k + 2.0 * s.m * s.n;
}

template <int extra_passes>
double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return sizeof(float) *
         (double(s.m) * s.k + double(s.k) * s.n + s.n + double(1 + extra_passes) * s.m * s.n);
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Layer l = lay_out(args, arena);
  const Shape s = l.shape;
  fill(l.a, std::size_t(s.m) * s.k);
  fill(l.weights, std::size_t(s.k) * s.n);
  strips::pack(s.n, s.k, l.weights, l.packed);
  fill(l.bias, round_up(s.n, strips::width));
  // A ReLU never returns this
  for (std::size_t i = 0; i < std::size_t(s.m) * s.n; ++i) l.c[i] = -1;
}

template <void (*body)(const Layer&)>
void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Layer l = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) body(l);
}

// Compares element by element. In large results it checks only a part, in odd steps that reach all
// positions in a tile. Nothing is rounded, so nothing may differ.
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Layer l = lay_out(args, arena);
  const Shape s = l.shape;
  const std::size_t elements = std::size_t(s.m) * s.n, most = 50'000'000 / s.k + 1;
  const std::size_t step = elements <= most ? 1 : elements / most * 2 + 1;
  Deviation deviation;
  for (std::size_t e = 0; e < elements; e += step) {
    const std::size_t i = e / s.n, j = e % s.n;
    double sum = l.bias[j];
    for (int p = 0; p < s.k; ++p)
      sum += double(l.a[i * s.k + p]) * l.weights[std::size_t(p) * s.n + j];
    deviation.compare(l.c[e], larger(sum, 0.0));
  }
  *tolerance = 0;
  return deviation.largest();
}

template <int extra_passes, void (*body)(const Layer&)>
constexpr Kernel layer(const char* id, const char* title, const char* source, const char* count) {
  return {.id = id,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = vector_class,
          .element = "f32",
          .source = source,
          .bytes_count = count,
          .params = {{.name = "m",
                      .doc = "rows of A: examples that go through the layer together",
                      .default_value = 1024,
                      .min = 1,
                      .max = 8192},
                     {.name = "n",
                      .doc = "columns of W: outputs of the layer",
                      .default_value = 1024,
                      .min = 1,
                      .max = 8192},
                     {.name = "k",
                      .doc = "rows of W: inputs of the layer",
                      .default_value = 1024,
                      .min = 1,
                      .max = 8192}},
          .flops = flops,
          .bytes = bytes<extra_passes>,
          .memory = memory,
          .prepare = prepare,
          .run = run<body>,
          .verify = verify};
}

}  // namespace

const Kernel mlp_unfused = layer<4, unfused>(
    "mlp.unfused", "Layer with bias and ReLU as passes", "wasm_kernels/mlp/mlp.cpp#unfused",
    "A, W (packed beforehand) and bias once, read; the result written, and read "
    "and written again by each of two passes");
const Kernel mlp_fused = layer<0, in_one>(
    "mlp.fused", "Layer with bias and ReLU in registers", "wasm_kernels/mlp/mlp.cpp#fused",
    "A, W (packed beforehand) and bias once, read; the result once, written");

}  // namespace kernels
