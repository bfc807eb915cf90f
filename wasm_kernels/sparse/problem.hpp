// Shared by the sparse formats: y = A · x, where most elements of A are zero and are not stored.
//
// Every row stores the same number of values, in whole vectors if there is room, one in each of as
// many ranges of columns. So neither the ends of rows nor a lucky pattern influences the
// measurement.
#pragma once
#include "../families.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "../vector_math.hpp"

namespace kernels::sparse {

struct Shape {
  int rows, columns;
  int kept;  // stored values per row
};

inline Shape shape_of(int rows, int columns, double density) {
  constexpr int whole = 2 * lanes;
  const int wanted = int(density * columns / whole + 0.5) * whole;
  const int kept = wanted < whole ? whole : wanted;
  return {rows, columns, smaller(kept, columns)};
}

// Calls put(index in the row, column) for each stored element of a row.
template <class Put>
void for_each_place(Shape s, int row, Put put) {
  std::uint32_t state = std::uint32_t(row) * 0x9e3779b9u + 1;
  for (int i = 0; i < s.kept; ++i) {
    const int first = int(std::int64_t(i) * s.columns / s.kept);
    const int end = int(std::int64_t(i + 1) * s.columns / s.kept);
    state = state * 1664525u + 1013904223u;
    put(i, first + int((state >> 16) % std::uint32_t(end - first)));
  }
}

// The vectors, and a row of A with its zeros for verify().
struct Vectors {
  float* x;  // padded with zeros to a multiple of eight
  float* y;
  float* dense;

  static Vectors lay_out(Shape s, Arena& arena) {
    Vectors v{};
    v.x = arena.take<float>(round_up(s.columns, 8));
    v.y = arena.take<float>(s.rows);
    v.dense = arena.take<float>(round_up(s.columns, 8));
    return v;
  }
  void prepare(Shape s) const {
    fill(x, s.columns);
    clear(x + s.columns, round_up(s.columns, 8) - s.columns);
    fill(y, s.rows);
    clear(dense, round_up(s.columns, 8));
  }
  double bytes(Shape s) const { return sizeof(float) * (double(s.columns) + s.rows); }
};

// Compares row by row. `unpack` writes the stored values of a row to their columns. Nothing is
// rounded.
template <class Unpack>
double compare_with_dense(Shape s, const Vectors& v, double* tolerance, Unpack unpack) {
  Deviation deviation;
  for (int row = 0; row < s.rows; ++row) {
    clear(v.dense, round_up(s.columns, 8));
    unpack(row);
    double expected = 0;
    for (int j = 0; j < s.columns; ++j) expected += double(v.dense[j]) * v.x[j];
    deviation.compare(v.y[row], expected);
  }
  *tolerance = 0;
  return deviation.largest();
}

inline constexpr Param rows_param{
    .name = "rows", .doc = "rows of A", .default_value = 4096, .min = 1, .max = 16384};
inline constexpr Param cols_param{
    .name = "cols", .doc = "columns of A", .default_value = 4096, .min = 1, .max = 16384};
inline constexpr Param density_param{.name = "density",
                                     .doc = "part of A that is not zero, rounded to 8 a row",
                                     .default_value = 0.1,
                                     .min = 0.01,
                                     .max = 1};

}  // namespace kernels::sparse
