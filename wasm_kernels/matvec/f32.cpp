// Weights as floats: four bytes each.
#include "problem.hpp"

namespace kernels {
namespace {

using matvec::Shape;

struct F32 {
  static constexpr const char* id = "matvec.f32";
  static constexpr const char* title = "Matrix times vector, float weights";
  static constexpr const char* unit = "GFLOP/s";
  static constexpr const char* element = "f32";
  static constexpr const char* roof_class = vector_class;
  static constexpr const char* source = "wasm_kernels/matvec/f32.cpp#tile";
  static constexpr const char* bytes_count =
      "each weight and each x once, read; each y once, written";
  static constexpr int x_bytes = 4;
  static double weight_bytes(Shape s) { return 4.0 * s.rows * s.columns; }

  struct Data {
    int stride;  // floats from row to row, of the weights as of x
    float* weights;
    float* x;

    static Data lay_out(Shape s, Arena& arena) {
      Data d{};
      d.stride = round_up(s.columns, lanes);
      d.weights = arena.take<float>(std::size_t(s.rows) * d.stride);
      d.x = arena.take<float>(std::size_t(s.batch) * d.stride);
      return d;
    }
    const float* row(int i) const { return weights + std::size_t(i) * stride; }
  };

  static void prepare(Shape s, const Data& d) {
    fill(d.weights, std::size_t(s.rows) * d.stride);
    fill(d.x, std::size_t(s.batch) * d.stride);
    for (int b = 0; b < s.batch; ++b)
      clear(d.x + b * d.stride + s.columns, std::size_t(d.stride - s.columns));
  }
  static void arrange(Shape, const Data&) {}

  // region: tile
  // Each vector of weights meets `batch` vectors of x, each of x meets `rows` of weights.
  template <int rows, int batch>
  static void tile(Shape s, const Data& d, int row, int first, float* y) {
    const float* w = d.row(row);
    const float* x = d.x + first * d.stride;
    f32x4 sums[rows][batch] = {};

    for (int j = 0; j < d.stride; j += lanes) {
      for (int r = 0; r < rows; ++r) {
        const f32x4 weights = load(w + r * d.stride + j);
        for (int b = 0; b < batch; ++b)
          sums[r][b] = madd(weights, load(x + b * d.stride + j), sums[r][b]);
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int b = 0; b < batch; ++b) y[(first + b) * s.rows + row + r] = sum(sums[r][b]);
  }
  // end region: tile

  static double weight(Shape, const Data& d, int i, int j) { return d.row(i)[j]; }
  static double x(Shape, const Data& d, int b, int j) { return d.x[b * d.stride + j]; }
};

}  // namespace

const Kernel matvec_f32 = matvec::kernel<F32>();

}  // namespace kernels
