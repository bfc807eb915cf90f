// The packed product in parts, which matmul.packed runs one after another and matmul.parallel on
// several threads.
#pragma once
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels::matmul {

inline constexpr int depth_block = 256;    // a strip of A, this wide and as high as a tile, in L1
inline constexpr int column_block = 1024;  // a block of B, this wide and depth_block deep, in L2

// A range of rows or columns: `count` of them from `first` on.
struct Range {
  int first, count;
};

// How many blocks of at most `most` there are in `count`, and one of them. They begin at whole
// `step`s and are as even as can be: k = 257 has 128 and 129, because 256 and 1 would pay for two
// passes over C and have work for one.
inline int blocks_in(int count, int most) { return (count + most - 1) / most; }
Range share(Range whole, int step, int part, int parts);

// A kind of tile, and the functions made for it.
struct Tile {
  int rows, columns;
  void (*pack_a)(Shape s, Range height, Range depth, const float* a, float* packed);
  void (*pack_b)(Shape s, Range width, Range depth, const float* b, float* packed);
  void (*micro_kernel)(int depth, const float* a, const float* b, float* c, int stride, bool fresh);
};

// The tile that tile_param's value names.
const Tile& tile_of(double parameter);
// Of the tiles as wide as this one, the lowest with `rows` rows or more.
const Tile& lowest(const Tile& tile, int rows);
inline constexpr int usual_tile = fused ? 608 : 508;  // without fusing, a product needs a register
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

// What one thread needs besides B: one packed strip of A, and a tile of C for rims.
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
// begin at whole tiles; `b` is the packed block from the first of the columns on, `column_block`
// of them at most if it is to stay in L2.
void multiply_block(const Tile& tile, Shape s, Range rows, Range columns, Range depth,
                    const float* a, const float* b, float* c, Scratch scratch);

}  // namespace kernels::matmul
