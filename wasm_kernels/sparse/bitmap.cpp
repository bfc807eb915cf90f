// A bit per element of the matrix, and the values whose bit is set. Every element costs an eighth
// of a byte, zero or not. The bits of four elements at a time select the lanes of the next values.
#include "pick.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using sparse::nothing;
using sparse::Pattern;
using sparse::Shape;

Shape shape_of(const Args& args) {
  return sparse::shape_of(int(args.value[0]), int(args.value[1]), args.value[2]);
}

// region: expand
// For each byte of bits, the lanes of the next values: those of the first four columns, and those
// of the other four.
struct Expansion {
  Pattern left, right;
};

Pattern expand(int bits) {
  int from[lanes], next = 0;
  for (int lane = 0; lane < lanes; ++lane) from[lane] = bits >> lane & 1 ? next++ : nothing;
  return sparse::pattern_of(from);
}

void make_expansions(Expansion* all) {
  for (int bits = 0; bits < 256; ++bits) all[bits] = {expand(bits & 15), expand(bits >> 4)};
}
// end region: expand

struct Bitmap {
  Shape shape;
  sparse::Vectors vectors;
  float* values;
  std::uint8_t* bits;     // of eight columns each; the lowest bit is the first column
  int stride;             // bytes of bits per row
  Expansion* expansions;  // one per byte of bits
};

Bitmap lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  Bitmap a{};
  a.shape = s;
  a.vectors = sparse::Vectors::lay_out(s, arena);
  // Loads may read past the end
  a.values = arena.take<float>(std::size_t(s.rows) * s.kept + lanes);
  a.stride = round_up(s.columns, 8) / 8;
  a.bits = arena.take<std::uint8_t>(std::size_t(s.rows) * a.stride);
  a.expansions = arena.take<Expansion>(256);
  return a;
}

// region: bitmap
// Several rows at the same time, because the position of a row's next values depends on all bits
// before them.
template <int rows>
void multiply_rows(const Bitmap& a, int row) {
  const float* values[rows];
  const std::uint8_t* bits = a.bits + std::size_t(row) * a.stride;
  f32x4 sums[rows] = {};
  for (int r = 0; r < rows; ++r) values[r] = a.values + std::size_t(row + r) * a.shape.kept;

  for (int j = 0; j < a.stride; ++j) {
    const f32x4 left = load(a.vectors.x + 8 * j), right = load(a.vectors.x + 8 * j + lanes);
    for (int r = 0; r < rows; ++r) {
      const unsigned here = bits[r * a.stride + j];
      const Expansion& expansion = a.expansions[here];
      const float* others = values[r] + __builtin_popcount(here & 15);
      sums[r] = madd(pick(load(values[r]), expansion.left), left, sums[r]);
      sums[r] = madd(pick(load(others), expansion.right), right, sums[r]);
      values[r] += __builtin_popcount(here);
    }
  }
  for (int r = 0; r < rows; ++r) a.vectors.y[row + r] = sum(sums[r]);
}

void multiply(const Bitmap& a) {
  constexpr int together = 4;
  int row = 0;
  for (; row + together <= a.shape.rows; row += together) multiply_rows<together>(a, row);
  for (; row < a.shape.rows; ++row) multiply_rows<1>(a, row);
}
// end region: bitmap

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.rows * s.kept;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return double(s.rows) * (4.0 * s.kept + round_up(s.columns, 8) / 8) + 4.0 * s.columns +
         4.0 * s.rows;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Bitmap a = lay_out(args, arena);
  a.vectors.prepare(a.shape);
  make_expansions(a.expansions);
  fill(a.values, std::size_t(a.shape.rows) * a.shape.kept + lanes);
  for (int row = 0; row < a.shape.rows; ++row) {
    std::uint8_t* bits = a.bits + std::size_t(row) * a.stride;
    for (int j = 0; j < a.stride; ++j) bits[j] = 0;
    sparse::for_each_place(a.shape, row, [&](int, int column) {
      bits[column / 8] = std::uint8_t(bits[column / 8] | 1 << column % 8);
    });
  }
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Bitmap a = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) multiply(a);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Bitmap a = lay_out(args, arena);
  return sparse::compare_with_dense(a.shape, a.vectors, tolerance, [&](int row) {
    const std::uint8_t* bits = a.bits + std::size_t(row) * a.stride;
    const float* value = a.values + std::size_t(row) * a.shape.kept;
    for (int j = 0; j < a.shape.columns; ++j)
      if (bits[j / 8] >> j % 8 & 1) a.vectors.dense[j] = *value++;
  });
}

}  // namespace

const Kernel sparse_bitmap = {
    .id = "sparse.bitmap",
    .title = "Sparse matrix with a bit for each place",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/sparse/bitmap.cpp#bitmap",
    .bytes_count =
        "each stored number, a bit for each place and each x once, read; "
        "each y once, written",
    .params = {sparse::rows_param, sparse::cols_param, sparse::density_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
