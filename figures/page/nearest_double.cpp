// Decimal to double, correctly rounded, without the C library. musl's strtod needs 128-bit floats,
// which WebAssembly only has in software.
#include <cmath>
#include <cstdint>
#include <vector>

#include "figures/page/small_json.hpp"

namespace figures {
namespace {

// A natural number, least significant part first, with just enough arithmetic to compare two
// products.
class Natural {
 public:
  explicit Natural(std::uint64_t value) {
    limbs_ = {static_cast<std::uint32_t>(value), static_cast<std::uint32_t>(value >> 32)};
  }

  void multiply(std::uint32_t factor) {
    std::uint64_t carry = 0;
    for (std::uint32_t& limb : limbs_) {
      carry += std::uint64_t{limb} * factor;
      limb = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    if (carry != 0) limbs_.push_back(static_cast<std::uint32_t>(carry));
  }

  void scale(int tens, int twos) {
    for (; tens > 0; --tens) multiply(10);
    for (; twos >= 31; twos -= 31) multiply(1u << 31);
    if (twos > 0) multiply(1u << twos);
  }

  // Negative, zero or positive: a is smaller, equal or larger.
  static int compare(const Natural& a, const Natural& b) {
    const std::size_t most = a.limbs_.size() > b.limbs_.size() ? a.limbs_.size() : b.limbs_.size();
    for (std::size_t i = most; i-- > 0;) {
      const std::uint32_t x = a.limb(i), y = b.limb(i);
      if (x != y) return x < y ? -1 : 1;
    }
    return 0;
  }

 private:
  std::uint32_t limb(std::size_t i) const { return i < limbs_.size() ? limbs_[i] : 0; }
  std::vector<std::uint32_t> limbs_;
};

// Compares digits * 10^tens with half * 2^twos.
int compare(std::uint64_t digits, int tens, std::uint64_t half, int twos) {
  Natural left(digits), right(half);
  left.scale(tens, -twos);
  right.scale(-tens, twos);
  return Natural::compare(left, right);
}

// A first guess within a few units in the last place; never infinite.
double guess(std::uint64_t digits, int exponent) {
  double value = static_cast<double>(digits);
  for (; exponent > 0; --exponent) value *= 10;
  for (; exponent < -22; exponent += 22) value /= 1e22;
  for (; exponent < 0; ++exponent) value /= 10;
  return value;
}

}  // namespace

double nearest_double(std::uint64_t digits, int exponent) {
  constexpr std::uint64_t exact = std::uint64_t{1} << 53;
  if (digits == 0 || exponent < -345) return 0;
  if (exponent > 309) return HUGE_VAL;
  constexpr double tens[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                             1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
  if (digits <= exact && exponent >= 0 && exponent <= 22)
    return static_cast<double>(digits) * tens[exponent];
  if (digits <= exact && exponent < 0 && exponent >= -22)
    return static_cast<double>(digits) / tens[-exponent];
  double value = guess(digits, exponent);
  // Walk to the neighbor until the decimal is within half a unit: between the midpoints below and
  // above.
  for (int step = 0; step < 64 && std::isfinite(value); ++step) {
    int twos = 0;
    const double fraction = std::frexp(value, &twos);
    // Subnormals have fewer bits: their unit is 2^-1074 regardless of their size. The same is true
    // of zero, which a guess may be.
    const int unit = value == 0 || twos - 53 < -1074 ? -1074 : twos - 53;
    const auto whole = static_cast<std::uint64_t>(std::ldexp(fraction, twos - unit));
    const int above = compare(digits, exponent, 2 * whole + 1, unit - 1);
    if (above > 0 || (above == 0 && whole % 2 != 0)) {
      value = std::ldexp(static_cast<double>(whole + 1), unit);
      continue;
    }
    if (whole == 0) return 0;
    // Just above a power of two, the step down is half as large.
    const bool power = whole == exact / 2 && unit > -1074;
    const std::uint64_t below = power ? 4 * whole - 1 : 2 * whole - 1;
    const int under = compare(digits, exponent, below, power ? unit - 2 : unit - 1);
    if (under < 0 || (under == 0 && whole % 2 != 0)) {
      value = power ? std::ldexp(static_cast<double>(2 * whole - 1), unit - 1)
                    : std::ldexp(static_cast<double>(whole - 1), unit);
      continue;
    }
    return value;
  }
  return value;
}

}  // namespace figures
