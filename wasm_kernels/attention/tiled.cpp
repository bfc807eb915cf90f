// Attention one tile of scores at a time, so that no score ever leaves the cache. Uses the online
// softmax of Milakov and Gimelshein (2018) in the loops of Dao et al., "FlashAttention" (NeurIPS
// 2022).
//
// A softmax needs the largest score of a row before it can compute the first exponential. The
// online softmax uses the largest score so far. If a later tile has a larger one, it scales down
// everything that has been summed so far.
#include "problem.hpp"

namespace kernels {
namespace {

using attention::Head;

constexpr int query_block = 48;  // rows of a tile of scores
constexpr int key_block = 128;   // columns: a tile is 24 KiB

// region: online
// The state of a row after the tiles so far.
struct Row {
  float most = -1e30f;  // largest score
  float total = 0;      // sum of e^(score - most)
};

void online_softmax(Row& row, float* scores, int keys, float* o, int d) {
  const float most = attention::largest(scores, keys, row.most);
  if (most > row.most) {
    const float factor = exp(splat(row.most - most))[0];
    row.total *= factor;
    attention::multiply(o, d, factor);
    row.most = most;
  }
  row.total += attention::exponentials(scores, keys, most);
}
// end region: online

// region: tiled
void attend(const Head& head, float* scores) {
  const auto [n, d] = head.shape;
  attention::pack(head);
  for (int i0 = 0; i0 < n; i0 += query_block) {
    const int queries = smaller(query_block, n - i0);
    float* o = head.o + i0 * d;
    Row rows[query_block];
    clear(o, std::size_t(queries) * d);

    for (int j0 = 0; j0 < n; j0 += key_block) {
      const int keys = smaller(key_block, n - j0);
      strips::multiply({queries, keys, d}, {head.q + i0 * d, d},
                       {head.keys.at(j0, 0), head.keys.stride}, {scores, key_block}, false,
                       {.factor = head.scale});
      for (int r = 0; r < queries; ++r)
        online_softmax(rows[r], scores + r * key_block, keys, o + r * d, d);
      strips::multiply({queries, d, keys}, {scores, key_block},
                       {head.values.at(0, j0), head.values.stride}, {o, d}, true, {});
    }
    for (int r = 0; r < queries; ++r) attention::multiply(o + r * d, d, 1 / rows[r].total);
  }
}
// end region: tiled

Head lay_out(const Args& args, Arena& arena, float** scores) {
  const Head head = attention::lay_out(args, arena);
  *scores = arena.take<float>(query_block * key_block);
  return head;
}

double flops(const Args& args) {
  const auto [n, d] = attention::shape_of(args);
  return 4.0 * n * n * d;
}

double bytes(const Args& args) {
  const auto [n, d] = attention::shape_of(args);
  return 4.0 * sizeof(float) * n * d;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  float* scores;
  lay_out(args, arena, &scores);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  float* scores;
  attention::prepare(lay_out(args, arena, &scores));
  clear(scores, query_block * key_block);
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  float* scores;
  const Head head = lay_out(args, arena, &scores);
  for (int rep = 0; rep < reps; ++rep) attend(head, scores);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  float* scores;
  const Head head = lay_out(args, arena, &scores);
  return attention::verify(head, attention::Result::output, nullptr, tolerance);
}

}  // namespace

const Kernel attention_tiled = {
    .id = "attention.tiled",
    .title = "Attention by tiles, online softmax",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/attention/tiled.cpp#tiled",
    .bytes_count = "Q, K and V read and O written once; of the scores, memory holds one tile",
    .params = {attention::n_param, attention::d_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
