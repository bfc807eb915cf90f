// Attention for several heads, one strip of queries at a time, for attention.heads and for the
// block of a Transformer. attention.cpp explains the method.
#pragma once
#include "../matmul/packed.hpp"

namespace kernels::layers {

// `count` heads of n tokens with d numbers each. Token i of head h has its query at q + h * head +
// i * row; keys, values and outputs have the same layout.
struct Heads {
  int count, n, d;
  bool causal;  // token i sees the tokens 0 … i
  const float* q;
  const float* k;
  const float* v;
  int row;
  std::ptrdiff_t head;
  float* o;
  int o_row;
  std::ptrdiff_t o_head;
};

// Workspace for one head at a time.
struct AttentionScratch {
  float* keys;     // packed like the rows of A
  float* values;   // transposed and packed likewise
  float* queries;  // a strip of columns of B
  float* scores;   // one row per key of a block, as wide as a tile
  float* outputs;  // one row per number of a token, as wide as a tile
  float* most;     // per query: the largest score so far
  float* total;    // per query: the sum of exponentials so far
};

AttentionScratch take_attention(const matmul::Tile& tile, int n, int d, Arena& arena);
void clear_attention(const matmul::Tile& tile, int n, int d, AttentionScratch scratch);
void attend(const matmul::Tile& tile, const Heads& heads, AttentionScratch scratch);

}  // namespace kernels::layers
