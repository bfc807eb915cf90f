#include "generator/base/real_number.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <string>

namespace primer {
namespace {

const char* after_digits(const char* at, const char* last) {
  return std::find_if_not(at, last, [](char c) { return c >= '0' && c <= '9'; });
}

// Where the number that begins at `at`, behind its sign, ends; `at` where none does.
const char* after_number(const char* at, const char* last) {
  const char* end = after_digits(at, last);
  auto digits = end - at;
  if (end != last && *end == '.') {
    const char* behind = after_digits(end + 1, last);
    digits += behind - (end + 1);
    if (digits > 0) end = behind;
  }
  if (digits == 0) return at;
  if (end == last || (*end != 'e' && *end != 'E')) return end;
  const char* power = end + 1;
  if (power != last && (*power == '+' || *power == '-')) ++power;
  const char* behind = after_digits(power, last);
  return behind == power ? end : behind;
}

// "inf", "infinity", "nan": none of ours writes one, but what reads them has to refuse them as the same thing.
const char* after_word(const char* at, const char* last) {
  for (const std::string_view word : {"infinity", "inf", "nan"}) {
    const auto same = [](char a, char b) { return (a | 0x20) == b; };
    if (last - at >= std::ssize(word) &&
        std::equal(word.begin(), word.end(), at, [&](char b, char a) { return same(a, b); }))
      return at + word.size();
  }
  return at;
}

}  // namespace

std::from_chars_result read_real(const char* first, const char* last, double& value) {
  const char* begin = first != last && *first == '-' ? first + 1 : first;
  const char* end = after_number(begin, last);
  const bool is_word = end == begin;
  if (is_word) end = after_word(begin, last);
  if (end == begin) return {first, std::errc::invalid_argument};
  const double read = std::strtod(std::string(first, end).c_str(), nullptr);
  const char* power = std::find_if(begin, end, [](char c) { return c == 'e' || c == 'E'; });
  const bool is_zero = std::none_of(begin, power, [](char c) { return c >= '1' && c <= '9'; });
  if (!is_word && (std::isinf(read) || (read == 0 && !is_zero)))
    return {end, std::errc::result_out_of_range};
  value = read;
  return {end, std::errc()};
}

}  // namespace primer
