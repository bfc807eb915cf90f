// Mathematics and number formatting that produce the same bytes on every platform.
//
// glibc and musl differ in the last bit of log10 and pow, and printf differs in more. The tests
// compare figures of the native build and the WebAssembly module byte for byte, so figures can use
// neither. This file needs only + - * / and comparison, which IEEE 754 defines exactly (given
// -ffp-contract=off, which figures/CMakeLists.txt sets for both builds).
#pragma once

#include <cstdint>
#include <string>

namespace figures {

// log2 and log10 of a positive finite number, to within 2 units in the last place. log2 of a power
// of two is exact. Any other argument (zero, negative, not finite) returns 0, so callers check
// their data first.
double log2_of(double value);
double log10_of(double value);

// 2^exponent, to within 2 units in the last place.
double exp2_of(double exponent);

// 10^exponent. Exact for 0 to 22, within a few units in the last place from -300 to 300; exponents
// beyond that range are clamped.
double power_of_ten(int exponent);

// The largest e with 10^e <= value, for value > 0. Found by comparison, because floor(log10()) is
// off by one near powers of ten.
int decade_of(double value);

// A whole number as text.
std::string digits_of(std::uint64_t number);

// Fixed point with at most `decimals` (0 to 6) decimals, rounded half away from zero, without
// trailing zeros: 3.1400 is "3.14", -0.001 with 2 decimals is "0". Returns "0" for numbers that are
// not finite or exceed 1e12.
std::string fixed(double value, int decimals);

// `digits` (1 to 9) significant digits: "0.083", "3.6", "45", "27,000". Never an exponent, at most
// 6 decimals, no trailing zeros; thousands are grouped at 10,000 and above.
std::string significant(double value, int digits);

}  // namespace figures
