// A block of GPT-2 as in Radford et al. (2019): h = x + attention(norm(x)), y = h + mlp(norm(h)).
// The MLP is four times as wide as the block, with a GELU in the middle. Every matmul is the packed
// one with weights that were packed in advance. The operations between the matmuls work row by row
// on data that is still in a cache.
#include "../matmul/packed.hpp"
#include "../reference.hpp"
#include "../vector_math.hpp"
#include "attention.hpp"
#include "layers.hpp"

namespace kernels {
namespace {

using matmul::depth_block;
using matmul::Range;
using matmul::Tile;

constexpr float epsilon = 1e-5f;

// The weights of a layer, inputs × outputs: packed, and unpacked for verify(); and its bias.
struct Weights {
  int inputs, outputs;
  float* plain;
  float* packed;
  float* bias;
};

struct Norm {
  float* factor;
  float* bias;
};

struct Block {
  int tokens, width, heads;
  float* x;
  float* y;
  Norm before_attention, before_mlp;
  Weights qkv, projection, up, down;
  float* normal;  // tokens × width
  float* wide;    // tokens × 4 · width: queries, keys and values, then the hidden layer of the MLP
  float* mixed;   // tokens × width: the output of attention
  matmul::Scratch scratch;
  layers::AttentionScratch attention;
  double* check;  // for verify()
};

const Tile& tile_of(const Args& args) { return matmul::tile_of(args.value[3]); }
std::size_t packed_size(const Tile& tile, const Weights& w) {
  return std::size_t(round_up(w.outputs, tile.columns)) * w.inputs;
}

Weights take_weights(const Tile& tile, int inputs, int outputs, Arena& arena) {
  Weights w{inputs, outputs, nullptr, nullptr, nullptr};
  w.plain = arena.take<float>(std::size_t(inputs) * outputs);
  w.packed = arena.take<float>(packed_size(tile, w));
  w.bias = arena.take<float>(outputs);
  return w;
}

Norm take_norm(int width, Arena& arena) {
  float* const factor = arena.take<float>(width);
  return {factor, arena.take<float>(width)};
}

Block lay_out(const Args& args, Arena& arena) {
  Block b{};
  const Tile& tile = tile_of(args);
  const int n = b.tokens = int(args.value[0]);
  b.heads = int(args.value[2]);
  const int d = b.width = int(args.value[1]) * b.heads;
  b.x = arena.take<float>(std::size_t(n) * d);
  b.y = arena.take<float>(std::size_t(n) * d);
  b.before_attention = take_norm(d, arena);
  b.before_mlp = take_norm(d, arena);
  b.qkv = take_weights(tile, d, 3 * d, arena);
  b.projection = take_weights(tile, d, d, arena);
  b.up = take_weights(tile, d, 4 * d, arena);
  b.down = take_weights(tile, 4 * d, d, arena);
  b.normal = arena.take<float>(std::size_t(n) * d);
  b.wide = arena.take<float>(std::size_t(n) * d * 4);
  b.mixed = arena.take<float>(std::size_t(n) * d);
  b.scratch = matmul::take_scratch(tile, arena);
  b.attention = layers::take_attention(tile, n, d / b.heads, arena);
  b.check = arena.take<double>(std::size_t(n) * d * 10 + n);
  return b;
}

// to[i] = body(from[i], i) for `count` numbers.
template <class Body>
void each(const float* from, int count, float* to, Body body) {
  int i = 0;
  for (; i + lanes <= count; i += lanes) store(to + i, body(load(from + i), i));
  for (; i < count; ++i) to[i] = body(splat(from[i]), i)[0];
}
// Loads four numbers of an array, or fewer at its end.
f32x4 part(const float* p, int i, int count) {
  return i + lanes <= count ? load(p + i) : splat(p[i]);
}

// region: norm
void normalise(const float* x, int width, Norm norm, float* to) {
  f32x4 sums = splat(0), squares = splat(0);
  float rest = 0, rest_of_squares = 0;
  int i = 0;
  for (; i + lanes <= width; i += lanes) sums += load(x + i);
  for (; i < width; ++i) rest += x[i];
  const float mean = (sum(sums) + rest) / float(width);
  for (i = 0; i + lanes <= width; i += lanes) {
    const f32x4 off = load(x + i) - splat(mean);
    squares = madd(off, off, squares);
  }
  for (; i < width; ++i) rest_of_squares += (x[i] - mean) * (x[i] - mean);
  const float variance = (sum(squares) + rest_of_squares) / float(width);
  const float factor = 1 / __builtin_sqrtf(variance + epsilon);
  each(x, width, to, [&](f32x4 some, int at) {
    return madd((some - splat(mean)) * splat(factor), part(norm.factor, at, width),
                part(norm.bias, at, width));
  });
}
// end region: norm

// region: gelu
// GELU in GPT-2's tanh form: x / (1 + e^(-2u)), u = sqrt(2 / π) (x + 0.044715 x³). exp() takes no
// positive numbers, so the exponential is that of -2 |u|.
f32x4 gelu(f32x4 x) {
  const f32x4 u = x * madd(x * x, splat(2 * 0.7978845608f * 0.044715f), splat(2 * 0.7978845608f));
  const f32x4 power = exp(-larger(u, -u));
  const i32x4 negative = u < splat(0);
  const f32x4 share = f32x4((i32x4(power) & negative) | (i32x4(splat(1)) & ~negative));
  return x * share / (splat(1) + power);
}
// end region: gelu

// C = A · W. The caller adds the bias, because its next step reads C anyway.
void multiply(const Tile& tile, int rows, const float* a, const Weights& w, float* c,
              matmul::Scratch scratch) {
  const matmul::Shape s{rows, w.outputs, w.inputs};
  const int deep = matmul::blocks_in(s.k, depth_block);
  const int wide = matmul::blocks_in(s.n, matmul::column_block);
  for (int p = 0; p < deep; ++p) {
    const Range depth = matmul::share({0, s.k}, 1, p, deep);
    const float* const packed =
        w.packed + std::ptrdiff_t(depth.first) * round_up(s.n, tile.columns);
    for (int j = 0; j < wide; ++j) {
      const Range columns = matmul::share({0, s.n}, tile.columns, j, wide);
      matmul::multiply_block(tile, s, {0, s.m}, columns, depth, a,
                             packed + std::ptrdiff_t(columns.first) * depth.count, c, scratch);
    }
  }
}

// region: block
void forward(const Block& b, const Tile& tile) {
  const int n = b.tokens, d = b.width;
  const auto at = [&](float* rows, int i, int width) { return rows + std::ptrdiff_t(i) * width; };
  const auto plus = [](const float* other, int count) {
    return [=](f32x4 x, int i) { return x + part(other, i, count); };
  };

  for (int i = 0; i < n; ++i) normalise(at(b.x, i, d), d, b.before_attention, at(b.normal, i, d));
  multiply(tile, n, b.normal, b.qkv, b.wide, b.scratch);
  for (int i = 0; i < n; ++i) {
    float* const row = at(b.wide, i, 3 * d);
    each(row, 3 * d, row, plus(b.qkv.bias, 3 * d));
  }
  layers::attend(tile,
                 {.count = b.heads,
                  .n = n,
                  .d = d / b.heads,
                  .causal = true,
                  .q = b.wide,
                  .k = b.wide + d,
                  .v = b.wide + 2 * d,
                  .row = 3 * d,
                  .head = d / b.heads,
                  .o = b.mixed,
                  .o_row = d,
                  .o_head = d / b.heads},
                 b.attention);
  multiply(tile, n, b.mixed, b.projection, b.y, b.scratch);
  for (int i = 0; i < n; ++i) {
    float* const row = at(b.y, i, d);
    each(row, d, row, plus(b.projection.bias, d));
    each(row, d, row, plus(at(b.x, i, d), d));
    normalise(row, d, b.before_mlp, at(b.normal, i, d));
  }
  multiply(tile, n, b.normal, b.up, b.wide, b.scratch);
  for (int i = 0; i < n; ++i) {
    float* const row = at(b.wide, i, 4 * d);
    each(row, 4 * d, row, [&](f32x4 x, int j) { return gelu(x + part(b.up.bias, j, 4 * d)); });
  }
  multiply(tile, n, b.wide, b.down, b.normal, b.scratch);
  for (int i = 0; i < n; ++i) {
    float* const row = at(b.y, i, d);
    each(row, d, row, plus(b.down.bias, d));
    each(row, d, row, plus(at(b.normal, i, d), d));
  }
}
// end region: block

// The operations of the matmuls: 24 d² per token, and 4 d per pair of a token and a visible token.
// As is customary, other operations are not counted.
double flops(const Args& args) {
  const double n = args.value[0], d = args.value[1] * args.value[2];
  return 24 * n * d * d + 4 * d * n * (n + 1) / 2;
}

double bytes(const Args& args) {
  const double n = args.value[0], d = args.value[1] * args.value[2];
  return sizeof(float) * (12 * d * d + 13 * d + 2 * n * d);
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

// Small random weights, as before training, so that sums stay near 1.
void fill_weights(const Tile& tile, const Weights& w, Values& values) {
  const float scale = 0.5f / __builtin_sqrtf(float(w.inputs));
  for (std::size_t i = 0; i < std::size_t(w.inputs) * w.outputs; ++i)
    w.plain[i] = values.next() * scale;
  for (int i = 0; i < w.outputs; ++i) w.bias[i] = values.next() / 16;
  clear(w.packed, packed_size(tile, w));
  matmul::pack_all_of_b(tile, {.m = 1, .n = w.outputs, .k = w.inputs}, w.plain, w.packed);
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Block b = lay_out(args, arena);
  const Tile& tile = tile_of(args);
  const std::size_t size = std::size_t(b.tokens) * b.width;
  Values values;
  for (std::size_t i = 0; i < size; ++i) b.x[i] = values.next() / 2;
  for (std::size_t i = 0; i < size; ++i) b.y[i] = 1000;  // no output has this value
  const Norm norms[] = {b.before_attention, b.before_mlp};
  const Weights all[] = {b.qkv, b.projection, b.up, b.down};
  for (const Norm& norm : norms)
    for (int i = 0; i < b.width; ++i) {
      norm.factor[i] = 1 + values.next() / 16;
      norm.bias[i] = values.next() / 16;
    }
  for (const Weights& w : all) fill_weights(tile, w, values);
  clear(b.normal, size);
  clear(b.wide, 4 * size);
  clear(b.mixed, size);
  matmul::clear_scratch(tile, b.scratch);
  layers::clear_attention(tile, b.tokens, b.width / b.heads, b.attention);
  for (std::size_t i = 0; i < size * 10 + b.tokens; ++i) b.check[i] = 0;
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Block b = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) forward(b, tile_of(args));
}

// The same computation in double precision, one number at a time.
struct Reference {
  const Block& b;
  int n, d;
  double* normal;   // n × d
  double* wide;     // n × 4 d
  double* after;    // n × d: the input plus the output of attention
  double* mixed;    // n × d
  double* weights;  // n

  explicit Reference(const Block& block)
      : b(block),
        n(block.tokens),
        d(block.width),
        normal(block.check),
        wide(normal + std::ptrdiff_t(n) * d),
        after(wide + std::ptrdiff_t(n) * d * 4),
        mixed(after + std::ptrdiff_t(n) * d),
        weights(mixed + std::ptrdiff_t(n) * d) {}

  void normalise(const double* x, Norm norm, double* to) const {
    double mean = 0, variance = 0;
    for (int i = 0; i < d; ++i) mean += x[i] / d;
    for (int i = 0; i < d; ++i) variance += (x[i] - mean) * (x[i] - mean) / d;
    for (int i = 0; i < d; ++i)
      to[i] = (x[i] - mean) / __builtin_sqrt(variance + epsilon) * norm.factor[i] + norm.bias[i];
  }
  static void multiply(const double* row, const Weights& w, double* to) {
    for (int j = 0; j < w.outputs; ++j) to[j] = w.bias[j];
    for (int p = 0; p < w.inputs; ++p)
      for (int j = 0; j < w.outputs; ++j)
        to[j] += row[p] * w.plain[std::ptrdiff_t(p) * w.outputs + j];
  }
  void attend(int i, int head) const {
    const int size = d / b.heads, first = head * size;
    const double* const q = wide + std::ptrdiff_t(i) * 3 * d + first;
    double most = -1e300, total = 0;
    for (int j = 0; j <= i; ++j) {
      const double* const k = wide + std::ptrdiff_t(j) * 3 * d + d + first;
      double score = 0;
      for (int p = 0; p < size; ++p) score += q[p] * k[p];
      most = larger(most, weights[j] = score / __builtin_sqrt(double(size)));
    }
    for (int j = 0; j <= i; ++j) total += weights[j] = reference_exp(weights[j] - most);
    for (int p = 0; p < size; ++p) {
      double sum = 0;
      for (int j = 0; j <= i; ++j)
        sum += weights[j] / total * wide[std::ptrdiff_t(j) * 3 * d + 2 * d + first + p];
      mixed[std::ptrdiff_t(i) * d + first + p] = sum;
    }
  }
  // Computes row i of the output into `normal`.
  void finish(int i) const {
    double* const row = after + std::ptrdiff_t(i) * d;
    double* const hidden = wide;  // queries are no longer needed
    multiply(mixed + std::ptrdiff_t(i) * d, b.projection, row);
    for (int j = 0; j < d; ++j) row[j] += b.x[std::ptrdiff_t(i) * d + j];
    normalise(row, b.before_mlp, normal);
    multiply(normal, b.up, hidden);
    for (int j = 0; j < 4 * d; ++j) {
      const double x = hidden[j], u = 0.7978845608028654 * (x + 0.044715 * x * x * x);
      hidden[j] = x / (1 + reference_exp(-2 * u));
    }
    multiply(hidden, b.down, normal);
    for (int j = 0; j < d; ++j) normal[j] += row[j];
  }
};

// All tokens pass through the first half, since later tokens see them. The second half is checked
// for about 16 tokens and the last one.
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Block b = lay_out(args, arena);
  const Reference r(b);
  for (int i = 0; i < r.n; ++i) {
    double* const x = r.after;
    for (int j = 0; j < r.d; ++j) x[j] = b.x[std::ptrdiff_t(i) * r.d + j];
    r.normalise(x, b.before_attention, r.normal);
    Reference::multiply(r.normal, b.qkv, r.wide + std::ptrdiff_t(i) * 3 * r.d);
  }
  const int step = r.n / 16 / 24 * 24 + 1;
  for (int at = 0; at < r.n + step - 1; at += step)
    for (int head = 0; head < b.heads; ++head) r.attend(smaller(at, r.n - 1), head);
  Deviation deviation;
  for (int at = 0; at < r.n + step - 1; at += step) {
    const int i = smaller(at, r.n - 1);
    r.finish(i);
    for (int j = 0; j < r.d; ++j) deviation.compare(b.y[std::ptrdiff_t(i) * r.d + j], r.normal[j]);
  }
  *tolerance = 1e-4;  // for values of a few units
  return deviation.largest();
}

}  // namespace

const Kernel block_gpt2 = {
    .id = "block.gpt2",
    .title = "One block of GPT-2",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/layers/block.cpp#block",
    .bytes_count =
        "weights (packed beforehand) and biases once, read; the tokens read and written; "
        "what lies between layers is not counted",
    .params = {{.name = "n", .doc = "tokens", .default_value = 512, .min = 1, .max = 2048},
               {.name = "d",
                .doc = "numbers per token and head",
                .default_value = 64,
                .min = 1,
                .max = 128},
               {.name = "heads",
                .doc = "heads; together as wide as the block",
                .default_value = 12,
                .min = 1,
                .max = 25},
               matmul::tile_param},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
