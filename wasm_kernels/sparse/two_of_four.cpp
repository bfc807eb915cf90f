// 2:4 sparsity: two of every four neighbors in a row are stored, as tensor cores require it (Mishra
// et al., 2021). The pattern is so regular that two bits give the column of a value. Only half of
// the multiply-adds of a dense row remain, but each x must be selected.
#include "pick.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using sparse::nothing;
using sparse::Pattern;
using sparse::Shape;

// region: select
// For each byte of positions, the two selected elements of four x: in the left lanes for the first
// four columns of a step, in the right lanes for the others.
struct Selection {
  Pattern left, right;
};

void make_selections(Selection* all) {
  for (int places = 0; places < 256; ++places) {
    const int p[lanes] = {places & 3, places >> 2 & 3, places >> 4 & 3, places >> 6};
    all[places].left = sparse::pattern_of({p[0], p[1], nothing, nothing});
    all[places].right = sparse::pattern_of({nothing, nothing, p[2], p[3]});
  }
}
// end region: select

// A step is eight columns: four values, and one byte with their positions, two bits each.
struct TwoOfFour {
  Shape shape;
  sparse::Vectors vectors;
  int steps;  // per row
  float* values;
  std::uint8_t* places;
  Selection* selections;  // one per byte of positions
};

Shape shape_of(const Args& args) {
  const int columns = int(args.value[1]);
  return {int(args.value[0]), columns, round_up(columns, 4) / 2};
}

TwoOfFour lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  TwoOfFour a{};
  a.shape = s;
  a.vectors = sparse::Vectors::lay_out(s, arena);
  a.steps = round_up(s.columns, 8) / 8;
  a.values = arena.take<float>(std::size_t(s.rows) * a.steps * lanes);
  a.places = arena.take<std::uint8_t>(std::size_t(s.rows) * a.steps);
  a.selections = arena.take<Selection>(256);
  return a;
}

// region: two-of-four
template <int rows>
void multiply_rows(const TwoOfFour& a, int row) {
  const float* values = a.values + std::size_t(row) * a.steps * lanes;
  const std::uint8_t* places = a.places + std::size_t(row) * a.steps;
  f32x4 sums[rows] = {};

  for (int j = 0; j < a.steps; ++j) {
    const f32x4 left = load(a.vectors.x + 8 * j), right = load(a.vectors.x + 8 * j + lanes);
    for (int r = 0; r < rows; ++r) {
      const Selection& selection = a.selections[places[r * a.steps + j]];
      const f32x4 picked = pick(left, selection.left) + pick(right, selection.right);
      sums[r] = madd(load(values + (r * a.steps + j) * lanes), picked, sums[r]);
    }
  }
  for (int r = 0; r < rows; ++r) a.vectors.y[row + r] = sum(sums[r]);
}

void multiply(const TwoOfFour& a) {
  constexpr int together = 4;
  int row = 0;
  for (; row + together <= a.shape.rows; row += together) multiply_rows<together>(a, row);
  for (; row < a.shape.rows; ++row) multiply_rows<1>(a, row);
}
// end region: two-of-four

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.rows * s.kept;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return double(s.rows) * s.kept * (4 + 0.25) + 4.0 * s.columns + 4.0 * s.rows;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

// Two different random positions in ascending order.
void prepare(const Args& args, void* base) {
  constexpr std::uint8_t pairs[] = {0 | 1 << 2, 0 | 2 << 2, 0 | 3 << 2,
                                    1 | 2 << 2, 1 | 3 << 2, 2 | 3 << 2};
  Arena arena(base);
  const TwoOfFour a = lay_out(args, arena);
  a.vectors.prepare(a.shape);
  make_selections(a.selections);
  fill(a.values, std::size_t(a.shape.rows) * a.steps * lanes);
  std::uint32_t state = 1;
  for (std::size_t i = 0; i < std::size_t(a.shape.rows) * a.steps; ++i) {
    state = state * 1664525u + 1013904223u;
    a.places[i] = std::uint8_t(pairs[(state >> 8) % 6] | pairs[(state >> 20) % 6] << 4);
  }
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const TwoOfFour a = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) multiply(a);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const TwoOfFour a = lay_out(args, arena);
  return sparse::compare_with_dense(a.shape, a.vectors, tolerance, [&](int row) {
    for (int i = 0; i < a.steps * lanes; ++i) {
      const std::size_t at = std::size_t(row) * a.steps * lanes + i;
      const int place = a.places[at / lanes] >> 2 * (i % lanes) & 3;
      a.vectors.dense[i / 2 * 4 + place] = a.values[at];
    }
  });
}

}  // namespace

const Kernel sparse_2to4 = {
    .id = "sparse.2to4",
    .title = "Two of each four numbers",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/sparse/two_of_four.cpp#two-of-four",
    .bytes_count =
        "each stored number with its two bits and each x once, read; each y once, "
        "written",
    .params = {sparse::rows_param, sparse::cols_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
