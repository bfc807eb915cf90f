// Decimal numbers as text and back, the same bytes in every build.
//
// printf, strtod and std::to_chars differ between the C libraries that this code is compiled
// against (or are missing), and each would add kilobytes to the page's module. portable_math.hpp has the
// arithmetic below this and the writers for figures, which drop trailing zeros; these keep what
// was asked for.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace figures {

// Rounded half away from zero to `decimals` (0 to 12) places: "-0.50". Never writes "-0". Numbers
// of 10^15 and above are written like "1.5e18"; what is not finite is written "?".
std::string write_fixed(double value, int decimals);

// A count or an index, below 10^15. The modules have this instead of std::to_string, for page/page_string.cpp's sake.
inline std::string write_whole(double count) { return write_fixed(count, 0); }
template <std::integral Count>
std::string write_whole(Count count) {
  return write_whole(static_cast<double>(count));
}

// Rounded to `digits` (1 to 15) significant digits; an integer part is always written whole
// (write_significant(1234, 2) is "1234"), so that the text still agrees with the value. Zero is
// "0".
std::string write_significant(double value, int digits);

// "124439808.5" -> "124,439,808.5": groups of three, from five integer digits on.
std::string group_thousands(std::string_view number, std::string_view separator = ",");

// What stands between the groups of languages that take a comma for a decimal point: a narrow space that does not break.
inline constexpr std::string_view narrow_space = "\u202F";

struct Decimal {
  double value = 0;
  std::size_t length = 0;   // bytes read; 0 when the text does not start with a number
  int decimals = 0;         // digits after the point
  int significant = 0;      // significant digits as written: 3 in "989", 2 in "0.083", 3 in "36.0"
  bool scientific = false;  // written with an exponent
  std::string_view grouping;  // what stands between groups of three: "," or `narrow_space`
};

// Reads an unsigned number at the start of the text: "12", "0.5", "1,234.5", "1e9". A comma, or for authors a space
// (a narrow one, unless told), counts only between correct groups of three. Correctly rounded for up to 15 significant digits with an
// exponent of at most 22; otherwise within two units in the last place. Overflow reads as infinity.
Decimal read_decimal(std::string_view text, std::string_view space = narrow_space);

}  // namespace figures
