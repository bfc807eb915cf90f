// Weights as signed bytes with one scale per row, and activations as bytes.
//
// The dot product of relaxed SIMD takes signed bytes on one side. On the other side it takes only 0
// … 127 if it is to give the same result on every processor. So x is quantized to seven bits with
// its zero at 64: x = q - 64, and W · x = W · q - 64 · (sum of the row of W), where the last term
// is known in advance.
#include "../bytes.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using matvec::Shape;

struct I8 {
  static constexpr const char* id = "matvec.i8";
  static constexpr const char* title = "Matrix times vector, weights of 8 bits";
  static constexpr const char* unit = "Gop/s";
  static constexpr const char* element = "i8";
  static constexpr const char* roof_class = byte_class;
  static constexpr const char* source = "wasm_kernels/matvec/i8.cpp#multiply";
  static constexpr const char* bytes_count =
      "each weight and each x (1 B), scale and row sum once, read; each y (a float) once, written";
  static constexpr int step = 16;
  static double weight_bytes(Shape s) { return double(s.rows) * (s.columns + 8.0); }

  struct Weights {
    std::int8_t values[step];
  };
  struct Inputs {
    std::int8_t values[step];
  };
  struct Row {
    float scale;
    int zero;  // the excess of W · q
  };
  using X = std::int8_t;
  using Sum = i32x4;
  using Random = RandomBytes;

  static constexpr X zero = 64;  // the byte for x = 0
  static X random_x(Random& random) { return X(random.next() / 2); }
  static void prepare(Weights& w, Random& random) {
    for (std::int8_t& value : w.values) value = std::int8_t(random.next() - 128);
  }
  static void prepare(Row& row, const Weights* w, int end, int panel, int i) {
    row = {i % 2 ? 0.125f : 0.25f, 0};
    for (int at = 0; at < end; at += panel)
      for (const std::int8_t value : w[at].values) row.zero += zero * value;
  }
  static void arrange(const X* x, Inputs& inputs) {
    for (int j = 0; j < step; ++j) inputs.values[j] = x[j];
  }

  // region: multiply
  template <int rows, int batch>
  static void multiply(const Weights* w, const Inputs* x, i32x4 (&sums)[rows][batch]) {
    Bytes of_x[batch];
    for (int b = 0; b < batch; ++b) of_x[b] = load_bytes(x[b].values);

#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const Bytes weights = load_bytes(w[r].values);
      for (int b = 0; b < batch; ++b) sums[r][b] = dot_add_somewhere(weights, of_x[b], sums[r][b]);
    }
  }
  // end region: multiply
  static float finish(i32x4 total, Row row) { return row.scale * float(sum(total) - row.zero); }

  static double weight(const Weights& w, Row row, int j) { return double(row.scale) * w.values[j]; }
  static double value(X q) { return q - zero; }
};

}  // namespace

const Kernel matvec_i8 = matvec::kernel<I8>();

}  // namespace kernels
