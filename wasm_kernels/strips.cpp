#include "strips.hpp"

#include "vector_math.hpp"

namespace kernels::strips {
namespace {

constexpr int most_depth = 512;  // depth of a strip that stays in L1
constexpr int row_block = 96;    // rows of A, this deep, that stay in L2

// One part of the depth.
struct Step {
  int depth;
  bool add;   // add to C; otherwise overwrite C
  bool last;  // sums are complete after this step
};

template <int rows>
void apply(Finish finish, int column, f32x4 (&sums)[rows][2]) {
  if (finish.factor != 1)
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) sums[r][v] *= splat(finish.factor);
  if (finish.bias)
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) sums[r][v] += load(finish.bias + column + v * lanes);
  if (finish.relu)
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) sums[r][v] = larger(sums[r][v], splat(0));
}

// region: tile
// One tile of C in registers. Rows of A are read in parallel, the strip of B sequentially.
template <int rows>
[[gnu::noinline]] void multiply_tile(Step step, Rows a, const float* strip, Rows c, int column,
                                     Finish finish) {
  f32x4 sums[rows][2] = {};
  if (step.add) {
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) sums[r][v] = load(c.at(r, v * lanes));
  }

  for (int p = 0; p < step.depth; ++p, strip += width) {
    const f32x4 row_of_b[2] = {load(strip), load(strip + lanes)};
    for (int r = 0; r < rows; ++r) {
      const f32x4 weight = splat(*a.at(r, p));
      for (int v = 0; v < 2; ++v) sums[r][v] = madd(weight, row_of_b[v], sums[r][v]);
    }
  }

  if (step.last) apply(finish, column, sums);
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < 2; ++v) store(c.at(r, v * lanes), sums[r][v]);
}
// end region: tile

void multiply_rows(int rows, Step step, Rows a, const float* strip, Rows c, int column,
                   Finish finish) {
  if (rows == 6) multiply_tile<6>(step, a, strip, c, column, finish);
  if (rows == 4) multiply_tile<4>(step, a, strip, c, column, finish);
  if (rows == 1) multiply_tile<1>(step, a, strip, c, column, finish);
}

// Computes a tile at the right edge, with only `present` columns, through a whole spare tile.
void multiply_rim(int rows, Step step, Rows a, const float* strip, Rows c, int column, int present,
                  Finish finish) {
  float whole[6 * width];
  const Rows spare{whole, width};
  for (int r = 0; r < rows; ++r)
    for (int q = 0; q < width; ++q) *spare.at(r, q) = step.add && q < present ? *c.at(r, q) : 0;
  multiply_rows(rows, step, a, strip, spare, column, finish);
  for (int r = 0; r < rows; ++r)
    for (int q = 0; q < present; ++q) *c.at(r, q) = *spare.at(r, q);
}

}  // namespace

void pack(int n, int k, const float* b, Strips packed) {
  for (int j = 0; j < n; j += width)
    for (int p = 0; p < k; ++p)
      for (int q = 0; q < width; ++q)
        packed.at(j, p)[q] = j + q < n ? b[std::ptrdiff_t(p) * n + j + q] : 0;
}

void pack_transposed(int n, int k, const float* b, Strips packed) {
  for (int j = 0; j < n; j += width)
    for (int p = 0; p < k; ++p)
      for (int q = 0; q < width; ++q)
        packed.at(j, p)[q] = j + q < n ? b[std::ptrdiff_t(j + q) * k + p] : 0;
}

// region: blocks
void multiply(Shape s, Rows a, Strips b, Rows c, bool add, Finish finish) {
  const int steps = (s.k + most_depth - 1) / most_depth;  // as even as possible
  for (int part = 0; part < steps; ++part) {
    const int p = part * s.k / steps, depth = (part + 1) * s.k / steps - p;
    const Step step{depth, add || part > 0, part == steps - 1};

    for (int i0 = 0; i0 < s.m; i0 += row_block) {
      const int end = smaller(i0 + row_block, s.m);
      for (int j = 0; j < s.n; j += width) {
        for (int row = i0, rows; row < end; row += rows) {
          const Rows part_of_a{a.at(row, p), a.stride}, tile{c.at(row, j), c.stride};
          rows = end - row >= 6 ? 6 : end - row >= 4 ? 4 : 1;
          if (s.n - j >= width) multiply_rows(rows, step, part_of_a, b.at(j, p), tile, j, finish);
          else multiply_rim(rows, step, part_of_a, b.at(j, p), tile, j, s.n - j, finish);
        }
      }
    }
  }
}
// end region: blocks

}  // namespace kernels::strips
