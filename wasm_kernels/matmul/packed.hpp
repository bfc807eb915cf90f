// The packed product in parts, which matmul.packed runs one after another and matmul.parallel on
// several threads.
#pragma once
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels::matmul {

inline constexpr int depth_block = 256;  // a strip of B, this deep and as wide as a tile, in L1
inline constexpr int row_block = 96;     // a block of A, this high and depth_block wide, in L2

// A range of rows or columns: `count` of them from `first` on.
struct Range {
  int first, count;
};

// A kind of tile, and the functions made for it.
struct Tile {
  int rows, columns;
  void (*pack_a)(Shape s, Range height, Range depth, const float* a, float* packed);
  void (*pack_b)(Shape s, Range width, Range depth, const float* b, float* packed);
  void (*micro_kernel)(int depth, const float* a, const float* b, float* c, int stride, bool fresh);
};

// The tile that tile_param's value names.
const Tile& tile_of(double parameter);
inline constexpr int usual_tile = fused ? 608 : 508;  // without fusing, a product needs a register
inline constexpr double tile_names[] = {0, 408, 508, 608, 808, 312, 216, 416, 616};
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

// What one thread needs besides B: one packed block of A, and a tile of C for rims.
struct Scratch {
  float* a;
  float* spare;
};
Scratch take_scratch(const Tile& tile, Arena& arena);
void clear_scratch(const Tile& tile, Scratch scratch);

// Packs all of B, block by block, as a library does with a layer's weights when the model is
// loaded: `packed` holds k rows of n columns, rounded up to whole tiles.
void pack_all_of_b(const Tile& tile, Shape s, const float* b, float* packed);

// Adds one depth block's part to C's rows × columns (the first block begins at zero). Both ranges
// begin at whole tiles; `b` is the packed block from the first of the columns on.
void multiply_block(const Tile& tile, Shape s, Range rows, Range columns, Range depth,
                    const float* a, const float* b, float* c, Scratch scratch);

}  // namespace kernels::matmul
