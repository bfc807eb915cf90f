// Decimal numbers to text and back, with the same bytes in every build.
//
// printf, strtod and std::to_chars differ between the C libraries that this code is compiled
// against, or are missing, and each would add kilobytes to the page's module. The arithmetic below
// this file is in portable_math.hpp. The writers there drop trailing zeros because they write for
// figures; the writers here keep the requested digits.
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <string_view>

namespace figures {

// Rounded half away from zero to `decimals` (0 to 12) places: "-0.50". Never writes "-0". Numbers
// of at least 10^15 are written like "1.5e18", infinities and NaN as "?".
std::string write_fixed(double value, int decimals);

// A count or an index below 10^15. Use this instead of std::to_string, which the modules cannot
// link (page/page_string.cpp).
inline std::string write_whole(double count) { return write_fixed(count, 0); }
template <std::integral Count>
std::string write_whole(Count count) {
  return write_whole(static_cast<double>(count));
}

// Rounded to `digits` (1 to 15) significant digits. The integer part is always written in full
// (write_significant(1234, 2) is "1234"), so the text still agrees with the value. Zero is "0".
std::string write_significant(double value, int digits);

// "124439808.5" -> "124,439,808.5": groups of three if there are at least `least` integer digits.
std::string group_thousands(std::string_view number, std::string_view separator = ",",
                            std::size_t least = 5);

// Separates the groups in languages with a decimal comma: a narrow no-break space.
inline constexpr std::string_view narrow_space = "\u202F";

struct Decimal {
  double value = 0;
  std::size_t length = 0;   // bytes read; 0: the text does not start with a number
  int decimals = 0;         // digits after the point
  int significant = 0;      // significant digits as written: 3 in "989", 2 in "0.083", 3 in "36.0"
  bool scientific = false;  // written with an exponent
  std::string_view grouping;  // separator of groups of three: "," or `narrow_space`
};

// Reads an unsigned number at the start of the text: "12", "0.5", "1,234.5", "1e9". A comma or
// `space` counts only between correct groups of three. Callers that read what authors type pass an
// ordinary space. Correctly rounded for up to 15 significant digits with an exponent of at most 22;
// otherwise within two units in the last place. Overflow reads as infinity.
Decimal read_decimal(std::string_view text, std::string_view space = narrow_space);

}  // namespace figures
