// The whole method: tiles in registers, blocks in caches, and operands packed into the order in
// which they are read (Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication",
// ACM TOMS 2008; the loops are those of Van Zee and van de Geijn's BLIS, ACM TOMS 2015, without the
// outermost).
//
// Which tile is fastest depends on how many vector registers the engine's compiler can use, so
// several are built and the page lets them race.
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using matmul::Shape;

constexpr int depth_block = 256;  // a strip of B, this deep and as wide as a tile, stays in L1
constexpr int row_block = 96;     // a block of A, this high and depth_block wide, stays in L2
constexpr int band = 8;           // rows of B packed together: as many streams as prefetchers follow

// A range of rows or columns: `count` of them from `first` on.
struct Range {
  int first, count;
};

// Packs columns of A four at a time, by turning squares of 4 × 4: rows 0 … 3, then the last four
// rows (for five to seven rows the two squares overlap). With fewer than four rows a store reaches
// past its column, and the next one puts that right. Returns how many columns are done.
template <int rows>
int pack_by_fours(Shape s, int depth, const float* strip, float* packed) {
  constexpr int last = rows > lanes ? rows - lanes : 0;
  int p = 0;
  for (; p + lanes <= depth; p += lanes) {
    for (int first = 0; first <= last; first += last ? last : 1) {
      f32x4 square[lanes];
      for (int r = 0; r < lanes; ++r)
        square[r] = load(strip + smaller(first + r, rows - 1) * s.k + p);
      transpose(square);
      for (int q = 0; q < lanes; ++q) store(packed + (p + q) * rows + first, square[q]);
    }
  }
  return p;
}

// region: pack
// Copies a block of A as strips of `rows` rows, each strip column by column, and rows of B as
// strips of `columns` columns, each strip row by row: the order in which the micro-kernel reads
// them. B is read in bands of a few rows, so that each line of it is fetched once. A last strip that
// is not full is filled up with zeros, so that the micro-kernel never meets a rim.
template <int rows>
[[gnu::noinline]] void pack_a(Shape s, Range height, Range depth, const float* a, float* packed) {
  for (int i = 0; i < height.count; i += rows, packed += rows * depth.count) {
    const float* strip = a + (height.first + i) * s.k + depth.first;
    const int present = smaller(rows, height.count - i);
    int p = present == rows ? pack_by_fours<rows>(s, depth.count, strip, packed) : 0;
    for (; p < depth.count; ++p) {
#pragma GCC unroll 1
      for (int r = 0; r < rows; ++r) packed[p * rows + r] = r < present ? strip[r * s.k + p] : 0;
    }
  }
}

template <int columns>
[[gnu::noinline]] void pack_b(Shape s, Range depth, const float* b, float* packed) {
  for (int p0 = 0; p0 < depth.count; p0 += band) {
    for (int j = 0; j < s.n; j += columns) {
      const int present = smaller(columns, s.n - j);
      const float* row = b + (depth.first + p0) * s.n + j;
      float* to = packed + j * depth.count + p0 * columns;
      for (int p = p0; p < smaller(p0 + band, depth.count); ++p, row += s.n, to += columns) {
        if (present == columns) {
          for (int q = 0; q < columns; q += lanes) store(to + q, load(row + q));
        } else {
#pragma GCC unroll 1
          for (int q = 0; q < columns; ++q) to[q] = q < present ? row[q] : 0;
        }
      }
    }
  }
}
// end region: pack

// region: micro-kernel
// Adds A · B to one tile of C, which stays in registers from beginning to end; with `fresh`, the
// tile begins at zero. The loop reads two streams, strictly forward: a column of A, a row of B, the
// next …
template <int rows, int vectors>
[[gnu::noinline]]
void micro_kernel(int depth, const float* a, const float* b, float* c, int stride, bool fresh) {
  f32x4 sum[rows][vectors] = {};
  if (!fresh) {
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < vectors; ++v) sum[r][v] = load(c + r * stride + v * lanes);
  }

  for (int p = 0; p < depth; ++p) {
    f32x4 row_of_b[vectors];
    for (int v = 0; v < vectors; ++v) row_of_b[v] = load(b + v * lanes);

    for (int r = 0; r < rows; ++r) {
      const f32x4 weight = splat(a[r]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = madd(weight, row_of_b[v], sum[r][v]);
    }
    a += rows;
    b += vectors * lanes;
  }

  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) store(c + r * stride + v * lanes, sum[r][v]);
}
// end region: micro-kernel

// Where the packed copies lie.
struct Workspace {
  float* a;      // one block of A
  float* b;      // one depth block of B, or all of them when B is packed beforehand
  float* spare;  // one tile of C, for rims
};

// A kind of tile, and the functions made for it.
struct Tile {
  int rows, columns;
  void (*pack_a)(Shape s, Range height, Range depth, const float* a, float* packed);
  void (*pack_b)(Shape s, Range depth, const float* b, float* packed);
  void (*micro_kernel)(int depth, const float* a, const float* b, float* c, int stride, bool fresh);
};

// One tile at row i and column j. At the rim, where C has less than a whole tile, the micro-kernel
// works on a spare tile, and the part that lies inside C is added.
void multiply_tile(const Tile& tile, Shape s, int i, int j, Range depth, const float* a,
                   const float* b, float* c, float* spare) {
  const bool whole = i + tile.rows <= s.m && j + tile.columns <= s.n, first = depth.first == 0;
  float* target = c + i * s.n + j;
  if (whole) return tile.micro_kernel(depth.count, a, b, target, s.n, first);

  tile.micro_kernel(depth.count, a, b, spare, tile.columns, true);
  for (int r = 0; r < smaller(tile.rows, s.m - i); ++r)
    for (int q = 0; q < smaller(tile.columns, s.n - j); ++q)
      target[r * s.n + q] = spare[r * tile.columns + q] + (first ? 0 : target[r * s.n + q]);
}

// region: blocks
// From the outside in: a block of B, a block of A, a strip of B (which stays in L1 while all strips
// of A pass by), a strip of A.
void multiply(const Tile& tile, Shape s, const float* a, const float* b, float* c, Workspace w,
              bool b_is_packed) {
  const int block_height = row_block / tile.rows * tile.rows;

  for (int p = 0; p < s.k; p += depth_block) {
    const Range depth{p, smaller(depth_block, s.k - p)};
    const float* block_of_b = b_is_packed ? w.b + p * round_up(s.n, tile.columns) : w.b;
    if (!b_is_packed) tile.pack_b(s, depth, b, w.b);

    for (int i0 = 0; i0 < s.m; i0 += block_height) {
      const Range height{i0, smaller(block_height, s.m - i0)};
      tile.pack_a(s, height, depth, a, w.a);

      for (int j = 0; j < s.n; j += tile.columns)
        for (int i = 0; i < height.count; i += tile.rows)
          multiply_tile(tile, s, i0 + i, j, depth, w.a + i * depth.count,
                        block_of_b + j * depth.count, c, w.spare);
    }
  }
}
// end region: blocks

// Packs all of B, block by block, as a library does with a layer's weights when the model is
// loaded.
void pack_all_of_b(const Tile& tile, Shape s, const float* b, float* packed) {
  for (int p = 0; p < s.k; p += depth_block) {
    const Range depth{p, smaller(depth_block, s.k - p)};
    tile.pack_b(s, depth, b, packed + p * round_up(s.n, tile.columns));
  }
}

template <int rows, int columns>
constexpr Tile make_tile() {
  return {rows, columns, pack_a<rows>, pack_b<columns>, micro_kernel<rows, columns / lanes>};
}

constexpr Tile tiles[] = {make_tile<4, 8>(),  make_tile<5, 8>(),  make_tile<6, 8>(),
                          make_tile<8, 8>(),  make_tile<3, 12>(), make_tile<2, 16>(),
                          make_tile<4, 16>(), make_tile<6, 16>()};
constexpr double tile_names[] = {0, 408, 508, 608, 808, 312, 216, 416, 616};
constexpr int usual_tile = fused ? 608 : 508;  // without fusing, a product needs a register

const Tile& tile_of(const Args& args) {
  const int name = args.value[4] == 0 ? usual_tile : int(args.value[4]);
  for (const Tile& tile : tiles)
    if (tile.rows == name / 100 && tile.columns == name % 100) return tile;
  return tiles[0];
}

bool prepacked(const Args& args) { return args.value[3] != 0; }

Workspace workspace(const Args& args, Arena& arena) {
  const Shape s = matmul::shape_of(args);
  const Tile& tile = tile_of(args);
  const int depth = prepacked(args) ? s.k : smaller(depth_block, s.k);
  Workspace w{};
  w.a = arena.take<float>(std::size_t(row_block + tile.rows) * depth_block + lanes);
  w.b = arena.take<float>(std::size_t(round_up(s.n, tile.columns)) * depth);
  w.spare = arena.take<float>(std::size_t(tile.rows) * tile.columns);
  return w;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  matmul::lay_out(args, arena);
  workspace(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  matmul::prepare(args, base);
  Arena arena(base);
  const matmul::Matrices m = matmul::lay_out(args, arena);
  const Workspace w = workspace(args, arena);
  const Tile& tile = tile_of(args);
  clear(w.a, std::size_t(row_block + tile.rows) * depth_block);
  const int depth = prepacked(args) ? m.shape.k : smaller(depth_block, m.shape.k);
  clear(w.b, std::size_t(round_up(m.shape.n, tile.columns)) * depth);
  clear(w.spare, std::size_t(tile.rows) * tile.columns);
  if (prepacked(args)) pack_all_of_b(tile, m.shape, m.b, w.b);
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const matmul::Matrices m = matmul::lay_out(args, arena);
  const Workspace w = workspace(args, arena);
  const Tile& tile = tile_of(args);
  for (int rep = 0; rep < reps; ++rep)
    multiply(tile, m.shape, m.a, m.b, m.c, w, prepacked(args));
}

}  // namespace

const Kernel matmul_packed = {
    .id = "matmul.packed",
    .title = "Packed, blocked and tiled",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/matmul/packed.cpp#micro-kernel",
    .bytes_count = matmul::bytes_count,
    .params = {matmul::n_param,
               matmul::m_param,
               matmul::k_param,
               {.name = "prepacked",
                .doc = "1: B is packed before the clock starts, as weights are; 0: within the time",
                .default_value = 0,
                .min = 0,
                .max = 1},
               {.name = "tile",
                .doc = "the tile in registers, rows * 100 + columns; 0: the one that won the race",
                .default_value = 0,
                .min = 0,
                .max = 808,
                .choices = tile_names,
                .choice_count = sizeof tile_names / sizeof tile_names[0]}},
    .flops = matmul::flops,
    .bytes = matmul::bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = matmul::verify};

}  // namespace kernels
