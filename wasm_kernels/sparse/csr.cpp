// Compressed sparse rows (CSR): each nonzero value with its column. The column costs two or four
// bytes in addition to the value's four, and its x must be loaded separately, because WebAssembly
// has no gather.
#include "problem.hpp"

namespace kernels {
namespace {

using sparse::Shape;

Shape shape_of(const Args& args) {
  return sparse::shape_of(int(args.value[0]), int(args.value[1]), args.value[2]);
}
int index_bytes(const Args& args) { return int(args.value[3]) / 8; }

struct Csr {
  Shape shape;
  sparse::Vectors vectors;
  float* values;
  void* columns;          // per value; 16 or 32 bits
  std::uint32_t* starts;  // index of the first value of each row, and the end of the last row
};

Csr lay_out(const Args& args, Arena& arena) {
  const Shape s = shape_of(args);
  Csr a{};
  a.shape = s;
  a.vectors = sparse::Vectors::lay_out(s, arena);
  a.values = arena.take<float>(std::size_t(s.rows) * s.kept);
  a.columns = arena.take<std::uint8_t>(std::size_t(s.rows) * s.kept * index_bytes(args));
  a.starts = arena.take<std::uint32_t>(std::size_t(s.rows) + 1);
  return a;
}

// region: csr
template <class Index>
void multiply(const Csr& a) {
  const Index* columns = static_cast<const Index*>(a.columns);
  const float* x = a.vectors.x;

  for (int row = 0; row < a.shape.rows; ++row) {
    std::uint32_t i = a.starts[row];
    const std::uint32_t end = a.starts[row + 1];
    f32x4 even = splat(0), odd = splat(0);
    for (; i + 2 * lanes <= end; i += 2 * lanes) {
      const Index* c = columns + i;
      even = madd(load(a.values + i), f32x4{x[c[0]], x[c[1]], x[c[2]], x[c[3]]}, even);
      odd = madd(load(a.values + i + lanes), f32x4{x[c[4]], x[c[5]], x[c[6]], x[c[7]]}, odd);
    }
    float rest = 0;
    for (; i < end; ++i) rest += a.values[i] * x[columns[i]];
    a.vectors.y[row] = sum(even + odd) + rest;
  }
}
// end region: csr

template <class Index>
void fill_places(const Csr& a) {
  for (int row = 0; row < a.shape.rows; ++row) {
    Index* columns = static_cast<Index*>(a.columns) + std::size_t(row) * a.shape.kept;
    sparse::for_each_place(a.shape, row, [&](int i, int column) { columns[i] = Index(column); });
  }
}

double flops(const Args& args) {
  const Shape s = shape_of(args);
  return 2.0 * s.rows * s.kept;
}

double bytes(const Args& args) {
  const Shape s = shape_of(args);
  return double(s.rows) * s.kept * (sizeof(float) + index_bytes(args)) + 4.0 * (s.rows + 1) +
         4.0 * s.columns + 4.0 * s.rows;
}

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  const Csr a = lay_out(args, arena);
  a.vectors.prepare(a.shape);
  fill(a.values, std::size_t(a.shape.rows) * a.shape.kept);
  for (int row = 0; row <= a.shape.rows; ++row)
    a.starts[row] = std::uint32_t(row) * std::uint32_t(a.shape.kept);
  if (index_bytes(args) == 2) fill_places<std::uint16_t>(a);
  else fill_places<std::uint32_t>(a);
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Csr a = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) {
    if (index_bytes(args) == 2) multiply<std::uint16_t>(a);
    else multiply<std::uint32_t>(a);
  }
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  const Csr a = lay_out(args, arena);
  const bool narrow = index_bytes(args) == 2;
  return sparse::compare_with_dense(a.shape, a.vectors, tolerance, [&](int row) {
    for (std::uint32_t i = a.starts[row]; i < a.starts[row + 1]; ++i) {
      const std::uint32_t column = narrow ? static_cast<const std::uint16_t*>(a.columns)[i]
                                          : static_cast<const std::uint32_t*>(a.columns)[i];
      a.vectors.dense[column] += a.values[i];
    }
  });
}

constexpr double index_widths[] = {16, 32};

}  // namespace

const Kernel sparse_csr = {
    .id = "sparse.csr",
    .title = "Sparse matrix by rows, with columns",
    .unit = "GFLOP/s",
    .roof_class = vector_class,
    .element = "f32",
    .source = "wasm_kernels/sparse/csr.cpp#csr",
    .bytes_count =
        "each stored number with its column, each start of a row and each x once, read; "
        "each y once, written",
    .params = {sparse::rows_param,
               sparse::cols_param,
               sparse::density_param,
               {.name = "index",
                .doc = "bits of a column's number",
                .default_value = 32,
                .min = 16,
                .max = 32,
                .choices = index_widths,
                .choice_count = 2}},
    .flops = flops,
    .bytes = bytes,
    .memory = memory,
    .prepare = prepare,
    .run = run,
    .verify = verify};

}  // namespace kernels
