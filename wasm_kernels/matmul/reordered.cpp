// The same operations in another order: the innermost loop now walks along rows.
#include "problem.hpp"

namespace kernels {
namespace {

// region: reordered
// Each row of C is a sum of rows of B; the numbers in A are their weights.
void multiply(matmul::Shape s, const float* a, const float* b, float* c) {
  for (int i = 0; i < s.m; ++i) {
    float* row_of_c = c + i * s.n;
    for (int j = 0; j < s.n; ++j) row_of_c[j] = 0;

    for (int p = 0; p < s.k; ++p) {
      const float weight = a[i * s.k + p];
      const float* row_of_b = b + p * s.n;
      for (int j = 0; j < s.n; ++j) row_of_c[j] += weight * row_of_b[j];
    }
  }
}
// end region: reordered

}  // namespace

const Kernel matmul_reordered =
    matmul::rung<multiply>("matmul.reordered", "Loops reordered, walking along rows", "scalar",
                           "wasm_kernels/matmul/reordered.cpp#reordered");

}  // namespace kernels
