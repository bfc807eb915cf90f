// The parts of the packed matmul. matmul.packed runs them on one thread, matmul.parallel on
// several.
#pragma once
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels::matmul {

// Width of a strip of A, which is as high as a tile, in L1
inline constexpr int depth_block = 256;
// Width of a block of B, which is depth_block deep, in L2
inline constexpr int column_block = 1024;

// A range of rows or columns: `count` of them, starting at `first`.
struct Range {
  int first, count;
};

// The number of blocks of at most `most` in `count`, and one of these blocks. Blocks start at
// multiples of `step` and are as even as possible: k = 257 is split into 128 and 129, because 256
// and 1 would pass over C twice with work for one pass.
inline int blocks_in(int count, int most) { return (count + most - 1) / most; }
Range share(Range whole, int step, int part, int parts);

// A tile size with its functions.
struct Tile {
  int rows, columns;
  void (*pack_a)(Shape s, Range height, Range depth, const float* a, float* packed);
  void (*pack_b)(Shape s, Range width, Range depth, const float* b, float* packed);
  void (*micro_kernel)(int depth, const float* a, const float* b, float* c, int stride, bool fresh);
};

// The tile for a value of tile_param.
const Tile& tile_of(double parameter);
// The lowest tile as wide as `tile` that has at least `rows` rows.
const Tile& lowest(const Tile& tile, int rows);
inline constexpr int usual_tile = fused ? 608 : 508;  // without FMA, a product needs a register
inline constexpr double tile_names[] = {0, 408, 508, 608, 808, 216, 616, 324, 424};
inline constexpr Param tile_param{
    .name = "tile",
    .doc = "the tile in registers, rows * 100 + columns; 0: the one that won the race",
    .default_value = 0,
    .min = 0,
    .max = 808,
    .choices = tile_names,
    .choice_count = sizeof tile_names / sizeof tile_names[0]};
inline constexpr Param prepacked_param{
    .name = "prepacked",
    .doc = "1: B is packed before the clock starts, as weights are; 0: within the time",
    .default_value = 0,
    .min = 0,
    .max = 1};

// The workspace of one thread, in addition to B: a packed strip of A, and a tile of C for edges.
struct Scratch {
  float* a;
  float* spare;
};
Scratch take_scratch(const Tile& tile, Arena& arena);
void clear_scratch(const Tile& tile, Scratch scratch);

// Packs all of B, block by block, as a library packs the weights of a layer when it loads a model.
// `packed` holds k rows of n columns, rounded up to whole tiles.
void pack_all_of_b(const Tile& tile, Shape s, const float* b, float* packed);

// Adds the product of one depth block to rows × columns of C (the first block starts at zero). Both
// ranges start at whole tiles. `b` is the packed block, starting at the first of the columns; it
// stays in L2 if there are at most `column_block` of them.
void multiply_block(const Tile& tile, Shape s, Range rows, Range columns, Range depth,
                    const float* a, const float* b, float* c, Scratch scratch);

}  // namespace kernels::matmul
