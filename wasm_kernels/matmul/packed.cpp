// C = A * B with register tiles, cache blocking and packing.
//
//   for each block of up to 256 of k             (depth)
//     for each block of about 1024 columns       pack B: 256 x 1024 floats, 1 MiB, stays in L2
//       for each strip of rows                   pack A: tile rows x 256 floats, stays in L1
//         for each tile of C in the strip        6 x 8 floats, say: stays in registers
//           micro_kernel
//
// Packing copies a block in the order in which the micro-kernel reads it, so the inner loop reads
// two streams strictly forward. At the edges of C, a whole tile is computed into `spare`, and only
// the part inside C is used. Which tile is fastest depends on how many vector registers the
// browser's compiler can use, so several tiles race in the page (race.js). All memory belongs to
// the caller; layout() divides it. After Goto and van de Geijn, ACM TOMS 2008, and BLIS (Van Zee
// and van de Geijn, ACM TOMS 2015) without its outermost loop.
#include "packed.hpp"

namespace kernels::matmul {
namespace {

constexpr int band = 8;  // rows of B packed together: as many streams as prefetchers follow

// Packs columns of A four at a time, by transposing 4 × 4 squares: rows 0 … 3, then the last four
// rows (the two squares overlap for five to seven rows). With fewer than four rows, a store reaches
// past its column, and the next store overwrites the excess. Returns the number of columns done.
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

// Packs the columns of A from `p`, each with `present` of `rows` numbers.
[[gnu::noinline]] void pack_one_by_one(int present, int stride, int p, int depth,
                                       const float* strip, float* packed, int rows) {
  for (; p < depth; ++p)
    for (int r = 0; r < present; ++r) packed[p * rows + r] = strip[r * stride + p];
}

// region: pack
// Copies a block of A as strips of `rows` rows, column by column, and rows of B as strips of
// `columns` columns, row by row: the order in which the micro-kernel reads them. B is read in bands
// of a few rows, so that each of its lines is fetched once. The unused part of an incomplete last
// strip keeps its old content: the micro-kernel always computes whole tiles, and the results of the
// unused part are ignored.
template <int rows>
[[gnu::noinline]] void pack_a(Shape s, Range height, Range depth, const float* a, float* packed) {
  for (int i = 0; i < height.count; i += rows, packed += rows * depth.count) {
    const float* strip = a + (height.first + i) * s.k + depth.first;
    const int present = smaller(rows, height.count - i);
    const int p = present == rows ? pack_by_fours<rows>(s, depth.count, strip, packed) : 0;
    pack_one_by_one(present, s.k, p, depth.count, strip, packed, rows);
  }
}

template <int columns>
[[gnu::noinline]] void pack_b(Shape s, Range width, Range depth, const float* b, float* packed) {
  for (int p0 = 0; p0 < depth.count; p0 += band) {
    for (int j = 0; j < width.count; j += columns) {
      const int present = smaller(columns, width.count - j);
      const float* row = b + (depth.first + p0) * s.n + width.first + j;
      float* to = packed + j * depth.count + p0 * columns;
      for (int p = p0; p < smaller(p0 + band, depth.count); ++p, row += s.n, to += columns) {
        if (present == columns) {
          for (int q = 0; q < columns; q += lanes) store(to + q, load(row + q));
        } else {
          int q = 0;
          for (; q + lanes <= present; q += lanes) store(to + q, load(row + q));
          for (; q < present; ++q) to[q] = row[q];
        }
      }
    }
  }
}
// end region: pack

// region: micro-kernel
// Adds A · B to one tile of C, which stays in registers from beginning to end. With
// `fresh`, the tile starts at zero. The loop reads two streams strictly forward: a
// column of A, a row of B, the next column, … The old values of C are added at the
// end, so that the loop does not depend on them.
template <int rows, int vectors>
[[gnu::noinline]]
void micro_kernel(int depth, const float* a, const float* b, float* c, int stride, bool fresh) {
  f32x4 sum[rows][vectors] = {};

  // Without a counter, the loop is short enough for V8 to unroll it three times, and
  // the addresses in A's column then stay in registers.
  for (const float* end = b + depth * vectors * lanes; b < end;) {
    f32x4 row_of_b[vectors];
    for (int v = 0; v < vectors; ++v) row_of_b[v] = load(b + v * lanes);

    for (int r = 0; r < rows; ++r) {
      const f32x4 weight = splat(a[r]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = madd(weight, row_of_b[v], sum[r][v]);
    }
    a += rows;
    b += vectors * lanes;
  }

  if (!fresh) {
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < vectors; ++v) sum[r][v] += load(c + r * stride + v * lanes);
  }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < vectors; ++v) store(c + r * stride + v * lanes, sum[r][v]);
}
// end region: micro-kernel

// Computes the tile at `rows` and column j. At the edge, where less than a whole tile of C remains,
// the micro-kernel works on a spare tile, and the part inside C is added.
void multiply_tile(const Tile& tile, Shape s, Range rows, int j, Range depth, const float* a,
                   const float* b, float* c, float* spare) {
  const int columns = smaller(tile.columns, s.n - j);
  const bool whole = rows.count == tile.rows && columns == tile.columns, first = depth.first == 0;
  float* target = c + rows.first * s.n + j;
  if (whole) return tile.micro_kernel(depth.count, a, b, target, s.n, first);

  tile.micro_kernel(depth.count, a, b, spare, tile.columns, true);
  for (int r = 0; r < rows.count; ++r, target += s.n, spare += tile.columns) {
    int q = 0;
    for (; q + lanes <= columns; q += lanes)
      store(target + q, first ? load(spare + q) : load(target + q) + load(spare + q));
    for (; q < columns; ++q) target[q] = first ? spare[q] : target[q] + spare[q];
  }
}

template <int rows, int columns>
constexpr Tile make_tile() {
  return {rows, columns, pack_a<rows>, pack_b<columns>, micro_kernel<rows, columns / lanes>};
}

// The last tile is for one row or two and takes part in no race.
constexpr Tile tiles[] = {make_tile<4, 8>(),  make_tile<5, 8>(),  make_tile<6, 8>(),
                          make_tile<8, 8>(),  make_tile<2, 16>(), make_tile<6, 16>(),
                          make_tile<3, 24>(), make_tile<4, 24>(), make_tile<2, 8>()};

}  // namespace

const Tile& tile_of(double parameter) {
  const int name = parameter == 0 ? usual_tile : int(parameter);
  for (const Tile& tile : tiles)
    if (tile.rows == name / 100 && tile.columns == name % 100) return tile;
  return tiles[0];
}

const Tile& lowest(const Tile& tile, int rows) {
  const Tile* best = &tile;
  for (const Tile& other : tiles)
    if (other.columns == tile.columns && other.rows >= rows && other.rows < best->rows)
      best = &other;
  return *best;
}

[[gnu::noinline]] Range share(Range whole, int step, int part, int parts) {
  const int steps = blocks_in(whole.count, step);
  const int begin = smaller(whole.count, steps * part / parts * step);
  const int end = smaller(whole.count, steps * (part + 1) / parts * step);
  return {whole.first + begin, end - begin};
}

[[gnu::noinline]] Scratch take_scratch(const Tile& tile, Arena& arena) {
  float* a = arena.take<float>(std::size_t(tile.rows) * depth_block + lanes);
  return {a, arena.take<float>(std::size_t(tile.rows) * tile.columns)};
}

[[gnu::noinline]] void clear_scratch(const Tile& tile, Scratch scratch) {
  clear(scratch.a, std::size_t(tile.rows) * depth_block + lanes);
  clear(scratch.spare, std::size_t(tile.rows) * tile.columns);
}

[[gnu::noinline]] void pack_all_of_b(const Tile& tile, Shape s, const float* b, float* packed) {
  const int blocks = blocks_in(s.k, depth_block);
  for (int block = 0; block < blocks; ++block) {
    const Range depth = share({0, s.k}, 1, block, blocks);
    tile.pack_b(s, {0, s.n}, depth, b, packed + depth.first * round_up(s.n, tile.columns));
  }
}

// region: blocks
// A strip of A stays in L1 and meets every strip of the block of B, which is in L2. C is therefore
// walked along its rows, which suits prefetchers. Strips are as even as possible, and each uses the
// lowest tile that fits: eight rows are split into four and four, because six and two would cost as
// much as twelve.
[[gnu::noinline]]
void multiply_block(const Tile& tile, Shape s, Range rows, Range columns, Range depth,
                    const float* a, const float* b, float* c, Scratch scratch) {
  const int strips = blocks_in(rows.count, tile.rows);
  for (int i = 0; i < strips; ++i) {
    const Range strip = share(rows, 1, i, strips);
    const Tile& own = lowest(tile, strip.count);
    own.pack_a(s, strip, depth, a, scratch.a);

    for (int j = 0; j < columns.count; j += tile.columns)
      multiply_tile(own, s, strip, columns.first + j, depth, scratch.a, b + j * depth.count, c,
                    scratch.spare);
  }
}
// end region: blocks

namespace {

// From the outside in: a part of the depth that fits into L1, a block of B in that part, and all of
// A.
void multiply(const Tile& tile, Shape s, const float* a, const float* b, float* c, float* packed_b,
              bool b_is_packed, Scratch scratch) {
  const int deep = blocks_in(s.k, depth_block), wide = blocks_in(s.n, column_block);
  for (int p = 0; p < deep; ++p) {
    const Range depth = share({0, s.k}, 1, p, deep);
    for (int j = 0; j < wide; ++j) {
      const Range columns = share({0, s.n}, tile.columns, j, wide);
      float* block = packed_b;
      if (b_is_packed)
        block += depth.first * round_up(s.n, tile.columns) + columns.first * depth.count;
      else tile.pack_b(s, columns, depth, b, block);
      multiply_block(tile, s, {0, s.m}, columns, depth, a, block, c, scratch);
    }
  }
}

bool prepacked(const Args& args) { return args.value[3] != 0; }
const Tile& tile_of(const Args& args) { return matmul::tile_of(args.value[4]); }

// Divides the caller's memory. `packed_b` is one block of B, or all of B if B is packed in advance.
struct Layout {
  Matrices matrices;
  float* packed_b;
  std::size_t packed_count;
  Scratch scratch;
};

[[gnu::noinline]] Layout layout(const Args& args, Arena& arena) {
  const Tile& tile = tile_of(args);
  Layout l{};
  l.matrices = lay_out(args, arena);
  const Shape s = l.matrices.shape;
  const bool all = prepacked(args);
  const int width = all ? s.n : smaller(column_block + tile.columns, s.n);
  const int depth = all ? s.k : smaller(depth_block, s.k);
  l.packed_count = std::size_t(round_up(width, tile.columns)) * depth;
  l.packed_b = arena.take<float>(l.packed_count);
  l.scratch = take_scratch(tile, arena);
  return l;
}

std::size_t packed_memory(const Args& args) {
  Arena arena(nullptr);
  layout(args, arena);
  return arena.used();
}

void packed_prepare(const Args& args, void* base) {
  matmul::prepare(args, base);
  Arena arena(base);
  const Layout l = layout(args, arena);
  clear(l.packed_b, l.packed_count);
  clear_scratch(tile_of(args), l.scratch);
  if (prepacked(args)) pack_all_of_b(tile_of(args), l.matrices.shape, l.matrices.b, l.packed_b);
}

void packed_run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Layout l = layout(args, arena);
  const auto& [shape, a, b, c, check] = l.matrices;
  for (int rep = 0; rep < reps; ++rep)
    multiply(tile_of(args), shape, a, b, c, l.packed_b, prepacked(args), l.scratch);
}

}  // namespace
}  // namespace kernels::matmul

namespace kernels {

const Kernel matmul_packed = {.id = "matmul.packed",
                              .title = "Packed, blocked and tiled",
                              .unit = "GFLOP/s",
                              .roof_class = vector_class,
                              .element = "f32",
                              .source = "wasm_kernels/matmul/packed.cpp#micro-kernel",
                              .bytes_count = matmul::bytes_count,
                              .params = {matmul::n_param, matmul::m_param, matmul::k_param,
                                         matmul::prepacked_param, matmul::tile_param},
                              .flops = matmul::flops,
                              .bytes = matmul::bytes,
                              .memory = matmul::packed_memory,
                              .prepare = matmul::packed_prepare,
                              .run = matmul::packed_run,
                              .verify = matmul::verify};

}  // namespace kernels
