// The reordered loops, four columns at a time.
#include "../simd.hpp"
#include "problem.hpp"

namespace kernels {
namespace {

// region: vector
void multiply(matmul::Shape s, const float* a, const float* b, float* c) {
  const int whole = s.n / lanes * lanes;  // columns that fill whole vectors

  for (int i = 0; i < s.m; ++i) {
    float* row_of_c = c + i * s.n;
    for (int j = 0; j < s.n; ++j) row_of_c[j] = 0;

    for (int p = 0; p < s.k; ++p) {
      const float weight = a[i * s.k + p];
      const float* row_of_b = b + p * s.n;
      for (int j = 0; j < whole; j += lanes)
        store(row_of_c + j, madd(splat(weight), load(row_of_b + j), load(row_of_c + j)));
      for (int j = whole; j < s.n; ++j) row_of_c[j] += weight * row_of_b[j];
    }
  }
}
// end region: vector

}  // namespace

const Kernel matmul_vector =
    matmul::rung<multiply>("matmul.vector", "Four columns at a time", vector_class,
                           "wasm_kernels/matmul/vector.cpp#vector");

}  // namespace kernels
