// Matmuls with a matrix that was packed in advance, as layers multiply by their weights: C = A · B
// with B in strips of eight columns and A unpacked. Unlike matmul.packed, it does not copy A,
// because most inputs of layers have only just been computed, and it can process each sum on its
// way from the registers to memory.
#pragma once
#include "memory.hpp"
#include "simd.hpp"

namespace kernels::strips {

inline constexpr int width = 2 * lanes;  // columns per strip

struct Shape {
  int m, n, k;  // A is m × k, B is k × n
};

// A row-major matrix or a part of one.
struct Rows {
  float* data;
  int stride;  // floats from row to row
  float* at(int i, int j) const { return data + std::ptrdiff_t(i) * stride + j; }
};

// B: strip by strip, and row by row within a strip. An incomplete last strip is padded with zeros.
struct Strips {
  float* data;
  int stride;  // floats from strip to strip
  float* at(int column, int row) const {
    return data + std::ptrdiff_t(column / width) * stride + row * width;
  }
};

inline std::size_t size(int n, int k) { return std::size_t(round_up(n, width)) * k; }

void pack(int n, int k, const float* b, Strips packed);
// The same for a matrix whose columns are stored in `b` as rows.
void pack_transposed(int n, int k, const float* b, Strips packed);

// The operations on complete sums before they are stored, in this order.
struct Finish {
  float factor = 1;  // first multiply by this,
  // Then add this, one number per column, padded to whole strips; null: nothing,
  const float* bias = nullptr;
  bool relu = false;  // then replace negative numbers by 0
};

// C = A · B with `finish` applied; with `add`, C += A · B.
void multiply(Shape s, Rows a, Strips b, Rows c, bool add, Finish finish);

}  // namespace kernels::strips
