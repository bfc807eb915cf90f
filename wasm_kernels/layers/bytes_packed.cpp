// The matmul of bytes, organized like matmul.packed: tiles in registers, blocks in caches, and
// operands packed in the order in which they are read. The unit is different: a 32-bit word holds
// four bytes along the depth, or two 16-bit numbers. One instruction multiplies the words of a row
// of B by one word of A and adds within each word.
//
// Four bytes per word require relaxed SIMD and an engine whose instruction gives the exact sum for
// all bytes. If the instruction reads the factor A as unsigned, A is stored 128 too large, and the
// column sums of B correct the result. Otherwise, bytes are widened to two per word.
#include "bytes_problem.hpp"

namespace kernels {
namespace {

using product_i8::Problem;
using product_i8::Shape;
using words::i16x8;
using words::Meaning;
using words::Word;

constexpr int block_words = 256;  // depth of a strip of B as wide as a tile, in L1
constexpr int row_block = 96;     // rows of a block of A, in L2

struct Fours {
  static constexpr int depth = 4;  // bytes per word
  static i32x4 dot_add(i32x4 a, i32x4 b, i32x4 c) {
    return kernels::dot_add(i8x16(b), i8x16(a), c);
  }
  // Four words of a row.
  static i32x4 of_row(const std::int8_t* p, Word flip) {
    return words::load_anywhere(p) ^ words::splat(flip);
  }
  // region: interleave
  // From four rows of B with eight columns each: words of four neighbors in a column.
  static void interleave(const std::int8_t* row, int stride, i32x4 (&to)[2]) {
    i16x8 r[4];
    for (int i = 0; i < 4; ++i) r[i] = words::widen(row + i * stride);
    const i16x8 upper = r[0] - r[0] + 255;
    const i16x8 first = (r[0] & upper) | (r[1] << 8), second = (r[2] & upper) | (r[3] << 8);
    to[0] = i32x4(__builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11));
    to[1] = i32x4(__builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15));
  }
  // end region: interleave
  static Word word(const std::int8_t* p, int stride, int count, Word flip) {
    Word word = 0;
    for (int i = 0; i < count; ++i) word |= Word(std::uint8_t(p[i * stride])) << 8 * i;
    return word ^ flip;
  }
  static i32x4 sums(i32x4 words, i32x4 c) {
    const i8x16 ones = i8x16{} + 1;
    return kernels::dot_add(i8x16(words), ones, c);
  }
};

struct Pairs {
  static constexpr int depth = 2;
  static i32x4 dot_add(i32x4 a, i32x4 b, i32x4 c) { return words::dot_add(i16x8(a), i16x8(b), c); }
  static i32x4 of_row(const std::int8_t* p, Word) { return i32x4(words::widen(p)); }
  static void interleave(const std::int8_t* row, int stride, i32x4 (&to)[2]) {
    const i16x8 first = words::widen(row), second = words::widen(row + stride);
    to[0] = i32x4(__builtin_shufflevector(first, second, 0, 8, 1, 9, 2, 10, 3, 11));
    to[1] = i32x4(__builtin_shufflevector(first, second, 4, 12, 5, 13, 6, 14, 7, 15));
  }
  static Word word(const std::int8_t* p, int stride, int count, Word) {
    const int first = p[0], second = count > 1 ? p[stride] : 0;
    return (first & 0xffff) | Word(std::uint32_t(second) << 16);
  }
  static i32x4 sums(i32x4, i32x4 c) { return c; }  // nothing to correct
};

struct Tile {
  int rows, columns, depth;
  void (*pack_a)(const std::int8_t* a, int stride, int height, int depth, Word flip, Word* packed);
  void (*pack_b)(const std::int8_t* b, int stride, int width, int depth, Word zero, Word* packed,
                 Word* start);
  void (*micro_kernel)(int words, const Word* a, const Word* b, Word* c, int stride,
                       const Word* start, bool fresh);
};

int words_of(const Tile& tile, int depth) { return (depth + tile.depth - 1) / tile.depth; }

// Packs a block of A as strips of `rows` rows, word by word. Missing rows are zero.
template <class Form, int rows>
[[gnu::noinline]] void pack_a(const std::int8_t* a, int stride, int height, int depth, Word flip,
                              Word* packed) {
  const int count = (depth + Form::depth - 1) / Form::depth;
  constexpr int last = rows > lanes ? rows - lanes : 0;
  for (int i = 0; i < height; i += rows, packed += rows * count) {
    const std::int8_t* strip = a + std::ptrdiff_t(i) * stride;
    const int present = smaller(rows, height - i);
    int p = 0;
    for (; present == rows && (p + lanes) * Form::depth <= depth; p += lanes) {
      for (int first = 0; first <= last; first += last ? last : 1) {
        i32x4 square[lanes];
        for (int r = 0; r < lanes; ++r)
          square[r] =
              Form::of_row(strip + std::ptrdiff_t(first + r) * stride + p * Form::depth, flip);
        words::transpose(square);
        for (int q = 0; q < lanes; ++q) words::store(packed + (p + q) * rows + first, square[q]);
      }
    }
    for (; p < count; ++p)
      for (int r = 0; r < rows; ++r)
        packed[p * rows + r] =
            r < present ? Form::word(strip + std::ptrdiff_t(r) * stride + p * Form::depth, 1,
                                     smaller(Form::depth, depth - p * Form::depth), flip)
                        : 0;
  }
}

// Packs rows of B as strips of `columns` columns. `start` holds the initial values of the sums: if
// A is stored `zero` too large, minus `zero` times the sum of the column.
template <class Form, int columns>
[[gnu::noinline]] void pack_b(const std::int8_t* b, int stride, int width, int depth, Word zero,
                              Word* packed, Word* start) {
  const int count = (depth + Form::depth - 1) / Form::depth;
  for (int j = 0; j < width; j += columns) {
    i32x4 sums[columns / lanes] = {};
    for (int p = 0; p < count; ++p, packed += columns) {
      const std::int8_t* row = b + std::ptrdiff_t(p) * Form::depth * stride + j;
      const int rows = smaller(Form::depth, depth - p * Form::depth);
      if (rows == Form::depth && j + columns <= width) {
        for (int q = 0; q < columns; q += 2 * lanes) {
          i32x4 both[2];
          Form::interleave(row + q, stride, both);
          words::store(packed + q, both[0]);
          words::store(packed + q + lanes, both[1]);
        }
      } else {
        for (int q = 0; q < columns; ++q)
          packed[q] = j + q < width ? Form::word(row + q, stride, rows, 0) : 0;
      }
      for (int v = 0; v < columns / lanes; ++v)
        sums[v] = Form::sums(words::load_anywhere(packed + v * lanes), sums[v]);
    }
    for (int v = 0; v < columns / lanes; ++v)
      words::store(start + j + v * lanes, sums[v] * words::splat(-zero));
  }
}

// region: micro-kernel
// One tile of C, which stays in registers. A word of A meets all words of a row of B.
template <class Form, int rows, int vectors>
[[gnu::noinline]] void micro_kernel(int words, const Word* a, const Word* b, Word* c, int stride,
                                    const Word* start, bool fresh) {
  i32x4 sum[rows][vectors] = {};
  for (int p = 0; p < words; ++p) {
    i32x4 row_of_b[vectors];
    for (int v = 0; v < vectors; ++v) row_of_b[v] = words::load_anywhere(b + v * lanes);
    for (int r = 0; r < rows; ++r) {
      const i32x4 word = words::splat(a[r]);
      for (int v = 0; v < vectors; ++v) sum[r][v] = Form::dot_add(word, row_of_b[v], sum[r][v]);
    }
    a += rows;
    b += vectors * lanes;
  }
  for (int r = 0; r < rows; ++r) {
    for (int v = 0; v < vectors; ++v) {
      Word* const at = c + r * stride + v * lanes;
      i32x4 total = sum[r][v] + words::load_anywhere(start + v * lanes);
      if (!fresh) total += words::load_anywhere(at);
      words::store(at, total);
    }
  }
}
// end region: micro-kernel

template <class Form, int rows, int columns>
constexpr Tile make_tile() {
  return {rows,
          columns,
          Form::depth,
          pack_a<Form, rows>,
          pack_b<Form, columns>,
          micro_kernel<Form, rows, columns / lanes>};
}
[[maybe_unused]] constexpr Tile fours = make_tile<Fours, 6, 8>();
constexpr Tile pairs = make_tile<Pairs, 5, 8>();  // products need a register before they are added

// How this run represents and multiplies numbers.
struct Way {
  const Tile& tile;
  Word flip;  // xor mask that turns four bytes of A into what the instruction reads
  Word zero;  // by how much they are then too large
};

Way way_of(const Args& args) {
  if constexpr (words::relaxed_dot) {
    const Meaning meaning = words::meaning_of_dot();
    if (meaning == Meaning::as_unsigned && args.value[5] != 2)
      return {fours, Word(0x80808080u), 128};
    if (meaning == Meaning::as_signed && args.value[5] != 2) return {fours, 0, 0};
  }
  return {pairs, 0, 0};
}

struct Packed {
  Problem problem;
  bool b_is_packed;
  Word* b;      // one depth block, or all blocks
  Word* start;  // per depth block in `b`: one initial value per column
  Word* a;      // one block
  Word* spare;  // one tile
  std::size_t words_of_b, columns, blocks;
};

Packed lay_out(const Args& args, Arena& arena, const Tile& tile) {
  Packed p{};
  p.problem = product_i8::lay_out(args, arena);
  const Shape s = p.problem.shape;
  p.b_is_packed = args.value[4] != 0;
  const int deep = words_of(tile, s.k);
  p.columns = round_up(s.n, tile.columns);
  p.blocks = p.b_is_packed ? (deep + block_words - 1) / block_words : 1;
  p.words_of_b = p.columns * (p.b_is_packed ? deep : smaller(deep, block_words));
  p.b = arena.take<Word>(p.words_of_b);
  p.start = arena.take<Word>(p.columns * p.blocks);
  p.a = arena.take<Word>(std::size_t(row_block + tile.rows) * block_words);
  p.spare = arena.take<Word>(std::size_t(tile.rows) * tile.columns);
  return p;
}

// Applies the scales to a tile of complete sums.
void scale(const Problem& p, int i, int j, int height, int width) {
  const int n = p.shape.n;
  for (int r = 0; r < height; ++r) {
    Word* const row = p.c + std::size_t(i + r) * n + j;
    const float factor = p.scale_of_row[i + r];
    int q = 0;
    for (; q + lanes <= width; q += lanes) {
      const f32x4 scales = load(p.scale_of_column + j + q) * splat(factor);
      const f32x4 sums = __builtin_convertvector(words::load_anywhere(row + q), f32x4);
      words::store(row + q, i32x4(sums * scales));
    }
    for (; q < width; ++q)
      row[q] = __builtin_bit_cast(Word, float(row[q]) * (factor * p.scale_of_column[j + q]));
  }
}

struct Depth {
  int words;
  bool first, last;
};

void multiply_tile(const Packed& p, const Tile& tile, Depth depth, int i, int j, const Word* a,
                   const Word* b, const Word* start) {
  const Shape s = p.problem.shape;
  const int height = smaller(tile.rows, s.m - i), width = smaller(tile.columns, s.n - j);
  Word* const target = p.problem.c + std::size_t(i) * s.n + j;
  if (height == tile.rows && width == tile.columns) {
    tile.micro_kernel(depth.words, a, b, target, s.n, start, depth.first);
  } else {
    tile.micro_kernel(depth.words, a, b, p.spare, tile.columns, start, true);
    for (int r = 0; r < height; ++r)
      for (int q = 0; q < width; ++q)
        target[r * s.n + q] =
            p.spare[r * tile.columns + q] + (depth.first ? 0 : target[r * s.n + q]);
  }
  if (depth.last && p.problem.scaled) scale(p.problem, i, j, height, width);
}

void multiply(const Packed& p, const Way& way) {
  const Tile& tile = way.tile;
  const auto [m, n, k] = p.problem.shape;
  const int deepest = block_words * tile.depth, height = row_block / tile.rows * tile.rows;
  for (int q = 0; q < k; q += deepest) {
    const int bytes = smaller(deepest, k - q);
    const Depth depth{words_of(tile, bytes), q == 0, q + bytes == k};
    const int block = p.b_is_packed ? q / deepest : 0;
    Word* const b = p.b + std::size_t(block) * block_words * p.columns;
    Word* const start = p.start + block * p.columns;
    if (!p.b_is_packed)
      tile.pack_b(p.problem.b + std::size_t(q) * n, n, n, bytes, way.zero, b, start);

    for (int i0 = 0; i0 < m; i0 += height) {
      const int rows = smaller(height, m - i0);
      tile.pack_a(p.problem.a + std::size_t(i0) * k + q, k, rows, bytes, way.flip, p.a);
      for (int j = 0; j < n; j += tile.columns)
        for (int i = 0; i < rows; i += tile.rows)
          multiply_tile(p, tile, depth, i0 + i, j, p.a + i * depth.words, b + j * depth.words,
                        start + j);
    }
  }
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena, way_of(args).tile);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Way way = way_of(args);
  const Tile& tile = way.tile;
  const Packed p = lay_out(args, arena, tile);
  const auto [m, n, k] = p.problem.shape;
  product_i8::prepare(p.problem);
  for (std::size_t i = 0; i < p.words_of_b; ++i) p.b[i] = 0;
  for (std::size_t i = 0; i < p.columns * p.blocks; ++i) p.start[i] = 0;
  for (int i = 0; i < (row_block + tile.rows) * block_words; ++i) p.a[i] = 0;
  if (!p.b_is_packed) return;
  const int deepest = block_words * tile.depth;
  for (int q = 0; q < k; q += deepest) {
    const std::size_t block = q / deepest;
    tile.pack_b(p.problem.b + std::size_t(q) * n, n, n, smaller(deepest, k - q), way.zero,
                p.b + block * block_words * p.columns, p.start + block * p.columns);
  }
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Way way = way_of(args);
  const Packed p = lay_out(args, arena, way.tile);
  for (int rep = 0; rep < reps; ++rep) multiply(p, way);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  return product_i8::verify(product_i8::lay_out(args, arena), tolerance);
}

}  // namespace

const Kernel matmul_i8 = {
    .id = "matmul.i8",
    .title = "Product of bytes, packed",
    .unit = "Gop/s",
    .roof_class = byte_class,
    .element = "i8",
    .source = "wasm_kernels/layers/bytes_packed.cpp#micro-kernel",
    .bytes_count = product_i8::bytes_count,
    .params = {product_i8::n_param,
               product_i8::m_param,
               product_i8::k_param,
               product_i8::scaled_param,
               {.name = "prepacked",
                .doc = "1: B is packed before the clock starts, as weights are; 0: within the time",
                .default_value = 0,
                .max = 1},
               {.name = "form",
                .doc = "1: four bytes to a word where the engine's sum of them is exact; 2: two "
                       "numbers of 16 bits; 0: the usual one here",
                .default_value = 0,
                .max = 2}},
    .flops = product_i8::flops,
    .bytes = product_i8::bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
