// Sums a column of a matrix. With rows of 4,096 bytes, all of its lines belong to the same cache
// set, which holds only a few; with rows of 4,160 bytes they are spread over all sets.
#include "../memory.hpp"
#include "traps.hpp"

namespace kernels {
namespace {

constexpr int rows = 64;
constexpr int page = 4096, padded = 4096 + 64;  // bytes from one row to the next
constexpr int passes = 64;                      // per run

struct Matrix {
  char* first;
  float* sum;
  std::size_t size;
};

Matrix lay_out(void* base) {
  Arena arena(base);
  Matrix m{};
  m.first = arena.take<char>(rows * padded);
  m.sum = arena.take<float>(1);
  m.size = arena.used();
  return m;
}

template <int pitch>
float& at(Matrix m, int row) {
  return *reinterpret_cast<float*>(m.first + row * pitch);
}

template <int pitch>
void prepare(const Args&, void* base) {
  const Matrix m = lay_out(base);
  for (int i = 0; i < rows * padded; ++i) m.first[i] = 0;
  for (int row = 0; row < rows; ++row) at<pitch>(m, row) = float(row);
  *m.sum = 0;
}

// region: column
template <int pitch>
[[gnu::noinline]] float add_column(Matrix m) {
  float sums[4] = {};
#pragma GCC unroll 1
  for (int row = 0; row < rows; row += 4) {
#pragma GCC unroll 4
    for (int j = 0; j < 4; ++j) sums[j] += at<pitch>(m, row + j);
  }
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
// end region: column

template <int pitch>
void run(const Args&, void* base, int reps) {
  const Matrix m = lay_out(base);
  for (int rep = 0; rep < reps; ++rep) {
    float sum = 0;
    for (int pass = 0; pass < passes; ++pass) sum += add_column<pitch>(m);
    *m.sum = sum;
  }
}

double verify(const Args&, void* base, double* tolerance) {
  *tolerance = 0;
  return distance(*lay_out(base).sum, double(passes) * rows * (rows - 1) / 2);
}

double loads(const Args&) { return double(passes) * rows; }
double bytes(const Args& args) { return loads(args) * sizeof(float); }
std::size_t memory(const Args&) { return lay_out(nullptr).size; }

template <int pitch>
constexpr Kernel kernel(const char* variant, const char* title) {
  return {.id = "trap.columns",
          .variant = variant,
          .title = title,
          .unit = "ns",
          .roof_class = "latency",
          .element = "f32",
          .source = "wasm_kernels/traps/columns.cpp#column",
          .bytes_count = "one number of each row",
          .params = {},
          .flops = loads,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare<pitch>,
          .run = run<pitch>,
          .verify = verify};
}

}  // namespace

const Kernel trap_columns_padded = kernel<padded>("padded", "Rows of 4,160 bytes");
const Kernel trap_columns_page = kernel<page>("page", "Rows of 4,096 bytes");

}  // namespace kernels
