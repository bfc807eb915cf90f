// Tiled attention with an online softmax, as attention.tiled, but on the micro-kernel of the packed
// matmul. A strip of queries is as wide as a tile. Scores are computed with keys as rows and
// queries as columns, so each query has its own lane, and its softmax needs no sums across lanes.
// The first matmul writes the strip of scores row by row, which is exactly the packed format that
// the second matmul reads.
#include "attention.hpp"

#include "../vector_math.hpp"
#include "exp2.hpp"

namespace kernels::layers {
namespace {

using matmul::Tile;

constexpr int most_keys = 240;  // per block; the rows of every tile divide it
constexpr float lowest = -1e30f;

int padded(const Tile& tile, int count) { return round_up(count, tile.rows); }

// Packs the transpose of the values into strips of rows: as many numbers of token 0 as a tile has
// rows, then of token 1, …
void pack_values(const Tile& tile, int n, int d, const float* v, int row, float* packed) {
  for (int i = 0; i < d; i += tile.rows) {
    const int present = smaller(tile.rows, d - i);
    for (int j = 0; j < n; ++j, packed += tile.rows)
      for (int r = 0; r < tile.rows; ++r)
        packed[r] = r < present ? v[std::ptrdiff_t(j) * row + i + r] : 0;
  }
}

// Packs `count` queries, multiplied by `factor`, as a strip of columns.
void pack_queries(const Tile& tile, int count, int d, const float* q, int row, float factor,
                  float* packed) {
  for (int first = 0; first < tile.columns; first += lanes) {
    int p = 0;
    for (; first + lanes <= count && p + lanes <= d; p += lanes) {
      f32x4 square[lanes];
      for (int r = 0; r < lanes; ++r)
        square[r] = load(q + std::ptrdiff_t(first + r) * row + p) * splat(factor);
      transpose(square);
      for (int r = 0; r < lanes; ++r) store(packed + (p + r) * tile.columns + first, square[r]);
    }
    for (; p < d; ++p)
      for (int r = first; r < first + lanes; ++r)
        packed[p * tile.columns + r] = r < count ? q[std::ptrdiff_t(r) * row + p] * factor : 0;
  }
}

// region: softmax
// Continues the softmax of four queries. `scores` become exponentials, and if a score is larger
// than all previous ones, the sums of its query are scaled down.
void online_softmax(int keys, int stride, float* scores, int d, float* outputs, float* most,
                    float* total) {
  f32x4 largest[lanes];
  for (int i = 0; i < lanes; ++i) largest[i] = load(most);
  int j = 0;
  for (; j + lanes <= keys; j += lanes)
    for (int i = 0; i < lanes; ++i)
      largest[i] = larger(largest[i], load(scores + (j + i) * stride));
  for (; j < keys; ++j) largest[0] = larger(largest[0], load(scores + j * stride));
  const f32x4 now = larger(larger(largest[0], largest[1]), larger(largest[2], largest[3]));
  const f32x4 factor = exp2(load(most) - now);
  store(most, now);

  f32x4 sum = load(total) * factor;
  for (j = 0; j < keys; ++j) {
    const f32x4 power = exp2(load(scores + j * stride) - now);
    store(scores + j * stride, power);
    sum += power;
  }
  store(total, sum);
  for (int p = 0; p < d; ++p) store(outputs + p * stride, load(outputs + p * stride) * factor);
}
// end region: softmax

// Masks the keys after each query of a strip. `first` is the index of the first query, relative to
// the first key of the block.
void mask(const Tile& tile, int first, int keys, float* scores) {
  for (int q = 0; q < tile.columns; ++q) {
    const int behind = first + q + 1;
    for (int j = behind > 0 ? behind : 0; j < keys; ++j) scores[j * tile.columns + q] = lowest;
  }
}

// Transposes the strip of results and divides it by the sums of the exponentials.
void put(const Tile& tile, int count, int d, const AttentionScratch& s, float* o, int o_row) {
  for (int q = 0; q < count; ++q) s.total[q] = 1 / s.total[q];
  for (int first = 0; first < count; first += lanes) {
    const f32x4 shares = load(s.total + first);
    int p = 0;
    for (; first + lanes <= count && p + lanes <= d; p += lanes) {
      f32x4 square[lanes];
      for (int r = 0; r < lanes; ++r)
        square[r] = load(s.outputs + (p + r) * tile.columns + first) * shares;
      transpose(square);
      for (int r = 0; r < lanes; ++r) store(o + std::ptrdiff_t(first + r) * o_row + p, square[r]);
    }
    for (; p < d; ++p)
      for (int q = first; q < smaller(first + lanes, count); ++q)
        o[std::ptrdiff_t(q) * o_row + p] = s.outputs[p * tile.columns + q] * s.total[q];
  }
}

// region: strip
// Computes the queries `first` and following, as many as a tile has columns, against all keys that
// they may see.
void attend_strip(const Tile& tile, const Heads& h, int first, const AttentionScratch& s) {
  const int columns = tile.columns, seen = h.causal ? smaller(first + columns, h.n) : h.n;
  for (int q = 0; q < columns; ++q) s.most[q] = lowest, s.total[q] = 0;

  for (int j0 = 0; j0 < seen; j0 += most_keys) {
    const int keys = smaller(most_keys, seen - j0);
    for (int j = 0; j < keys; j += tile.rows)
      tile.micro_kernel(h.d, s.keys + std::ptrdiff_t(j0 + j) * h.d, s.queries,
                        s.scores + j * columns, columns, true);
    if (h.causal) mask(tile, first - j0, keys, s.scores);
    for (int q = 0; q < columns; q += lanes)
      online_softmax(keys, columns, s.scores + q, j0 ? h.d : 0, s.outputs + q, s.most + q,
                     s.total + q);
    for (int i = 0; i < h.d; i += tile.rows)
      tile.micro_kernel(keys, s.values + std::ptrdiff_t(i) * h.n + j0 * tile.rows, s.scores,
                        s.outputs + i * columns, columns, j0 == 0);
  }
}
// end region: strip

}  // namespace

AttentionScratch take_attention(const Tile& tile, int n, int d, Arena& arena) {
  AttentionScratch s{};
  s.keys = arena.take<float>(std::size_t(padded(tile, n)) * d + lanes);
  s.values = arena.take<float>(std::size_t(padded(tile, d)) * n);
  s.queries = arena.take<float>(std::size_t(tile.columns) * d);
  s.scores = arena.take<float>(std::size_t(most_keys) * tile.columns);
  s.outputs = arena.take<float>(std::size_t(padded(tile, d)) * tile.columns);
  s.most = arena.take<float>(tile.columns);
  s.total = arena.take<float>(tile.columns);
  return s;
}

void clear_attention(const Tile& tile, int n, int d, AttentionScratch s) {
  clear(s.keys, std::size_t(padded(tile, n)) * d + lanes);
  clear(s.values, std::size_t(padded(tile, d)) * n);
  clear(s.queries, std::size_t(tile.columns) * d);
  clear(s.scores, std::size_t(most_keys) * tile.columns);
  clear(s.outputs, std::size_t(padded(tile, d)) * tile.columns);
}

void attend(const Tile& tile, const Heads& h, AttentionScratch s) {
  constexpr float log2_e = 1.44269504f;
  const float scale = log2_e / __builtin_sqrtf(float(h.d));
  for (int head = 0; head < h.count; ++head) {
    const std::ptrdiff_t at = head * h.head;
    tile.pack_a({.m = h.n, .n = 0, .k = h.row}, {0, h.n}, {0, h.d}, h.k + at, s.keys);
    pack_values(tile, h.n, h.d, h.v + at, h.row, s.values);
    for (int i = 0; i < h.n; i += tile.columns) {
      const int count = smaller(tile.columns, h.n - i);
      pack_queries(tile, count, h.d, h.q + at + std::ptrdiff_t(i) * h.row, h.row, scale, s.queries);
      attend_strip(tile, h, i, s);
      put(tile, count, h.d, s, h.o + head * h.o_head + std::ptrdiff_t(i) * h.o_row, h.o_row);
    }
  }
}

}  // namespace kernels::layers
