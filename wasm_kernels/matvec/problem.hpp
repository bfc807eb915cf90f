// What the formats of weights share: y = W · x for `batch` vectors x at a time. The weights are
// read once for all of them, so the batch is the number of operations that each weight fetched from
// memory feeds.
#pragma once
#include "../families.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "../simd.hpp"

namespace kernels::matvec {

struct Shape {
  int rows, columns, batch;
};

inline Shape shape_of(const Args& args) {
  return {int(args.value[0]), int(args.value[1]), int(args.value[2])};
}

// A format of weights is a struct with
//   Data                     its arrays; Data::lay_out(shape, arena) finds their places
//   prepare(shape, data)     fills them: rows are filled up with zeros to whole steps of the loop
//   arrange(shape, data)     what each run must do with x before it can multiply
//   tile<rows, batch>(…)     rows × batch of the results, from the given row and vector on
//   weight(…), x(…)          one number, as the checks understand the format
//   weight_bytes(shape)      of all weights with their scales; x_bytes of one number of x
// and its names: id, title, unit, element, roof_class, source, bytes_count.
template <class Format>
struct Problem {
  Shape shape;
  typename Format::Data data;
  float* y;       // batch × rows
  double* check;  // for verify
};

template <class Format>
Problem<Format> lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  Problem<Format> p{s, Format::Data::lay_out(s, arena), nullptr, nullptr};
  p.y = arena.take<float>(std::size_t(s.batch) * s.rows);
  p.check = arena.take<double>(s.columns);
  return p;
}

// region: rows-and-batches
// Up to three vectors at a time: 4 × 3 sums stay in registers, or 8 × 1 when there is one vector
// alone, where reading eight rows at once keeps more of memory busy.
template <class Format>
void multiply(Shape s, const typename Format::Data& d, float* y) {
  constexpr int rows = 8, half = rows / 2;
  const int parts = (s.batch + 2) / 3;  // of the batch, as even as can be
  int row = 0;
  for (; row + rows <= s.rows; row += rows) {
    for (int part = 0; part < parts; ++part) {
      const int first = part * s.batch / parts, count = (part + 1) * s.batch / parts - first;
      if (count == 1) Format::template tile<rows, 1>(s, d, row, first, y);
      for (int r = row; count > 1 && r < row + rows; r += half) {
        if (count == 2) Format::template tile<half, 2>(s, d, r, first, y);
        if (count == 3) Format::template tile<half, 3>(s, d, r, first, y);
      }
    }
  }
  for (; row < s.rows; ++row)
    for (int b = 0; b < s.batch; ++b) Format::template tile<1, 1>(s, d, row, b, y);
}
// end region: rows-and-batches

inline double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.rows * s.columns * s.batch;
}

template <class Format>
double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return Format::weight_bytes(s) +
         double(s.batch) * (double(s.columns) * Format::x_bytes + double(s.rows) * sizeof(float));
}

template <class Format>
std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out<Format>(args, arena);
  return arena.used();
}

template <class Format>
void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Problem<Format> p = lay_out<Format>(args, arena);
  Format::prepare(p.shape, p.data);
  fill(p.y, std::size_t(p.shape.batch) * p.shape.rows);
  for (int j = 0; j < p.shape.columns; ++j) p.check[j] = 0;
}

template <class Format>
void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem<Format> p = lay_out<Format>(args, arena);
  for (int rep = 0; rep < reps; ++rep) {
    Format::arrange(p.shape, p.data);
    multiply<Format>(p.shape, p.data, p.y);
  }
}

// Freivalds' check over the batch: with random weights c, W · Σ c x must be Σ c y, row by row. The
// values are such that no sum is rounded.
template <class Format>
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem<Format> p = lay_out<Format>(args, arena);
  const Shape s = p.shape;
  for (int j = 0; j < s.columns; ++j) {
    p.check[j] = 0;
    for (int b = 0; b < s.batch; ++b) p.check[j] += random_weight(b) * Format::x(s, p.data, b, j);
  }
  Deviation deviation;
  for (int i = 0; i < s.rows; ++i) {
    double expected = 0, found = 0;
    for (int j = 0; j < s.columns; ++j) expected += Format::weight(s, p.data, i, j) * p.check[j];
    for (int b = 0; b < s.batch; ++b) found += random_weight(b) * p.y[std::size_t(b) * s.rows + i];
    deviation.compare(found, expected);
  }
  *tolerance = 0;
  return deviation.largest();
}

template <class Format>
constexpr Kernel kernel() {
  return {.id = Format::id,
          .title = Format::title,
          .unit = Format::unit,
          .roof_class = Format::roof_class,
          .element = Format::element,
          .source = Format::source,
          .bytes_count = Format::bytes_count,
          .params = {{.name = "rows",
                      .doc = "rows of W, numbers in y",
                      .default_value = 4096,
                      .min = 1,
                      .max = 32768},
                     {.name = "cols",
                      .doc = "columns of W, numbers in x",
                      .default_value = 4096,
                      .min = 1,
                      .max = 16384},
                     {.name = "batch",
                      .doc = "vectors x that share one pass over W",
                      .default_value = 1,
                      .min = 1,
                      .max = 64}},
          .flops = flops,
          .bytes = bytes<Format>,
          .memory = memory<Format>,
          .prepare = prepare<Format>,
          .run = run<Format>,
          .verify = verify<Format>};
}

}  // namespace kernels::matvec
