// The matmul with 4-bit weights: C = A · W. W is packed in advance, two weights per byte, with one
// scale per group of 64 along the depth. A is given as floats. The run quantizes each row of A to
// bytes with its own scale, as libraries do with activations.
//
// A stored nibble q stands for (q - 8) · scale. Nibbles are 0 … 15, so they can always be the
// second factor of the relaxed dot product. The excess of 8 is subtracted at the start of each
// group: eight times the sum of A's bytes in the group.
#include "../bytes.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "layers.hpp"
#include "words.hpp"

namespace kernels {
namespace {

using words::Word;

constexpr int group = 64;               // weights of a column with the same scale
constexpr int group_words = group / 4;  // words of four bytes
constexpr int columns = 2 * lanes;      // columns per strip

struct Shape {
  int m, n, k;
};

// A group of a strip. For every two words of depth, the words of all columns, with the first word
// in the lower nibbles and the second in the upper ones; then the scales of the columns.
struct Panel {
  Word nibbles[group_words / 2][columns];
  float scales[columns];
};

// A group of a row of A: its bytes, and minus eight times their sum.
struct Inputs {
  Word words[group_words];
  Word start;
};

struct Problem {
  Shape shape;
  int groups, strips;
  float* a;
  float* c;
  Panel* weights;       // by strip, then by group
  Inputs* inputs;       // by row of A, then by group
  float* scale_of_row;  // m
  double* check;        // k numbers for verify()
};

Shape shape_of(const Args& args) {
  const int n = int(args.value[0]), m = int(args.value[1]), k = int(args.value[2]);
  return {m, n, k ? k : n};
}

Problem lay_out(const Args& args, Arena& arena) {
  Problem p{};
  const Shape s = p.shape = shape_of(args);
  p.groups = round_up(s.k, group) / group;
  p.strips = round_up(s.n, columns) / columns;
  p.a = arena.take<float>(std::size_t(s.m) * s.k);
  p.c = arena.take<float>(std::size_t(s.m) * s.n);
  p.weights = arena.take<Panel>(std::size_t(p.strips) * p.groups);
  p.inputs = arena.take<Inputs>(std::size_t(s.m) * p.groups);
  p.scale_of_row = arena.take<float>(s.m);
  p.check = arena.take<double>(s.k);
  return p;
}

// region: quantise
// Quantizes a row of A to bytes. The largest magnitude becomes 127. Returns the scale that turns
// sums of bytes into sums of numbers.
float quantise(const float* row, int k, Inputs* inputs) {
  f32x4 largest = splat(0);
  int p = 0;
  for (; p + lanes <= k; p += lanes) {
    const f32x4 x = load(row + p);
    largest = larger(largest, larger(x, -x));
  }
  float most = 0;
  for (int lane = 0; lane < lanes; ++lane) most = most < largest[lane] ? largest[lane] : most;
  for (; p < k; ++p) {
    const float size = row[p] < 0 ? -row[p] : row[p];
    most = most < size ? size : most;
  }
  const float factor = most > 0 ? 127 / most : 0;
  for (int g = 0; g * group < k; ++g) {
    int total = 0;
    for (int w = 0; w < group_words; ++w) {
      const int first = g * group + w * 4;
      f32x4 four = splat(0);
      if (first + lanes <= k) four = load(row + first);
      else
        for (int i = 0; first + i < k; ++i) four[i] = row[first + i];
      // Adding 1.5 · 2^23 rounds a number to an integer, whose low bits are then the low bits of
      // the float.
      const i32x4 whole = i32x4(four * splat(factor) + splat(12582912)) & words::splat(255);
      inputs[g].words[w] = whole[0] | whole[1] << 8 | whole[2] << 16 | whole[3] << 24;
      for (int i = 0; i < lanes; ++i) total += std::int8_t(whole[i]);
    }
    inputs[g].start = -8 * total;
  }
  return most / 127;
}
// end region: quantise

// region: tile
// Multiplies `rows` rows of A, each of `groups` groups, with a strip of weights. If there are few
// rows, lower and upper nibbles have separate accumulators, to shorten the dependency chains.
template <int rows>
[[gnu::noinline]] void multiply_tile(int groups, const Inputs* inputs, const Panel* weights,
                                     float* sums) {
  constexpr int halves = rows > 2 ? 1 : 2;
  const i32x4 mask = words::splat(0x0f0f0f0f);
  f32x4 total[rows][2] = {};
  for (int g = 0; g < groups; ++g, ++weights) {
    i32x4 dot[rows][2][halves] = {};
    for (int r = 0; r < rows; ++r)
      for (int v = 0; v < 2; ++v) dot[r][v][0] = words::splat(inputs[r * groups + g].start);

#pragma GCC unroll 2
    for (int w = 0; w < group_words; w += 2) {
      const Word* const pair = weights->nibbles[w / 2];
      for (int v = 0; v < 2; ++v) {
        const i32x4 both = words::load_anywhere(pair + v * lanes);
        const i32x4 lower = both & mask, upper = (both >> 4) & mask;
        for (int r = 0; r < rows; ++r) {
          const Word* const words = inputs[r * groups + g].words + w;
          dot[r][v][0] = words::dot_add_bytes(words::splat(words[0]), lower, dot[r][v][0]);
          i32x4& other = dot[r][v][halves - 1];
          other = words::dot_add_bytes(words::splat(words[1]), upper, other);
        }
      }
    }
    for (int v = 0; v < 2; ++v) {
      const f32x4 scale = load(weights->scales + v * lanes);
      for (int r = 0; r < rows; ++r) {
        i32x4 whole = dot[r][v][0];
        if constexpr (halves == 2) whole += dot[r][v][1];
        total[r][v] = madd(__builtin_convertvector(whole, f32x4), scale, total[r][v]);
      }
    }
  }
  for (int r = 0; r < rows; ++r)
    for (int v = 0; v < 2; ++v) store(sums + r * columns + v * lanes, total[r][v]);
}
// end region: tile

void multiply(const Problem& p) {
  const auto [m, n, k] = p.shape;
  for (int i = 0; i < m; ++i)
    p.scale_of_row[i] = quantise(p.a + std::size_t(i) * k, k, p.inputs + std::size_t(i) * p.groups);
  for (int j = 0; j < n; j += columns) {
    const Panel* const weights = p.weights + std::size_t(j / columns) * p.groups;
    const int width = smaller(columns, n - j);
    for (int i = 0, rows; i < m; i += rows) {
      const Inputs* const inputs = p.inputs + std::size_t(i) * p.groups;
      float sums[4 * columns];
      rows = m - i >= 4 ? 4 : m - i >= 2 ? 2 : 1;
      if (rows == 4) multiply_tile<4>(p.groups, inputs, weights, sums);
      else if (rows == 2) multiply_tile<2>(p.groups, inputs, weights, sums);
      else multiply_tile<1>(p.groups, inputs, weights, sums);
      for (int r = 0; r < rows; ++r) {
        float* const target = p.c + std::size_t(i + r) * n + j;
        for (int q = 0; q < width; ++q) target[q] = sums[r * columns + q] * p.scale_of_row[i + r];
      }
    }
  }
}

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.m * s.n * s.k;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  const double scales = 4.0 * s.n * (round_up(s.k, group) / group);
  return s.n * (s.k / 2.0) + scales + 4.0 * s.m * s.k + 4.0 * s.m * s.n;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

// The largest number in every row of A is 127/64, and all others are multiples of 1/64, so
// quantization is exact. Columns and groups beyond W hold 8, which means 0.
void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const auto [m, n, k] = p.shape;
  RandomBytes random;
  for (int i = 0; i < m; ++i)
    for (int q = 0; q < k; ++q)
      p.a[std::size_t(i) * k + q] = float(q ? random.next() % 255 - 127 : 127) / 64;
  for (std::size_t i = 0; i < std::size_t(m) * n; ++i) p.c[i] = 1e9f;  // no sum is this large
  for (int strip = 0; strip < p.strips; ++strip) {
    for (int g = 0; g < p.groups; ++g) {
      Panel& panel = p.weights[std::size_t(strip) * p.groups + g];
      for (auto& pair : panel.nibbles)
        for (Word& word : pair) {
          word = 0;
          for (int i = 0; i < 4; ++i) word |= Word(std::uint32_t(random.next()) << 8 * i);
        }
      for (float& scale : panel.scales) scale = float(1 + random.next() % 4) / 32;
    }
  }
  for (std::size_t i = 0; i < std::size_t(m) * p.groups; ++i) p.inputs[i] = {};
  for (int i = 0; i < m; ++i) p.scale_of_row[i] = 0;
  for (int i = 0; i < k; ++i) p.check[i] = 0;
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) multiply(p);
}

double weight(const Problem& p, int q, int j) {
  const Panel& panel = p.weights[std::size_t(j / columns) * p.groups + q / group];
  const int word = q % group / 4;
  const auto pair = std::uint32_t(panel.nibbles[word / 2][j % columns]) >> q % 4 * 8;
  return double(panel.scales[j % columns]) * (int(word % 2 ? pair >> 4 & 15 : pair & 15) - 8);
}

// Freivalds' check. The values are chosen so that quantizing, multiplying and adding never round.
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem p = lay_out(args, arena);
  const auto [m, n, k] = p.shape;
  for (int q = 0; q < k; ++q) {
    p.check[q] = 0;
    for (int j = 0; j < n; ++j) p.check[q] += weight(p, q, j) * random_weight(j);
  }
  Deviation deviation;
  for (int i = 0; i < m; ++i) {
    double expected = 0, found = 0;
    for (int q = 0; q < k; ++q) expected += p.a[std::size_t(i) * k + q] * p.check[q];
    for (int j = 0; j < n; ++j) found += p.c[std::size_t(i) * n + j] * random_weight(j);
    deviation.compare(found, expected);
  }
  *tolerance = 0;
  return deviation.largest();
}

}  // namespace

const Kernel matmul_i4 = {
    .id = "matmul.i4",
    .title = "Product with weights of 4 bits",
    .unit = "Gop/s",
    .roof_class = byte_class,
    .element = "i4",
    .source = "wasm_kernels/layers/nibbles.cpp#tile",
    .bytes_count =
        "each weight (half a byte) and scale (a float for 64 of them) once, read, and each "
        "float of A; each float of C once, written",
    .params = {{.name = "n",
                .doc = "columns of W and C: outputs of the layer",
                .default_value = 4096,
                .min = 1,
                .max = 32768},
               {.name = "m",
                .doc = "rows of A and C: tokens that go through the layer together",
                .default_value = 1,
                .min = 1,
                .max = 4096},
               {.name = "k",
                .doc = "columns of A, rows of W: inputs of the layer (0: as many as n)",
                .default_value = 0,
                .max = 16384}},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
