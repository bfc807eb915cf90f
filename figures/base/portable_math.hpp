// Numbers that come out as the same bytes everywhere.
//
// glibc and musl differ in the last bit of log10 and pow, and printf differs in more than that. A
// figure that is compared byte for byte between the native build and the WebAssembly module can use
// neither. What is here needs only + - * / and comparison, which IEEE 754 fixes (given
// -ffp-contract=off, which figures/CMakeLists.txt sets for both builds).
#pragma once

#include <cstdint>
#include <string>

namespace figures {

// log2 and log10 of a positive finite number, to within 2 units in the last place; log2 of a power
// of two is exact. Anything else (zero, negative, not finite) gives 0: callers check their data
// first.
double log2_of(double value);
double log10_of(double value);

// 2^exponent, to within 2 units in the last place.
double exp2_of(double exponent);

// 10^exponent; exact for 0 to 22, within a few units in the last place from -300 to 300, clamped
// there.
double power_of_ten(int exponent);

// The largest e with 10^e <= value, for value > 0; found by comparing, never by floor(log10()).
int decade_of(double value);

// A whole number as text.
std::string digits_of(std::uint64_t number);

// Fixed point with at most `decimals` (0 to 6) decimals, rounded half away from zero, trailing
// zeros dropped: 3.1400 is "3.14", -0.001 with 2 decimals is "0". Not finite or beyond 1e12 gives
// "0".
std::string fixed(double value, int decimals);

// `digits` (1 to 9) significant digits for people: "0.083", "3.6", "45", "27,000"; never an
// exponent, at most 6 decimals, trailing zeros dropped, thousands grouped from 10,000 on.
std::string significant(double value, int digits);

}  // namespace figures
