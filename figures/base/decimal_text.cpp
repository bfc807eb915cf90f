#include "figures/base/decimal_text.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "figures/base/ascii.hpp"
#include "figures/base/portable_math.hpp"
#include "figures/base/result.hpp"

namespace figures {
namespace {

constexpr double largest_plain = 1e15;  // above this, a double has no exact decimals

std::string write_large(double value, bool negative) {
  const int exponent = decade_of(value);
  const double mantissa = value / power_of_ten(exponent);
  return (negative ? "-" : "") + write_fixed(mantissa, 3) + "e" +
         digits_of(static_cast<std::uint64_t>(exponent));
}

// The length of "1,234,567" at the start of the text if every group after a separator has exactly
// three digits; otherwise the length of the digits before the first separator.
std::size_t grouped_length(std::string_view text, std::string_view separator) {
  std::size_t end = 0;
  while (end < text.size() && is_digit(text[end])) ++end;
  if (end == 0 || end > 3) return end;
  const std::size_t group = separator.size() + 3;
  const auto is_group = [&](std::string_view rest) {
    return rest.size() >= group && rest.substr(0, separator.size()) == separator &&
           is_digit(rest[group - 3]) && is_digit(rest[group - 2]) && is_digit(rest[group - 1]) &&
           !(rest.size() > group && is_digit(rest[group]));
  };
  while (is_group(text.substr(end))) end += group;
  return end;
}

// Collects digits. The first 19 fit into the mantissa; further digits only move the point.
struct Mantissa {
  std::uint64_t value = 0;
  int kept = 0, exponent = 0, significant = 0;

  void push(char c, bool after_point) {
    if (c != '0' || significant > 0) ++significant;
    if (kept < 19) {
      value = value * 10 + static_cast<std::uint64_t>(c - '0');
      if (value != 0) ++kept;
      if (after_point) --exponent;
    } else if (!after_point) {
      ++exponent;
    }
  }
};

// Reads the exponent of "e9" or "E-12" and returns its length in bytes; 0 if the letter belongs to
// a unit.
std::size_t read_exponent(std::string_view text, int& exponent) {
  if (text.size() < 2 || (text[0] != 'e' && text[0] != 'E')) return 0;
  std::size_t at = 1;
  const bool negative = text[at] == '-';
  if (text[at] == '-' || text[at] == '+') ++at;
  const std::size_t first = at;
  int number = 0;
  for (; at < text.size() && is_digit(text[at]); ++at)
    number = std::min(number * 10 + text[at] - '0', 9999);
  if (at == first) return 0;
  exponent = negative ? -number : number;
  return at;
}

double scale_by_ten(double value, int exponent) {
  if (value == 0) return 0;
  exponent = std::clamp(exponent, -400, 400);
  // Dividing by an exact power (up to 10^22) rounds once; multiplying by 10^-n would round twice.
  while (exponent < 0 && value != 0) {
    const int step = std::min(-exponent, 22);
    value /= power_of_ten(step);
    exponent += step;
  }
  while (exponent > 0 && std::isfinite(value)) {
    const int step = std::min(exponent, 22);
    value *= power_of_ten(step);
    exponent -= step;
  }
  return value;
}

}  // namespace

std::string write_fixed(double value, int decimals) {
  if (!std::isfinite(value)) return "?";
  const bool negative = value < 0;
  value = std::fabs(value);
  if (value >= largest_plain) return write_large(value, negative);
  decimals = std::clamp(decimals, 0, 12);
  double scaled = value * power_of_ten(decimals);
  while (scaled >= 1e18) scaled = value * power_of_ten(--decimals);  // beyond a double's digits
  const std::uint64_t units = static_cast<std::uint64_t>(scaled);
  // Adding a half to the double itself would carry 0.49999999999999994 up to 1.
  const std::uint64_t rounded = units + (scaled - static_cast<double>(units) >= 0.5 ? 1 : 0);
  std::string digits = digits_of(rounded);
  const std::size_t places = static_cast<std::size_t>(decimals);
  if (digits.size() <= places) digits.insert(0, places + 1 - digits.size(), '0');
  if (places > 0) digits.insert(digits.size() - places, 1, '.');
  return negative && rounded != 0 ? "-" + digits : digits;
}

std::string write_significant(double value, int digits) {
  if (value == 0) return "0";
  if (!std::isfinite(value) || std::fabs(value) >= largest_plain) return write_fixed(value, 0);
  digits = std::clamp(digits, 1, 15);
  const double size = std::fabs(value);
  int decimals = std::clamp(digits - 1 - decade_of(size), 0, 12);
  // 9.96 with two digits carries into the next decade: "10", not "10.0".
  const double scaled = size * power_of_ten(decimals);
  if (decimals > 0 && std::floor(scaled + 0.5) >= power_of_ten(digits)) --decimals;
  return write_fixed(value, decimals);
}

std::string group_thousands(std::string_view number, std::string_view separator,
                            std::size_t least) {
  const std::size_t sign = !number.empty() && number.front() == '-' ? 1 : 0;
  std::size_t end = sign;
  while (end < number.size() && is_digit(number[end])) ++end;
  std::string text(number);
  if (end - sign < least) return text;
  for (std::size_t at = end; at > sign + 3;) text.insert(at -= 3, separator);
  return text;
}

Decimal read_decimal(std::string_view text, std::string_view space) {
  Decimal out;
  std::size_t whole = grouped_length(text, ",");
  if constexpr (tells_authors) {
    if (text.substr(0, whole).find(',') != text.npos) out.grouping = ",";
    const std::size_t spaced = grouped_length(text, space);
    if (spaced > whole) {
      whole = spaced;
      out.grouping = narrow_space;
    }
  }
  Mantissa mantissa;
  for (const char c : text.substr(0, whole))
    if (is_digit(c)) mantissa.push(c, false);
  std::size_t at = whole;
  if (at + 1 < text.size() && text[at] == '.' && is_digit(text[at + 1])) {
    for (++at; at < text.size() && is_digit(text[at]); ++at) {
      mantissa.push(text[at], true);
      ++out.decimals;
    }
  }
  if (at == 0) return out;
  int exponent = 0;
  const std::size_t power = read_exponent(text.substr(at), exponent);
  out.scientific = power > 0;
  out.length = at + power;
  out.significant = std::max(mantissa.significant, 1);
  out.value = scale_by_ten(static_cast<double>(mantissa.value), mantissa.exponent + exponent);
  return out;
}

}  // namespace figures
