// The matmul as in its textbook definition.
#include "problem.hpp"

namespace kernels {
namespace {

// region: naive
// Each element of C is one row of A times one column of B.
void multiply(matmul::Shape s, const float* a, const float* b, float* c) {
  for (int i = 0; i < s.m; ++i) {
    for (int j = 0; j < s.n; ++j) {
      float sum = 0;
      for (int p = 0; p < s.k; ++p) sum += a[i * s.k + p] * b[p * s.n + j];
      c[i * s.n + j] = sum;
    }
  }
}
// end region: naive

}  // namespace

const Kernel matmul_naive = matmul::rung<multiply>("matmul.naive", "Naive triple loop", "scalar",
                                                   "wasm_kernels/matmul/naive.cpp#naive");

}  // namespace kernels
