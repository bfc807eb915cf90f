#include "figures/base/portable_math.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "figures/base/decimal_text.hpp"

namespace figures {
namespace {

constexpr double largest_fixed = 1e12;

}  // namespace

std::string digits_of(std::uint64_t number) {
  char buffer[20];
  std::size_t at = sizeof buffer;
  do {
    buffer[--at] = static_cast<char>('0' + number % 10);
    number /= 10;
  } while (number != 0);
  return std::string(buffer + at, sizeof buffer - at);
}

double log2_of(double value) {
  if (!(value > 0) || !std::isfinite(value)) return 0;
  int exponent = 0;
  double mantissa = std::frexp(value, &exponent);  // exact in every libm: frexp only moves bits
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2;
    --exponent;
  }
  // ln m = 2 artanh(s), |s| <= 0.172: thirteen terms leave an error below 10^-19.
  const double s = (mantissa - 1) / (mantissa + 1);
  const double z = s * s;
  double sum = 0;
  for (int term = 25; term >= 1; term -= 2) sum = sum * z + 2.0 / term;
  return exponent + s * sum * 1.44269504088896340736;
}

double log10_of(double value) { return log2_of(value) * 0.30102999566398119521; }

double exp2_of(double exponent) {
  const double whole = std::floor(exponent + 0.5);
  const double x = (exponent - whole) * 0.69314718055994530942;  // |x| <= 0.35: 14 terms are enough
  double sum = 1;
  for (int n = 14; n >= 1; --n) sum = 1 + sum * x / n;
  return std::ldexp(sum, static_cast<int>(std::clamp(whole, -1000.0, 1000.0)));
}

double power_of_ten(int exponent) {
  exponent = std::clamp(exponent, -300, 300);
  double power = 1;
  double factor = 10;
  for (int rest = exponent < 0 ? -exponent : exponent; rest != 0; rest /= 2) {
    if (rest % 2 != 0) power *= factor;
    if (rest > 1) factor *= factor;
  }
  return exponent < 0 ? 1 / power : power;
}

int decade_of(double value) {
  int exponent = 0;
  while (exponent < 300 && value >= power_of_ten(exponent + 1)) ++exponent;
  while (exponent > -300 && value < power_of_ten(exponent)) --exponent;
  return exponent;
}

std::string fixed(double value, int decimals) {
  if (!std::isfinite(value) || std::fabs(value) > largest_fixed) return "0";
  decimals = std::clamp(decimals, 0, 6);
  const double scale = power_of_ten(decimals);
  const auto scaled = static_cast<std::uint64_t>(std::fabs(value) * scale + 0.5);
  const auto unit = static_cast<std::uint64_t>(scale);
  std::string text = digits_of(scaled / unit);
  std::string fraction = digits_of(scaled % unit + unit).substr(1);
  while (!fraction.empty() && fraction.back() == '0') fraction.pop_back();
  if (!fraction.empty()) text += "." + fraction;
  return value < 0 && text != "0" ? "-" + text : text;
}

std::string significant(double value, int digits) {
  if (!std::isfinite(value) || value == 0) return "0";
  const double size = std::fabs(value);
  digits = std::clamp(digits, 1, 9);
  int decade = decade_of(size);
  const auto rounded = [&] {
    const int shift = digits - 1 - decade;
    return std::floor((shift >= 0 ? size * power_of_ten(shift) : size / power_of_ten(-shift)) +
                      0.5);
  };
  // Rounding may carry into the next decade: 9.96 with two digits is "10", not "10.0".
  if (rounded() >= power_of_ten(digits)) ++decade;
  const int decimals = digits - 1 - decade;
  std::string text = decimals >= 0
                         ? fixed(rounded() / power_of_ten(decimals), std::min(decimals, 6))
                         : fixed(rounded() * power_of_ten(-decimals), 0);
  text = group_thousands(text);
  return value < 0 && text != "0" ? "-" + text : text;
}

}  // namespace figures
