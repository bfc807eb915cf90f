// The matmul of bytes as in its definition, one number at a time.
#include "bytes_problem.hpp"

namespace kernels {
namespace {

using product_i8::Problem;
using words::Word;

// region: plain
// A product of two bytes has 15 bits, so sums need 32. If the result is a real number, the scales
// of its row and column are applied once, at the end.
void multiply(const Problem& p) {
  const auto [m, n, k] = p.shape;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      Word sum = 0;
      for (int q = 0; q < k; ++q) sum += p.a[i * k + q] * p.b[q * n + j];
      if (p.scaled)
        sum = __builtin_bit_cast(Word, float(sum) * (p.scale_of_row[i] * p.scale_of_column[j]));
      p.c[i * n + j] = sum;
    }
  }
}
// end region: plain

std::size_t memory(const Args& args) {
  Arena arena(nullptr);
  product_i8::lay_out(args, arena);
  return arena.used();
}

void prepare(const Args& args, void* base) {
  Arena arena(base);
  product_i8::prepare(product_i8::lay_out(args, arena));
}

void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Problem p = product_i8::lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) multiply(p);
}

double verify(const Args& args, void* base, double* tolerance) {
  Arena arena(base);
  return product_i8::verify(product_i8::lay_out(args, arena), tolerance);
}

}  // namespace

const Kernel matmul_i8_plain = {.id = "matmul.i8",
                                .variant = "plain",
                                .title = "Product of bytes, three loops",
                                .unit = "Gop/s",
                                .roof_class = "scalar",
                                .element = "i8",
                                .source = "wasm_kernels/layers/bytes_plain.cpp#plain",
                                .bytes_count = product_i8::bytes_count,
                                .params = {product_i8::n_param, product_i8::m_param,
                                           product_i8::k_param, product_i8::scaled_param},
                                .flops = product_i8::flops,
                                .bytes = product_i8::bytes,
                                .memory = memory,
                                .prepare = prepare,
                                .run = run,
                                .verify = verify};

}  // namespace kernels
