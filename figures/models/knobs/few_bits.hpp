// Numbers in few bits: the value of a code, and the scale that a group of numbers shares.
//
// Integers of b bits have codes up to 2^(b-1) - 1 and a scale per group. E4M3 has three mantissa
// bits and an exponent in each number (Micikevicius et al. 2022).
#pragma once

#include <algorithm>

namespace figures::models {

constexpr double largest_e4m3 = 448;

constexpr double magnitude(double x) { return x < 0 ? -x : x; }

// Rounds to the nearest integer, ties to even.
constexpr double nearest_whole(double x) {
  const auto low = static_cast<long long>(magnitude(x));
  const double rest = magnitude(x) - static_cast<double>(low);
  const bool up = rest > 0.5 || (rest == 0.5 && low % 2 == 1);
  const double whole = static_cast<double>(low + (up ? 1 : 0));
  return x < 0 ? -whole : whole;
}

// Rounds to the nearest number with `mantissa` bits after the point. Below `smallest`, the spacing
// is that of `smallest`.
constexpr double rounded_to(double x, int mantissa, double smallest) {
  double power = smallest;
  while (power * 2 <= magnitude(x)) power *= 2;
  const double steps = static_cast<double>(1 << mantissa);
  return nearest_whole(x / power * steps) * power / steps;
}

constexpr double bf16(double x) { return rounded_to(x, 7, 0x1p-126); }
constexpr double e4m3(double x) {
  return std::clamp(rounded_to(x, 3, 1.0 / 64), -largest_e4m3, largest_e4m3);
}

// The largest code of an integer of `bits` bits; 0 bits means E4M3.
constexpr double largest_code(int bits) {
  return bits == 0 ? largest_e4m3 : static_cast<double>((1 << (bits - 1)) - 1);
}
constexpr double code_of(double x, int bits) { return bits == 0 ? e4m3(x) : nearest_whole(x); }

}  // namespace figures::models
