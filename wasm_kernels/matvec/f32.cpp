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
  static constexpr const char* source = "wasm_kernels/matvec/f32.cpp#multiply";
  static constexpr const char* bytes_count =
      "each weight and each x once, read; each y once, written";
  static constexpr int step = lanes;
  static double weight_bytes(Shape s) { return 4.0 * s.rows * s.columns; }

  struct Weights {
    float values[step];
  };
  struct Inputs {
    float values[step];
  };
  struct Row {};
  using X = float;
  using Sum = f32x4;
  using Random = Values;

  static constexpr X zero = 0;
  static X random_x(Random& random) { return random.next(); }
  static void prepare(Weights& w, Random& random) {
    for (float& value : w.values) value = random.next();
  }
  static void prepare(Row&, const Weights*, int, int, int) {}
  static void arrange(const X* x, Inputs& inputs) { store(inputs.values, load(x)); }

  // region: multiply
  // Each vector of weights meets `batch` vectors of x, and each vector of x meets `rows` of
  // weights.
  template <int rows, int batch>
  static void multiply(const Weights* w, const Inputs* x, f32x4 (&sums)[rows][batch]) {
    f32x4 of_x[batch];
    for (int b = 0; b < batch; ++b) of_x[b] = load(x[b].values);

#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const f32x4 weights = load(w[r].values);
      for (int b = 0; b < batch; ++b) sums[r][b] = madd(weights, of_x[b], sums[r][b]);
    }
  }
  // end region: multiply
  static float finish(f32x4 total, Row) { return sum(total); }

  static double weight(const Weights& w, Row, int j) { return w.values[j]; }
  static double value(X x) { return x; }
};

}  // namespace

const Kernel matvec_f32 = matvec::kernel<F32>();

}  // namespace kernels
