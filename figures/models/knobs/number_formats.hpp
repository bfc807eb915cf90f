// Number formats as bits, and what becomes of numbers that are rounded to them.
//
// IEEE 754 for fp16 and its like; Micikevicius et al. 2022 for FP8 (E4M3 has no infinities and takes
// their codes as numbers); OCP Microscaling Formats 1.0 for E2M1, which has no "not a number" either,
// and for a scale that is a power of two and shared by 32 numbers; NVFP4 has an E4M3 scale for 16 under
// one of the whole tensor.
#pragma once

#include <span>
#include <string_view>

#include "figures/models/random.hpp"

namespace figures::models {

// Who has a scale: nobody; a group of any size, in bf16, or all together, in fp32; blocks as above.
enum class Scaling { none, groups, powers, tensor_and_blocks };
// What the highest exponent is kept for: infinities and "not a number", one code alone, nothing.
enum class Codes { ieee, one_nan, finite };

struct NumberFormat {
  std::string_view id, label;
  int exponent, mantissa;  // bits, beside one for the sign; exponent 0: whole numbers
  Codes codes;
  Scaling scaling;

  int bits() const { return 1 + exponent + mantissa; }
  // Of codes, before any scale: the largest, the least of full precision, the least above zero.
  double largest() const;
  double least_normal() const;
  double least() const { return spacing(0); }
  // From a code to the next larger one, at `magnitude` >= 0.
  double spacing(double magnitude) const;
  // The nearest code, a tie to the even one, or by chance where `random` is given; never beyond the
  // largest.
  double rounded(double x, Random* random) const;
  // Numbers that differ, with one zero.
  double distinct() const;
  // How many of `count` numbers share a scale if the reader asks for `asked`; a scale's bits.
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

// What rounding did to numbers.
struct Rounded {
  double error = 0, bound = 0;      // root mean square over that of the numbers; by what is allowed
  double to_zero = 0, clipped = 0;  // shares of them
  double bits = 0;                  // of all, with their scales
  bool beyond = false;              // some number is farther off than its format allows
};

// Rounds `numbers` in groups of `group`; `random` as in NumberFormat::rounded.
Rounded rounded(const NumberFormat& format, std::span<const double> numbers, int group,
                Random* random);

// The scale of a group; 0: all of it becomes zero. `tensor` is tensor_scale() of all numbers; `alone`:
// the group is all there is.
double scale_of(const NumberFormat& format, std::span<const double> group, double tensor,
                bool alone);
double tensor_scale(const NumberFormat& format, std::span<const double> numbers);

}  // namespace figures::models
