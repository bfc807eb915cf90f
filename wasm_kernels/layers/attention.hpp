// Attention for several heads, a strip of queries at a time; attention.cpp says how. For
// attention.heads and for blocks that have it inside.
#pragma once
#include "../matmul/packed.hpp"

namespace kernels::layers {

// `count` heads of n tokens with d numbers each. Token i of head h has its query at
// q + h * head + i * row, and its key and value alike; its output lies at o in the same way.
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

// What one head at a time needs.
struct AttentionScratch {
  float* keys;     // packed as the tile packs rows of A
  float* values;   // their columns, packed likewise
  float* queries;  // a strip of columns of B
  float* scores;   // as many rows of C as there are keys in a block, as wide as a tile
  float* outputs;  // one row for each number of a token, as wide
  float* most;     // of each query's scores, the largest so far
  float* total;    // of each query's exponentials, the sum so far
};

AttentionScratch take_attention(const matmul::Tile& tile, int n, int d, Arena& arena);
void clear_attention(const matmul::Tile& tile, int n, int d, AttentionScratch scratch);
void attend(const matmul::Tile& tile, const Heads& heads, AttentionScratch scratch);

}  // namespace kernels::layers
