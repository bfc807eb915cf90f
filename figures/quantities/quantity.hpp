// Quantities: numbers with a dimension, in SI base units, with conversion from and to text.
//
// Everything in the book has a unit, and a number is compared only with numbers of the same
// dimension. FLOP and byte are dimensions (FLOP/B is not a plain ratio), "op" is the name of FLOP
// for integers, and a cycle, a row or a chip is a plain count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"

namespace figures {

// Exponents of the base units FLOP, byte, second, joule, dollar and metre (watt is J/s).
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
  double scale = 1;  // base units per unit
  Dimension dimension = {};
};

// A unit: words joined by '/', with SI prefixes (n µ m k M G T P E …) and, on bytes, IEC prefixes
// (KiB …): "TFLOP/s", "FLOP/byte", "GB/s", "MiB", "ns", "pJ/FLOP", "Gop/s", "×", "%", "$/h", "mm²",
// "GHz", "FLOP/cycle", counts such as "rows" or "tok/s". Empty: a plain number. Error: an unknown
// word, with its span and the nearest unit ("GFLOPS" suggests "GFLOP/s").
Result<Unit> parse_unit(std::string_view text);

// The noun that a word of a unit counts: "token" for "tok", "op" for "Top", "FLOP", and "×" for "%"
// and "times". Empty for other units, and for a MAC, which may be of either kind.
std::string_view counted_noun(std::string_view word);

// A number with a unit, as an author or a reader wrote it.
struct Literal {
  Quantity quantity;          // the value in base units
  double number = 0;          // as written: 989 in "989 TFLOP/s", 124 in "124 million parameters"
  double scale = 1;           // quantity.value = number * scale
  std::string unit;           // "TFLOP/s", "×", "million parameters"; empty for a plain number
  int decimals = 0;           // digits after the point; -3 if it has whole thousands: "17 000"
  int significant = 0;        // significant digits
  std::string_view grouping;  // "," in "124,439,808", a narrow space in "124 439 808"
  bool spaced = false;        // a space between number and unit
  bool dollar = false;        // "$2.50/h": the sign precedes the number
};

// The whole text must be a number with an optional unit: "3.35 TB/s", "64 MiB", "36×", "8 %", "−5
// ns", "124,439,808 parameters", "$2.50/h". Spaces may be no-break spaces. If narrow spaces
// separate groups, as in Spanish, three zeros at the end are not significant: "17 000" is "17
// thousand". An ordinary space is read as a narrow one.
Result<Literal> parse_literal(std::string_view text);

// Whether `exact`, rounded to the digits of the literal, gives the literal. Exactly half a digit
// agrees with both neighbors. False if the dimensions differ.
bool agrees(const Literal& literal, const Quantity& exact);

// The literal rewritten for another value: same unit, same style and as many significant digits
// (the integer part is always written in full), or as format() writes it if that would round it to
// zero.
std::string rewrite(const Literal& literal, const Quantity& exact);

// "36.2×", "12.7 GB/s", "8 %". Error: an unknown unit, or a unit of another dimension.
Result<std::string> format(const Quantity& quantity, std::string_view unit, int digits = 3);

// Chooses the unit by size: "45.3 GFLOP/s". Decimal prefixes only: "49.2 kB", never "48 KiB".
std::string format(const Quantity& quantity, int digits = 3);

}  // namespace figures
