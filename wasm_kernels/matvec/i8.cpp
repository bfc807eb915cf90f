// Weights as signed bytes with one scale a row, activations as bytes too: one byte each.
//
// Relaxed SIMD's dot product takes signed bytes on one side and, to mean the same on every
// processor, only 0 … 127 on the other. So x is quantised to seven bits with its zero at 64: x = q
// - 64, and W · x = W · q - 64 · (sum of the row of W), where the last term is known beforehand.
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
  static constexpr const char* source = "wasm_kernels/matvec/i8.cpp#tile";
  static constexpr const char* bytes_count =
      "each weight and each x (1 B), scale and row sum once, read; each y (a float) once, written";
  static constexpr int x_bytes = 1;
  static constexpr int step = 16;
  static constexpr int zero = 64;  // the byte that stands for x = 0
  static double weight_bytes(Shape s) { return double(s.rows) * (s.columns + 8.0); }

  struct Data {
    int stride;  // bytes from row to row, of the weights as of x
    std::int8_t* weights;
    float* scales;  // of each row
    int* zeros;     // of each row: what W · q is too large by
    std::int8_t* q;

    static Data lay_out(Shape s, Arena& arena) {
      Data d{};
      d.stride = round_up(s.columns, step);
      d.weights = arena.take<std::int8_t>(std::size_t(s.rows) * d.stride);
      d.scales = arena.take<float>(s.rows);
      d.zeros = arena.take<int>(s.rows);
      d.q = arena.take<std::int8_t>(std::size_t(s.batch) * d.stride);
      return d;
    }
    const std::int8_t* row(int i) const { return weights + std::size_t(i) * stride; }
  };

  static void prepare(Shape s, const Data& d) {
    RandomBytes random;
    for (int i = 0; i < s.rows; ++i) {
      int total = 0;
      for (int j = 0; j < d.stride; ++j) {
        const int weight = j < s.columns ? random.next() - 128 : 0;
        d.weights[std::size_t(i) * d.stride + j] = std::int8_t(weight);
        total += weight;
      }
      d.scales[i] = i % 2 ? 0.125f : 0.25f;
      d.zeros[i] = zero * total;
    }
    for (int j = 0; j < s.batch * d.stride; ++j) d.q[j] = std::int8_t(random.next() / 2);
  }
  static void arrange(Shape, const Data&) {}

  // region: tile
  template <int rows, int batch>
  static void tile(Shape s, const Data& d, int row, int first, float* y) {
    const std::int8_t* w = d.row(row);
    const std::int8_t* q = d.q + first * d.stride;
    i32x4 sums[rows][batch] = {};

    for (int j = 0; j < d.stride; j += step) {
      Bytes of_x[batch];
      for (int b = 0; b < batch; ++b) of_x[b] = load_bytes(q + b * d.stride + j);

      for (int r = 0; r < rows; ++r) {
        const Bytes weights = load_bytes(w + r * d.stride + j);
        for (int b = 0; b < batch; ++b)
          sums[r][b] = dot_add_somewhere(weights, of_x[b], sums[r][b]);
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int b = 0; b < batch; ++b)
        y[(first + b) * s.rows + row + r] =
            d.scales[row + r] * float(sum(sums[r][b]) - d.zeros[row + r]);
  }
  // end region: tile

  static double weight(Shape, const Data& d, int i, int j) {
    return double(d.scales[i]) * d.row(i)[j];
  }
  static double x(Shape, const Data& d, int b, int j) { return d.q[b * d.stride + j] - zero; }
};

}  // namespace

const Kernel matvec_i8 = matvec::kernel<I8>();

}  // namespace kernels
