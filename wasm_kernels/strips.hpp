// Products with a matrix that was packed beforehand, as layers multiply by their weights: C = A · B
// with B in strips of eight columns and A as it lies. Unlike matmul.packed it leaves A where it is,
// because much of what layers multiply has only just been computed, and it can do something to each
// sum on its way from the registers to memory.
#pragma once
#include "memory.hpp"
#include "simd.hpp"

namespace kernels::strips {

inline constexpr int width = 2 * lanes;  // columns of a strip

struct Shape {
  int m, n, k;  // A has m rows, B n columns; k is what they have in common
};

// A matrix row by row, or a part of one.
struct Rows {
  float* data;
  int stride;  // floats from row to row
  float* at(int i, int j) const { return data + std::ptrdiff_t(i) * stride + j; }
};

// B: one strip after the other, each row by row. A last strip that is not full is filled up with
// zeros.
struct Strips {
  float* data;
  int stride;  // floats from strip to strip
  float* at(int column, int row) const {
    return data + std::ptrdiff_t(column / width) * stride + row * width;
  }
};

inline std::size_t size(int n, int k) { return std::size_t(round_up(n, width)) * k; }

void pack(int n, int k, const float* b, Strips packed);
// The same for a matrix whose columns lie in `b` as rows.
void pack_transposed(int n, int k, const float* b, Strips packed);

// What happens to sums when they are complete, on their way from the registers to memory.
struct Finish {
  float factor = 1;             // first they are multiplied,
  const float* bias = nullptr;  // then this is added, one number for each column and whole strips,
  bool relu = false;            // and then what is below 0 becomes 0
};

// C = A · B, finished; with `add`, C += A · B.
void multiply(Shape s, Rows a, Strips b, Rows c, bool add, Finish finish);

}  // namespace kernels::strips
