// Shared by all steps of the matmul ladder: C = A · B with A of m × k and B of k × n, all
// row-major.
#pragma once
#include "../families.hpp"
#include "../memory.hpp"

namespace kernels::matmul {

struct Shape {
  int m, n, k;
};

// The matrices in the caller's memory. The workspace of a kernel may begin at `end`.
struct Matrices {
  Shape shape;
  float* a;
  float* b;
  float* c;
  double* check;  // k numbers for verify()
};

Shape shape_of(const Args& args);
Matrices lay_out(const Args& args, Arena& arena);

double flops(const Args& args);
double bytes(const Args& args);
std::size_t memory(const Args& args);
void prepare(const Args& args, void* base);

// Freivalds' check (1977): C x = A (B x) for a random x. It costs n² instead of n³ and misses a
// wrong matrix with a probability of one in a million. With our inputs, every product and sum is
// exact in a float up to k = 300,000, so the tolerance is 0 in any order of additions, with or
// without FMA.
double verify(const Args& args, void* base, double* tolerance);

// m = 0 and k = 0 mean "the same as n", so one number gives a square matmul.
inline constexpr Param n_param{.name = "n",
                               .doc = "columns of B and C; alone, the size of a square",
                               .default_value = 512,
                               .min = 1,
                               .max = 8192};
inline constexpr Param m_param{.name = "m",
                               .doc = "rows of A and C (0: as many as n); fewer make a row slice",
                               .default_value = 0,
                               .min = 0,
                               .max = 8192};
inline constexpr Param k_param{.name = "k",
                               .doc = "columns of A, rows of B (0: as many as n)",
                               .default_value = 0,
                               .min = 0,
                               .max = 8192};
inline constexpr const char* bytes_count = "each matrix once: A and B read, C written";

// A kernel without workspace is one function of this type.
using Multiply = void (*)(Shape shape, const float* a, const float* b, float* c);

template <Multiply multiply>
void run(const Args& args, void* base, int reps) {
  Arena arena(base);
  const Matrices m = lay_out(args, arena);
  for (int rep = 0; rep < reps; ++rep) multiply(m.shape, m.a, m.b, m.c);
}

template <Multiply multiply>
constexpr Kernel rung(const char* id, const char* title, const char* roof_class,
                      const char* source) {
  return {.id = id,
          .title = title,
          .unit = "GFLOP/s",
          .roof_class = roof_class,
          .element = "f32",
          .source = source,
          .bytes_count = bytes_count,
          .params = {n_param, m_param, k_param},
          .flops = flops,
          .bytes = bytes,
          .memory = memory,
          .prepare = prepare,
          .run = run<multiply>,
          .verify = verify};
}

}  // namespace kernels::matmul
