// Reuse at two levels: tiles in registers, and blocks in the cache.
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

constexpr int tile_rows = 4;
constexpr int tile_vectors = 2;
constexpr int tile_columns = tile_vectors * lanes;

// region: register-tile
// Keeps a tile of C in registers while it walks down the tile's rows of A and
// columns of B. 6 loads feed 8 multiply-adds, where a loop without a tile needs
// 3 loads and stores per multiply-add.
void multiply_tile(matmul::Shape s, const float* a, const float* b, float* c) {
  f32x4 sum[tile_rows][tile_vectors] = {};

  for (int p = 0; p < s.k; ++p) {
    f32x4 row_of_b[tile_vectors];
    for (int v = 0; v < tile_vectors; ++v) row_of_b[v] = load(b + p * s.n + v * lanes);

    for (int r = 0; r < tile_rows; ++r) {
      const f32x4 weight = splat(a[r * s.k + p]);
      for (int v = 0; v < tile_vectors; ++v) sum[r][v] = madd(weight, row_of_b[v], sum[r][v]);
    }
  }

  for (int r = 0; r < tile_rows; ++r)
    for (int v = 0; v < tile_vectors; ++v) store(c + r * s.n + v * lanes, sum[r][v]);
}
// end region: register-tile

// Computes the edges that whole tiles leave over, element by element.
void multiply_rim(matmul::Shape s, int rows, int columns, const float* a, const float* b,
                  float* c) {
  for (int i = 0; i < s.m; ++i) {
    for (int j = i < rows ? columns : 0; j < s.n; ++j) {
      float sum = 0;
      for (int p = 0; p < s.k; ++p) sum += a[i * s.k + p] * b[p * s.n + j];
      c[i * s.n + j] = sum;
    }
  }
}

// region: tiles
void multiply(matmul::Shape s, const float* a, const float* b, float* c) {
  const int rows = s.m / tile_rows * tile_rows;
  const int columns = s.n / tile_columns * tile_columns;

  for (int j = 0; j < columns; j += tile_columns)
    for (int i = 0; i < rows; i += tile_rows) multiply_tile(s, a + i * s.k, b + j, c + i * s.n + j);

  multiply_rim(s, rows, columns, a, b, c);
}
// end region: tiles

constexpr int block = 64;

// region: cache-blocks
// Works on blocks that are small enough to stay in the cache, all three of them, while they are
// reused.
void multiply_blocked(matmul::Shape s, const float* a, const float* b, float* c) {
  for (int i = 0; i < s.m * s.n; ++i) c[i] = 0;

  for (int p0 = 0; p0 < s.k; p0 += block) {
    for (int j0 = 0; j0 < s.n; j0 += block) {
      const int depth = smaller(block, s.k - p0);
      const int columns = smaller(block, s.n - j0);

      for (int i = 0; i < s.m; ++i) {
        float* row_of_c = c + i * s.n + j0;
        for (int p = p0; p < p0 + depth; ++p) {
          const float weight = a[i * s.k + p];
          const float* row_of_b = b + p * s.n + j0;
          int j = 0;
          for (; j + lanes <= columns; j += lanes)
            store(row_of_c + j, madd(splat(weight), load(row_of_b + j), load(row_of_c + j)));
          for (; j < columns; ++j) row_of_c[j] += weight * row_of_b[j];
        }
      }
    }
  }
}
// end region: cache-blocks

constexpr Kernel cache_variant() {
  Kernel kernel =
      matmul::rung<multiply_blocked>("matmul.tiled", "Blocks for the cache only", vector_class,
                                     "wasm_kernels/matmul/tiled.cpp#cache-blocks");
  kernel.variant = "cache";
  return kernel;
}

}  // namespace

const Kernel matmul_tiled =
    matmul::rung<multiply>("matmul.tiled", "Tiles of C in registers", vector_class,
                           "wasm_kernels/matmul/tiled.cpp#register-tile");
const Kernel matmul_tiled_cache = cache_variant();

}  // namespace kernels
