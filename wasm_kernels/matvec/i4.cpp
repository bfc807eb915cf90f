// 4-bit weights, two per byte, with one scale per group of 64: 4.5 bits per weight.
//
// A stored nibble q stands for (q - 8) · scale. Nibbles are never above 15, so they are the factor
// of the relaxed dot product that must not be negative; x, in signed bytes, is the other factor.
// The excess of 8 is subtracted at the start of each group: 8 times the sum of its x, computed once
// per run for all rows.
#include "../bytes.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using matvec::Shape;

struct I4 {
  static constexpr const char* id = "matvec.i4";
  static constexpr const char* title = "Matrix times vector, weights of 4 bits";
  static constexpr const char* unit = "Gop/s";
  static constexpr const char* element = "i4";
  static constexpr const char* roof_class = byte_class;
  static constexpr const char* source = "wasm_kernels/matvec/i4.cpp#multiply";
  static constexpr const char* bytes_count =
      "each weight (half a byte), scale (a float for 64 of them) and x (1 B) once, read; "
      "each y (a float) once, written";
  static constexpr int step = 64;  // columns with the same scale
  static double weight_bytes(Shape s) {
    return double(s.rows) * (s.columns / 2.0 + 4.0 * (round_up(s.columns, step) / step));
  }

  // The lower nibbles of the first 16 bytes are columns 0 … 15, the upper nibbles 16 … 31, and so
  // on.
  struct Weights {
    std::int8_t pairs[step / 2];
    float scale;
  };
  struct Inputs {
    std::int32_t start[lanes];  // the first lane is minus 8 times the sum of the values
    std::int8_t values[step];
  };
  struct Row {};
  using X = std::int8_t;
  using Sum = f32x4;
  using Random = RandomBytes;

  static constexpr X zero = 0;
  static X random_x(Random& random) { return X(random.next() - 128); }
  static void prepare(Weights& w, Random& random) {
    for (std::int8_t& pair : w.pairs) pair = std::int8_t(random.next());
    w.scale = float(1 + random.next() % 4) / 32;
  }
  static void prepare(Row&, const Weights*, int, int, int) {}
  static void arrange(const X* x, Inputs& inputs) {
    int total = 0;
    for (int j = 0; j < step; ++j) total += inputs.values[j] = x[j];
    inputs.start[0] = -8 * total;
    inputs.start[1] = inputs.start[2] = inputs.start[3] = 0;
  }

  // region: decode
  static constexpr int parts = step / 16;
  static void decode(const std::int8_t* pairs, Bytes (&nibbles)[parts]) {
    constexpr std::int32_t mask = 0x0f0f0f0f;
    const i32x4 low_nibbles{mask, mask, mask, mask};
    for (int half = 0; half < 2; ++half) {
      const i32x4 both = i32x4(load(pairs + 16 * half));
      nibbles[2 * half] = to_bytes(i8x16(both & low_nibbles));
      nibbles[2 * half + 1] = to_bytes(i8x16((both >> 4) & low_nibbles));
    }
  }
  // end region: decode

  // region: multiply
  template <int rows, int batch>
  static void multiply(const Weights* w, const Inputs* x, f32x4 (&sums)[rows][batch]) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      Bytes nibbles[parts];
      decode(w[r].pairs, nibbles);
      const f32x4 scale = splat(w[r].scale);

      for (int b = 0; b < batch; ++b) {
        i32x4 dot = load(x[b].start);
        for (int part = 0; part < parts; ++part)
          dot = dot_add_somewhere(load_bytes(x[b].values + part * 16), nibbles[part], dot);
        sums[r][b] = madd(scale, __builtin_convertvector(dot, f32x4), sums[r][b]);
      }
    }
  }
  // end region: multiply
  static float finish(f32x4 total, Row) { return sum(total); }

  static double weight(const Weights& w, Row, int j) {
    const auto pair = std::uint8_t(w.pairs[j / 32 * 16 + j % 16]);
    const int nibble = j % 32 < 16 ? pair & 15 : pair >> 4;
    return double(w.scale) * (nibble - 8);
  }
  static double value(X x) { return x; }
};

}  // namespace

const Kernel matvec_i4 = matvec::kernel<I4>();

}  // namespace kernels
