// Number formats as bits, and the error of rounding numbers to them.
//
// IEEE 754 for fp16 and similar formats. Micikevicius et al. 2022 for FP8 (E4M3 has no infinities
// and uses their codes for numbers). OCP Microscaling Formats 1.0 for E2M1, which has no NaN
// either, and for a power-of-two scale shared by 32 numbers. NVFP4 has an E4M3 scale per 16 numbers
// and one scale per tensor.
#pragma once

#include <span>
#include <string_view>

#include "figures/models/random.hpp"

namespace figures::models {

// What shares a scale: nothing; a group of any size, in bf16, or all numbers, in fp32; blocks with
// a power of two; blocks with an E4M3 scale and the tensor.
enum class Scaling { none, groups, powers, tensor_and_blocks };
// What the highest exponent is reserved for: infinities and NaN, one NaN code, or nothing.
enum class Codes { ieee, one_nan, finite };

struct NumberFormat {
  std::string_view id, label;
  int exponent, mantissa;  // bits, in addition to the sign; exponent 0: integers
  Codes codes;
  Scaling scaling;

  int bits() const { return 1 + exponent + mantissa; }
  // Values of codes before any scale: the largest, the least of full precision, the least above
  // zero.
  double largest() const;
  double least_normal() const;
  double least() const { return spacing(0); }
  // The distance to the next larger code at `magnitude` >= 0.
  double spacing(double magnitude) const;
  // The nearest code, ties to even; stochastic if `random` is not null. Never beyond the largest
  // code.
  double rounded(double x, Random* random) const;
  // The number of different values; both zeros count as one.
  double distinct() const;
  // The number of elements per scale if the reader asks for `asked` of `count`; bits of a scale.
  int group(int asked, int count) const;
  int scale_bits(int group, int count) const;
};

inline constexpr NumberFormat number_formats[] = {
    {"tf32", "tf32", 8, 10, Codes::ieee, Scaling::none},
    {"bf16", "bf16", 8, 7, Codes::ieee, Scaling::none},
    {"fp16", "fp16", 5, 10, Codes::ieee, Scaling::none},
    {"e5m2", "FP8 E5M2", 5, 2, Codes::ieee, Scaling::groups},
    {"e4m3", "FP8 E4M3", 4, 3, Codes::one_nan, Scaling::groups},
    {"e2m1", "FP4 E2M1", 2, 1, Codes::finite, Scaling::groups},
    {"int8", "int8", 0, 7, Codes::finite, Scaling::groups},
    {"int4", "int4", 0, 3, Codes::finite, Scaling::groups},
    {"mxfp8", "MXFP8", 4, 3, Codes::one_nan, Scaling::powers},
    {"mxfp4", "MXFP4", 2, 1, Codes::finite, Scaling::powers},
    {"nvfp4", "NVFP4", 2, 1, Codes::finite, Scaling::tensor_and_blocks},
};

// The effect of rounding.
struct Rounded {
  // Root mean square relative to that of the numbers; largest allowed
  double error = 0, bound = 0;
  double to_zero = 0, clipped = 0;  // shares of the numbers
  double bits = 0;                  // of all numbers, with their scales
  bool beyond = false;              // a number is further off than its format allows
};

// Rounds `numbers` in groups of `group`; `random` as in NumberFormat::rounded().
Rounded rounded(const NumberFormat& format, std::span<const double> numbers, int group,
                Random* random);

// The scale of a group; 0: the whole group becomes zero. `tensor` is tensor_scale() of all numbers.
// `alone`: there is no other group.
double scale_of(const NumberFormat& format, std::span<const double> group, double tensor,
                bool alone);
double tensor_scale(const NumberFormat& format, std::span<const double> numbers);

}  // namespace figures::models
