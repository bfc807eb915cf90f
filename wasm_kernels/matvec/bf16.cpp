// Weights as the upper halves of floats (bfloat16): two bytes each. A float is made of one by
// putting it back into the upper half, for which a shift or a mask is enough; nothing need be moved
// between lanes.
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
  static constexpr const char* source = "wasm_kernels/matvec/bf16.cpp#tile";
  static constexpr const char* bytes_count =
      "each weight (2 B) and each x (a float) once, read; each y once, written";
  static constexpr int x_bytes = 4;
  static constexpr int step = 2 * lanes;
  static double weight_bytes(Shape s) { return 2.0 * s.rows * s.columns; }

  struct Data {
    int stride;  // numbers from row to row, of the weights as of x
    std::uint32_t* weights;  // in pairs: the even column in the lower half
    float* x;
    float* halves;  // x again: of each eight columns the four even ones, then the four odd ones

    static Data lay_out(Shape s, Arena& arena) {
      Data d{};
      d.stride = round_up(s.columns, step);
      d.weights = arena.take<std::uint32_t>(std::size_t(s.rows) * d.stride / 2);
      d.x = arena.take<float>(std::size_t(s.batch) * d.stride);
      d.halves = arena.take<float>(std::size_t(s.batch) * d.stride);
      return d;
    }
    const std::uint32_t* row(int i) const { return weights + std::size_t(i) * (stride / 2); }
  };

  // The values of fill have three significant bits: their lower halves are empty.
  static void prepare(Shape s, const Data& d) {
    Values values;
    for (std::size_t i = 0; i < std::size_t(s.rows) * d.stride / 2; ++i) {
      const float even = values.next(), odd = values.next();
      d.weights[i] = __builtin_bit_cast(std::uint32_t, even) >> 16 |
                     __builtin_bit_cast(std::uint32_t, odd);
    }
    fill(d.x, std::size_t(s.batch) * d.stride);
    for (int b = 0; b < s.batch; ++b)
      clear(d.x + b * d.stride + s.columns, std::size_t(d.stride - s.columns));
    clear(d.halves, std::size_t(s.batch) * d.stride);
  }

  static void arrange(Shape s, const Data& d) {
    for (int j = 0; j < s.batch * d.stride; j += step) {
      for (int lane = 0; lane < lanes; ++lane) {
        d.halves[j + lane] = d.x[j + 2 * lane];
        d.halves[j + lanes + lane] = d.x[j + 2 * lane + 1];
      }
    }
  }

  // region: tile
  // One load brings eight weights: the even columns in the lower halves, the odd ones in the upper.
  template <int rows, int batch>
  static void tile(Shape s, const Data& d, int row, int first, float* y) {
    const std::uint32_t* w = d.row(row);
    const float* x = d.halves + first * d.stride;
    f32x4 sums[rows][batch] = {};

    for (int j = 0; j < d.stride; j += step) {
      for (int r = 0; r < rows; ++r) {
        const i32x4 pairs = load(reinterpret_cast<const std::int32_t*>(w + (r * d.stride + j) / 2));
        const f32x4 even = f32x4(pairs << 16);
        const f32x4 odd = f32x4(pairs & i32x4{upper, upper, upper, upper});
        for (int b = 0; b < batch; ++b) {
          const float* of_x = x + b * d.stride + j;
          sums[r][b] = madd(even, load(of_x), sums[r][b]);
          sums[r][b] = madd(odd, load(of_x + lanes), sums[r][b]);
        }
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int b = 0; b < batch; ++b) y[(first + b) * s.rows + row + r] = sum(sums[r][b]);
  }
  // end region: tile
  static constexpr std::int32_t upper = std::int32_t(0xffff0000u);

  static double weight(Shape, const Data& d, int i, int j) {
    const std::uint32_t pair = d.row(i)[j / 2];
    return __builtin_bit_cast(float, j % 2 ? pair & 0xffff0000u : pair << 16);
  }
  static double x(Shape, const Data& d, int b, int j) { return d.x[b * d.stride + j]; }
};

}  // namespace

const Kernel matvec_bf16 = matvec::kernel<Bf16>();

}  // namespace kernels
