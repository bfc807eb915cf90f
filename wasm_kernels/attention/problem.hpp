// Shared by both attention kernels: O = softmax(Q · Kᵀ / sqrt(d)) · V for one head of n tokens.
// Packing keys and values into strips is part of the run, since a layer computes them just before.
#pragma once
#include "../families.hpp"
#include "../memory.hpp"
#include "../strips.hpp"
#include "../vector_math.hpp"

namespace kernels::attention {

struct Shape {
  int n, d;
};

struct Head {
  Shape shape;
  float scale;  // 1 / sqrt(d)
  float* q;
  float* k;
  float* v;
  float* o;
  strips::Strips keys;    // K transposed: one column per token
  strips::Strips values;  // V
  double* check;          // n numbers for verify
};

// The result that verify() compares.
enum class Result { scores, probabilities, output };

Shape shape_of(const Args& args);
Head lay_out(const Args& args, Arena& arena);
void prepare(const Head& head);
void pack(const Head& head);

// `rows` points to n × n scores or probabilities, if those are the result.
double verify(const Head& head, Result result, const float* rows, double* tolerance);

// region: softmax-steps
// The largest of `count` numbers and `at_least`.
inline float largest(const float* row, int count, float at_least) {
  f32x4 most = splat(at_least);
  int j = 0;
  for (; j + lanes <= count; j += lanes) most = larger(most, load(row + j));
  for (; j < count; ++j) most = larger(most, splat(row[j]));
  for (int lane = 0; lane < lanes; ++lane) at_least = at_least < most[lane] ? most[lane] : at_least;
  return at_least;
}

// Replaces each x by e^(x - shift), and returns the sum.
inline float exponentials(float* row, int count, float shift) {
  f32x4 sums = splat(0);
  float rest = 0;
  int j = 0;
  for (; j + lanes <= count; j += lanes) {
    const f32x4 power = exp(load(row + j) - splat(shift));
    store(row + j, power);
    sums += power;
  }
  for (; j < count; ++j) rest += row[j] = exp(splat(row[j] - shift))[0];
  return sum(sums) + rest;
}

inline void multiply(float* row, int count, float factor) {
  int j = 0;
  for (; j + lanes <= count; j += lanes) store(row + j, load(row + j) * splat(factor));
  for (; j < count; ++j) row[j] *= factor;
}
// end region: softmax-steps

inline constexpr Param n_param{
    .name = "n", .doc = "tokens", .default_value = 1024, .min = 1, .max = 8192};
inline constexpr Param d_param{
    .name = "d", .doc = "numbers per token and head", .default_value = 64, .min = 1, .max = 256};

}  // namespace kernels::attention
