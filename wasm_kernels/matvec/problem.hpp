// Shared by all weight formats: y = W · x for `batch` vectors x at a time. The weights are read
// once for all vectors, so the batch is the number of multiply-adds per weight fetched from memory.
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

// A weight format is a struct with
//   Weights, Row    the stored form of a row: one per `step` columns, and one per row
//   X, Inputs       one number of x as given by the caller; `step` numbers as the loop reads them
//   Sum             an accumulator register
//   prepare(…)      fills a block of weights, or the Row of a row from its blocks
//   arrange(…)      converts numbers into a block of inputs: part of every run
//   step<rows, batch>(…)  adds the products of one block of `rows` rows and `batch` vectors
//   finish(…)       converts a sum into a result
//   weight(…), value(…)   one number as the format represents it, for the checks
// and its names: id, title, unit, element, roof_class, source, bytes_count.

inline constexpr int most_rows = 8;
inline constexpr int together = 2;  // maximum number of vectors per tile
inline constexpr int block = 1024;  // columns of a panel, which stay in L1 for the whole batch

// The number of rows whose blocks are adjacent. With a single vector, reading eight rows at the
// same time keeps more loads in flight. With more vectors, 4 × 2 sums and their operands fill the
// registers of x86.
inline int panel_of(int batch) { return batch == 1 ? most_rows : most_rows / 2; }

template <class Format>
struct Problem {
  Shape shape;
  int panel;
  int steps, height;                  // blocks per row; rows rounded up to whole panels
  typename Format::Weights* weights;  // by panel: steps × panel blocks
  typename Format::Row* rows;         // height
  typename Format::X* x;              // batch × (steps · step), padded with the zero of the format
  typename Format::Inputs* inputs;    // by tile of the batch: steps × its vectors
  typename Format::Sum* sums;         // batch × panel
  float* y;                           // batch × height
  double* check;                      // for verify()

  typename Format::Weights& weights_at(int row, int step) const {
    return weights[(std::size_t(row / panel) * steps + step) * panel + row % panel];
  }
  typename Format::X* vector(int b) const { return x + std::size_t(b) * steps * Format::step; }
};

template <class Format>
Problem<Format> lay_out(const Args& args, Arena& arena) {
  Problem<Format> p{};
  p.shape = shape_of(args);
  p.panel = panel_of(p.shape.batch);
  p.steps = round_up(p.shape.columns, Format::step) / Format::step;
  p.height = round_up(p.shape.rows, p.panel);
  const std::size_t blocks = std::size_t(p.shape.batch) * p.steps;
  p.weights = arena.take<typename Format::Weights>(std::size_t(p.height) * p.steps);
  p.rows = arena.take<typename Format::Row>(p.height);
  p.x = arena.take<typename Format::X>(blocks * Format::step);
  p.inputs = arena.take<typename Format::Inputs>(blocks);
  p.sums = arena.take<typename Format::Sum>(std::size_t(p.shape.batch) * most_rows);
  p.y = arena.take<float>(std::size_t(p.shape.batch) * p.height);
  p.check = arena.take<double>(p.shape.columns);
  return p;
}

// region: tile
// Weights and inputs are in the order in which they are read, so two pointers advance and all other
// addresses have constant offsets.
template <class Format, int rows, int batch>
void tile(const Problem<Format>& p, int row, int first, int begin, int end) {
  const auto* weights = &p.weights_at(row, begin);
  const auto* inputs = p.inputs + std::size_t(first) * p.steps + std::size_t(begin) * batch;
  auto* memory = p.sums + first * rows;
  typename Format::Sum sums[rows][batch];
#pragma GCC unroll 8
  for (int i = 0; i < rows * batch; ++i) sums[i / batch][i % batch] = memory[i];

  for (int step = begin; step < end; ++step) {
    Format::template multiply<rows, batch>(weights, inputs, sums);
    weights += rows;
    inputs += batch;
  }
#pragma GCC unroll 8
  for (int i = 0; i < rows * batch; ++i) memory[i] = sums[i / batch][i % batch];
}
// end region: tile

// The number of tiles of the batch, and the first vector of tile number `part`.
inline int parts_of(int batch) { return (batch + together - 1) / together; }
inline int begin_of(int part, int batch) { return smaller(part * together, batch); }

// The sums of a tile are in row order.
template <class Format>
void finish(const Problem<Format>& p, int row) {
  const int batch = p.shape.batch;
  for (int part = 0; part < parts_of(batch); ++part) {
    const int first = begin_of(part, batch), count = begin_of(part + 1, batch) - first;
    for (int i = 0; i < p.panel * count; ++i)
      p.y[std::size_t(first + i % count) * p.height + row + i / count] =
          Format::finish(p.sums[first * p.panel + i], p.rows[row + i / count]);
  }
}

// region: rows-and-batches
// A block of a panel is fetched from memory once and then comes from L1 for the rest of the batch.
template <class Format>
void multiply(const Problem<Format>& p) {
  constexpr int many = most_rows / 2, block_steps = block / Format::step;
  const int batch = p.shape.batch;
  for (int row = 0; row < p.height; row += p.panel) {
    for (int i = 0; i < batch * p.panel; ++i) p.sums[i] = typename Format::Sum{};
    for (int begin = 0; begin < p.steps; begin += block_steps) {
      const int end = smaller(begin + block_steps, p.steps);
      if (batch == 1) {
        tile<Format, most_rows, 1>(p, row, 0, begin, end);
      } else {
        for (int b = 0; b + together <= batch; b += together)
          tile<Format, many, together>(p, row, b, begin, end);
        if (batch % together != 0) tile<Format, many, 1>(p, row, batch - 1, begin, end);
      }
    }
    finish(p, row);
  }
}
// end region: rows-and-batches

// Arranges the vectors of x in the order in which the tiles read them.
template <class Format>
void arrange(const Problem<Format>& p) {
  const int batch = p.shape.batch;
  for (int part = 0; part < parts_of(batch); ++part) {
    const int first = begin_of(part, batch), count = begin_of(part + 1, batch) - first;
    typename Format::Inputs* inputs = p.inputs + std::size_t(first) * p.steps;
    for (int step = 0; step < p.steps; ++step)
      for (int b = 0; b < count; ++b)
        Format::arrange(p.vector(first + b) + step * Format::step, *inputs++);
  }
}

inline double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.rows * s.columns * s.batch;
}

template <class Format>
double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return Format::weight_bytes(s) +
         double(s.batch) *
             (double(s.columns) * sizeof(typename Format::X) + double(s.rows) * sizeof(float));
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
  const Shape s = p.shape;
  typename Format::Random of_weights, of_x;
  for (std::size_t i = 0; i < std::size_t(p.height) * p.steps; ++i)
    Format::prepare(p.weights[i], of_weights);
  for (int i = 0; i < p.height; ++i)
    Format::prepare(p.rows[i], &p.weights_at(i, 0), p.steps * p.panel, p.panel, i);
  for (int b = 0; b < s.batch; ++b)
    for (int j = 0; j < p.steps * Format::step; ++j)
      p.vector(b)[j] = j < s.columns ? Format::random_x(of_x) : Format::zero;
  arrange(p);
  fill(p.y, std::size_t(s.batch) * p.height);
  for (int j = 0; j < s.columns; ++j) p.check[j] = 0;
}

template <class Format>
void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem<Format> p = lay_out<Format>(args, arena);
  for (int rep = 0; rep < reps; ++rep) {
    arrange(p);
    multiply(p);
  }
}

// Freivalds' check over the batch: with random weights c, W · Σ c x must equal Σ c y in each row.
// The values are chosen so that no sum is rounded.
template <class Format>
double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Problem<Format> p = lay_out<Format>(args, arena);
  const Shape s = p.shape;
  for (int j = 0; j < s.columns; ++j) {
    p.check[j] = 0;
    for (int b = 0; b < s.batch; ++b)
      p.check[j] += random_weight(b) * Format::value(p.vector(b)[j]);
  }
  Deviation deviation;
  for (int i = 0; i < s.rows; ++i) {
    double expected = 0, found = 0;
    for (int j = 0; j < s.columns; ++j)
      expected += Format::weight(p.weights_at(i, j / Format::step), p.rows[i], j % Format::step) *
                  p.check[j];
    for (int b = 0; b < s.batch; ++b)
      found += random_weight(b) * p.y[std::size_t(b) * p.height + i];
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
