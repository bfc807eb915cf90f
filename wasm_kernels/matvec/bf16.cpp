// Weights as the upper halves of floats (bfloat16), two bytes each. A shift or a mask puts a weight
// back into the upper half of a float, so no data moves between lanes.
#include "../vector_math.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

using matvec::Shape;

struct Bf16 {
  static constexpr const char* id = "matvec.bf16";
  static constexpr const char* title = "Matrix times vector, bfloat16 weights";
  static constexpr const char* unit = "GFLOP/s";
  static constexpr const char* element = "bf16";
  static constexpr const char* roof_class = vector_class;
  static constexpr const char* source = "wasm_kernels/matvec/bf16.cpp#multiply";
  static constexpr const char* bytes_count =
      "each weight (2 B) and each x (a float) once, read; each y once, written";
  static constexpr int step = 2 * lanes;
  static double weight_bytes(Shape s) { return 2.0 * s.rows * s.columns; }

  struct Weights {
    std::int32_t pairs[lanes];  // of columns; the even one is in the lower half
  };
  struct Inputs {
    float even[lanes], odd[lanes];
  };
  struct Row {};
  using X = float;
  using Sum = f32x4;
  using Random = Values;

  static constexpr X zero = 0;
  static X random_x(Random& random) { return random.next(); }
  // The values have three significant bits, so the lower halves of the floats are zero.
  static void prepare(Weights& w, Random& random) {
    for (std::int32_t& pair : w.pairs) {
      const auto even = __builtin_bit_cast(std::uint32_t, random.next());
      const auto odd = __builtin_bit_cast(std::uint32_t, random.next());
      pair = std::int32_t(even >> 16 | odd);
    }
  }
  static void prepare(Row&, const Weights*, int, int, int) {}
  static void arrange(const X* x, Inputs& inputs) {
    for (int lane = 0; lane < lanes; ++lane) {
      inputs.even[lane] = x[2 * lane];
      inputs.odd[lane] = x[2 * lane + 1];
    }
  }

  // region: multiply
  // One load brings eight weights: the even columns in the lower halves, the odd ones in the upper
  // halves.
  template <int rows, int batch>
  static void multiply(const Weights* w, const Inputs* x, f32x4 (&sums)[rows][batch]) {
#pragma GCC unroll 8
    for (int r = 0; r < rows; ++r) {
      const i32x4 pairs = load(w[r].pairs);
      const f32x4 even = f32x4(pairs << 16);
      const f32x4 odd = f32x4(pairs & i32x4{upper, upper, upper, upper});
      for (int b = 0; b < batch; ++b) {
        sums[r][b] = madd(even, load(x[b].even), sums[r][b]);
        sums[r][b] = madd(odd, load(x[b].odd), sums[r][b]);
      }
    }
  }
  // end region: multiply
  static constexpr std::int32_t upper = std::int32_t(0xffff0000u);
  static float finish(f32x4 total, Row) { return sum(total); }

  static double weight(const Weights& w, Row, int j) {
    const auto pair = std::uint32_t(w.pairs[j / 2]);
    return __builtin_bit_cast(float, j % 2 ? pair & 0xffff0000u : pair << 16);
  }
  static double value(X x) { return x; }
};

}  // namespace

const Kernel matvec_bf16 = matvec::kernel<Bf16>();

}  // namespace kernels
