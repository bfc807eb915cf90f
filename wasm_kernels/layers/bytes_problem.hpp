// Shared by the matmuls of bytes: C = A · B, where A is m × k and B is k × n signed bytes, with
// 32-bit sums. The scaled form multiplies each sum by a scale per row and a scale per column, and
// stores floats.
#pragma once

#include "../bytes.hpp"
#include "../memory.hpp"
#include "../reference.hpp"
#include "layers.hpp"
#include "words.hpp"

namespace kernels::product_i8 {

using words::Word;

struct Shape {
  int m, n, k;
};

struct Problem {
  Shape shape;
  bool scaled;
  std::int8_t* a;
  std::int8_t* b;
  Word* c;                 // floats in the scaled form
  float* scale_of_row;     // m
  float* scale_of_column;  // n
  double* check;           // k numbers for verify()
};

Problem lay_out(const Args& args, Arena& arena);
double flops(const Args& args);
double bytes(const Args& args);
void prepare(const Problem& problem);

// Freivalds' check. Scales are powers of two, so a float holds any scaled sum of up to 1,024
// products exactly. Longer sums may be off by one rounding.
double verify(const Problem& problem, double* tolerance);

inline constexpr const char* bytes_count =
    "each byte of A and B once, read; each sum (four bytes) once, written";
inline constexpr Param n_param{.name = "n",
                               .doc = "columns of B and C; alone, the size of a square",
                               .default_value = 512,
                               .min = 1,
                               .max = 8192};
inline constexpr Param m_param{
    .name = "m", .doc = "rows of A and C (0: as many as n)", .default_value = 0, .max = 8192};
inline constexpr Param k_param{.name = "k",
                               .doc = "columns of A, rows of B (0: as many as n)",
                               .default_value = 0,
                               .max = 8192};
inline constexpr Param scaled_param{
    .name = "scaled",
    .doc = "1: each sum times its row's and its column's scale, as a float; 0: the sums themselves",
    .default_value = 0,
    .max = 1};

}  // namespace kernels::product_i8
