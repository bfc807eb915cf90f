// Weights of four bits, two to the byte, with one scale for each group of 64: 4.5 bits a weight.
//
// A stored nibble q stands for (q - 8) · scale. Nibbles are never above 15, which makes them the
// side of the relaxed dot product that must not be negative; x, in signed bytes, is the other. What
// 8 is too much comes off at the start of each group: 8 times the sum of its x, once a run for all
// rows.
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
  static constexpr const char* source = "wasm_kernels/matvec/i4.cpp#tile";
  static constexpr const char* bytes_count =
      "each weight (half a byte), scale (a float for 64 of them) and x (1 B) once, read; "
      "each y (a float) once, written";
  static constexpr int x_bytes = 1;
  static constexpr int group = 64;             // columns that share a scale
  static constexpr int packed = group / 2;     // bytes of a group
  static constexpr int parts = group / 16;     // vectors of x in a group
  static int groups(Shape s) { return round_up(s.columns, group) / group; }
  static double weight_bytes(Shape s) {
    return double(s.rows) * (s.columns / 2.0 + 4.0 * groups(s));
  }

  struct Data {
    int groups;  // in each row
    std::int8_t* weights;
    float* scales;
    std::int8_t* x;
    std::int32_t* starts;  // a vector for each group of x: minus 8 times the group's sum

    static Data lay_out(Shape s, Arena& arena) {
      Data d{};
      d.groups = I4::groups(s);
      d.weights = arena.take<std::int8_t>(std::size_t(s.rows) * d.groups * packed);
      d.scales = arena.take<float>(std::size_t(s.rows) * d.groups);
      d.x = arena.take<std::int8_t>(std::size_t(s.batch) * d.groups * group);
      d.starts = arena.take<std::int32_t>(std::size_t(s.batch) * d.groups * lanes);
      return d;
    }
    const std::int8_t* row(int i) const { return weights + std::size_t(i) * groups * packed; }
  };

  static void prepare(Shape s, const Data& d) {
    RandomBytes random;
    for (std::size_t i = 0; i < std::size_t(s.rows) * d.groups * packed; ++i)
      d.weights[i] = std::int8_t(random.next());
    for (std::size_t i = 0; i < std::size_t(s.rows) * d.groups; ++i)
      d.scales[i] = float(1 + random.next() % 4) / 32;
    for (int b = 0; b < s.batch; ++b)
      for (int j = 0; j < d.groups * group; ++j)
        d.x[b * d.groups * group + j] = std::int8_t(j < s.columns ? random.next() - 128 : 0);
    for (int i = 0; i < s.batch * d.groups * lanes; ++i) d.starts[i] = 0;
  }

  static void arrange(Shape s, const Data& d) {
    for (int g = 0; g < s.batch * d.groups; ++g) {
      int total = 0;
      for (int j = 0; j < group; ++j) total += d.x[g * group + j];
      d.starts[g * lanes] = -8 * total;
    }
  }

  // region: decode
  // 32 bytes hold a group: the lower nibbles of 16 bytes are its columns 0 … 15, the upper ones 16
  // … 31, and so on.
  static void decode(const std::int8_t* weights, Bytes (&nibbles)[parts]) {
    constexpr std::int32_t mask = 0x0f0f0f0f;
    const i32x4 low_nibbles{mask, mask, mask, mask};
    for (int half = 0; half < 2; ++half) {
      const i32x4 pairs = i32x4(load(weights + 16 * half));
      nibbles[2 * half] = to_bytes(i8x16(pairs & low_nibbles));
      nibbles[2 * half + 1] = to_bytes(i8x16((pairs >> 4) & low_nibbles));
    }
  }
  // end region: decode

  // region: tile
  template <int rows, int batch>
  static void tile(Shape s, const Data& d, int row, int first, float* y) {
    f32x4 sums[rows][batch] = {};

    for (int g = 0; g < d.groups; ++g) {
      for (int r = 0; r < rows; ++r) {
        Bytes nibbles[parts];
        decode(d.row(row + r) + g * packed, nibbles);
        const f32x4 scale = splat(d.scales[std::size_t(row + r) * d.groups + g]);

        for (int b = 0; b < batch; ++b) {
          const int at = (first + b) * d.groups + g;
          i32x4 dot = load(d.starts + at * lanes);
          for (int part = 0; part < parts; ++part)
            dot = dot_add_somewhere(load_bytes(d.x + at * group + part * 16), nibbles[part], dot);
          sums[r][b] = madd(scale, __builtin_convertvector(dot, f32x4), sums[r][b]);
        }
      }
    }
    for (int r = 0; r < rows; ++r)
      for (int b = 0; b < batch; ++b) y[(first + b) * s.rows + row + r] = sum(sums[r][b]);
  }
  // end region: tile

  static double weight(Shape, const Data& d, int i, int j) {
    const std::uint8_t pair = std::uint8_t(d.row(i)[j / 32 * 16 + j % 16]);
    const int nibble = j % 32 < 16 ? pair & 15 : pair >> 4;
    return double(d.scales[std::size_t(i) * d.groups + j / group]) * (nibble - 8);
  }
  static double x(Shape, const Data& d, int b, int j) { return d.x[b * d.groups * group + j]; }
};

}  // namespace

const Kernel matvec_i4 = matvec::kernel<I4>();

}  // namespace kernels
