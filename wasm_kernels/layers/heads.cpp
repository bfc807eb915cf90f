// attention.heads: several heads of attention, each softmax(Q · Kᵀ / sqrt(d)) · V.
#include "../memory.hpp"
#include "../reference.hpp"
#include "attention.hpp"
#include "layers.hpp"

namespace kernels {
namespace {

using layers::Heads;

struct Problem {
  Heads heads;
  float* q;
  float* k;
  float* v;
  float* o;
  double* check;  // n numbers for verify()
  layers::AttentionScratch scratch;
};

const matmul::Tile& tile_of(const Args& args) { return matmul::tile_of(args.value[4]); }
bool is_causal(const Args& args) { return args.value[3] != 0; }

Problem lay_out(const Args& args, Arena& arena) {
  const int n = int(args.value[0]), d = int(args.value[1]), count = int(args.value[2]);
  const std::size_t size = std::size_t(count) * n * d;
  Problem p{};
  p.q = arena.take<float>(size);
  p.k = arena.take<float>(size);
  p.v = arena.take<float>(size);
  p.o = arena.take<float>(size);
  p.check = arena.take<double>(n);
  p.scratch = layers::take_attention(tile_of(args), n, d, arena);
  const std::ptrdiff_t head = std::ptrdiff_t(n) * d;
  p.heads = {.count = count,
             .n = n,
             .d = d,
             .causal = is_causal(args),
             .q = p.q,
             .k = p.k,
             .v = p.v,
             .row = d,
             .head = head,
             .o = p.o,
             .o_row = d,
             .o_head = head};
  return p;
}

double flops(const Args& args) {
  const double n = args.value[0], pairs = is_causal(args) ? n * (n + 1) / 2 : n * n;
  return 4.0 * pairs * args.value[1] * args.value[2];
}

double bytes(const Args& args) {
  return 4.0 * sizeof(float) * args.value[0] * args.value[1] * args.value[2];
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

// Queries are small, so that many tokens contribute to each result.
void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const Heads& h = p.heads;
  Values values;
  const std::size_t size = std::size_t(h.count) * h.n * h.d;
  for (std::size_t i = 0; i < size; ++i) p.q[i] = values.next() / 4;
  for (std::size_t i = 0; i < size; ++i) p.k[i] = values.next();
  for (std::size_t i = 0; i < size; ++i) p.v[i] = values.next();
  for (std::size_t i = 0; i < size; ++i) p.o[i] = 100;  // no mean of the values is this large
  for (int j = 0; j < h.n; ++j) p.check[j] = 0;
  layers::clear_attention(tile_of(args), h.n, h.d, p.scratch);
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) layers::attend(tile_of(args), p.heads, p.scratch);
}

// Computes the attention probabilities of one query as in the definition. Returns the number of
// visible keys.
int probabilities(const Problem& p, int head, int i) {
  const Heads& h = p.heads;
  const int seen = h.causal ? i + 1 : h.n;
  const float* const q = p.q + head * h.head + std::ptrdiff_t(i) * h.d;
  const float* const k = p.k + head * h.head;
  double most = -1e300, total = 0;
  for (int j = 0; j < seen; ++j) {
    double sum = 0;
    for (int r = 0; r < h.d; ++r) sum += double(q[r]) * k[j * h.d + r];
    p.check[j] = sum / __builtin_sqrt(double(h.d));
    most = larger(most, p.check[j]);
  }
  for (int j = 0; j < seen; ++j) total += p.check[j] = reference_exp(p.check[j] - most);
  for (int j = 0; j < seen; ++j) p.check[j] /= total;
  return seen;
}

// Checks about 32 tokens of each head, in steps that reach all positions in a tile, and the last
// one.
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const Heads& h = p.heads;
  Deviation deviation;
  const int step = h.n / 32 / 24 * 24 + 1;
  for (int head = 0; head < h.count; ++head) {
    for (int at = 0; at < h.n + step - 1; at += step) {
      const int i = smaller(at, h.n - 1), seen = probabilities(p, head, i);
      for (int r = 0; r < h.d; ++r) {
        double sum = 0;
        for (int j = 0; j < seen; ++j)
          sum += p.check[j] * p.v[head * h.head + std::ptrdiff_t(j) * h.d + r];
        deviation.compare(p.o[head * h.head + std::ptrdiff_t(i) * h.d + r], sum);
      }
    }
  }
  *tolerance = 1e-5;  // the values are at most 3.5
  return deviation.largest();
}

}  // namespace

const Kernel attention_heads = {
    .id = "attention.heads",
    .title = "Attention of several heads",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/layers/attention.cpp#strip",
    .bytes_count = "Q, K and V of each head read and O written once; memory holds some scores",
    .params = {{.name = "n", .doc = "tokens", .default_value = 1024, .min = 1, .max = 8192},
               {.name = "d",
                .doc = "numbers per token and head",
                .default_value = 64,
                .min = 1,
                .max = 256},
               {.name = "heads", .doc = "heads", .default_value = 16, .min = 1, .max = 128},
               {.name = "causal",
                .doc =
                    "1: a token sees itself and those before it, and nothing else is computed or "
                    "counted; 0: all",
                .default_value = 0,
                .max = 1},
               matmul::tile_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
