// Quantities: numbers with a dimension, in SI base units, read from and written as text.
//
// Everything the book states has a unit, and a number is only ever compared with one of its own
// dimension. FLOP and byte are dimensions of their own (FLOP/B is not a plain ratio), "op" is
// FLOP's name for integers, a cycle, a row or a chip is a plain count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace figures {

// Exponents of the base units FLOP, byte, second, joule, dollar and metre (watt is joule per
// second).
struct Dimension {
  std::int8_t flop = 0, byte = 0, second = 0, joule = 0, dollar = 0, metre = 0;

  bool operator==(const Dimension&) const = default;
  bool is_number() const { return *this == Dimension{}; }
};

Dimension operator+(Dimension a, Dimension b);  // of a product
Dimension operator-(Dimension a, Dimension b);  // of a quotient

struct Quantity {
  double value = 0;  // in FLOP, byte, second, joule, dollar, metre
  Dimension dimension = {};
};

// "FLOP/B", "B/s", "W", "number": the dimension in base units, for messages and default output.
std::string describe(Dimension dimension);

struct Unit {
  double scale = 1;  // base units in one of these
  Dimension dimension = {};
};

// A unit: atoms joined by '/', with SI prefixes (n µ m k M G T P E …) and IEC prefixes on bytes
// (KiB …): "TFLOP/s", "FLOP/byte", "GB/s", "MiB", "ns", "pJ/FLOP", "Gop/s", "×", "%", "$/h", "mm²",
// "GHz", "FLOP/cycle", counts such as "rows" or "tok/s". Empty: a plain number.
// Error: an unknown atom, with its span and the nearest unit ("GFLOPS" suggests "GFLOP/s").
Result<Unit> parse_unit(std::string_view text);

// What one word of a unit counts: "token" of "tok", "op" of "Top", "FLOP", and "×" of "%" and "times".
// Empty for other units and for a MAC, which may be of either kind.
std::string_view counted_noun(std::string_view word);

// A number with a unit as somebody wrote it.
struct Literal {
  Quantity quantity;          // the value in base units
  double number = 0;          // as written: 989 in "989 TFLOP/s", 124 in "124 million parameters"
  double scale = 1;           // quantity.value = number * scale
  std::string unit;           // "TFLOP/s", "×", "million parameters"; empty for a plain number
  int decimals = 0;           // digits after the point; -3 where whole thousands are said: "17 000"
  int significant = 0;        // significant digits
  std::string_view grouping;  // "," in "124,439,808", a narrow space in "124 439 808"
  bool spaced = false;        // a space between number and unit
  bool dollar = false;        // "$2.50/h": the sign stands in front
};

// The whole text must be one number with an optional unit: "3.35 TB/s", "64 MiB", "36×", "8 %",
// "−5 ns", "124,439,808 parameters", "$2.50/h". Spaces may be no-break spaces. With a narrow one between its groups, as
// Spanish writes what English says in thousands, three zeros at the end are no digits: "17 000" is "17 thousand"; an ordinary one is read as narrow.
Result<Literal> parse_literal(std::string_view text);

// Does the exact value, rounded to the literal's own digits, give the literal? Exactly half a digit
// agrees with both neighbours. False when the dimensions differ.
bool agrees(const Literal& literal, const Quantity& exact);

// The literal rewritten for another value: same unit, same style, as many significant digits (an
// integer part stays whole), or as format() writes it where that would round it to nothing.
std::string rewrite(const Literal& literal, const Quantity& exact);

// "36.2×", "12.7 GB/s", "8 %". Error: unknown unit, or a unit of another dimension.
Result<std::string> format(const Quantity& quantity, std::string_view unit, int digits = 3);

// The unit chosen by size: "45.3 GFLOP/s", "48 KiB" never (decimal prefixes only: "49.2 kB").
std::string format(const Quantity& quantity, int digits = 3);

}  // namespace figures
