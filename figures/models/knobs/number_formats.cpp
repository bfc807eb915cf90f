#include "figures/models/knobs/number_formats.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

#include "figures/models/knobs/few_bits.hpp"

namespace figures::models {
namespace {

constexpr const NumberFormat& bf16_format = number_formats[1];
constexpr const NumberFormat& e4m3_format = number_formats[4];

// 2^exponent for an exponent of a normal double.
double power_of_two(int exponent) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
}

// The largest power of two that is not above a positive normal double.
double power_below(double x) {
  return std::bit_cast<double>(std::bit_cast<std::uint64_t>(x) & 0x7FF0000000000000u);
}

// The codes of a format, with precomputed constants for rounding.
class Grid {
 public:
  explicit Grid(const NumberFormat& format)
      : limit_(format.largest()),
        least_(format.least_normal()),
        part_(format.exponent == 0 ? 1 : 1 / power_of_two(format.mantissa)),
        whole_(format.exponent == 0) {}

  double limit() const { return limit_; }
  double spacing(double size) const {
    return whole_ ? 1 : std::max(power_below(size), least_) * part_;
  }
  double rounded(double x, Random* random) const {
    const double size = magnitude(x), step = spacing(size);
    if (size > 2 * limit_) return x < 0 ? -limit_ : limit_;
    const double steps = size / step, low = std::floor(steps), rest = steps - low;
    const bool odd = static_cast<std::int64_t>(low) % 2 == 1;
    const bool up = random ? random->share() < rest : rest > 0.5 || (rest == 0.5 && odd);
    const double result = std::min((low + (up ? 1 : 0)) * step, limit_);
    return x < 0 ? -result : result;
  }

 private:
  double limit_, least_, part_;
  bool whole_;
};

double most_of(std::span<const double> numbers) {
  double most = 0;
  for (const double x : numbers) most = std::max(most, magnitude(x));
  return most;
}

}  // namespace

double NumberFormat::least_normal() const {
  return exponent == 0 ? 1 : power_of_two(2 - (1 << (exponent - 1)));
}

double NumberFormat::largest() const {
  if (exponent == 0) return power_of_two(mantissa) - 1;
  // The highest exponent is the bias, or one more if it is not reserved for infinities.
  const int bias = (1 << (exponent - 1)) - 1;
  const double top = power_of_two(codes == Codes::ieee ? bias : bias + 1);
  const double last = top / power_of_two(mantissa);
  return 2 * top - last * (codes == Codes::one_nan ? 2 : 1);
}

double NumberFormat::spacing(double size) const { return Grid(*this).spacing(size); }

double NumberFormat::rounded(double x, Random* random) const {
  return Grid(*this).rounded(x, random);
}

double NumberFormat::distinct() const {
  // Two codes are zeros. Infinities and NaN use all codes of the highest exponent or one code per
  // sign; integers leave out their lowest code, which counts as one of the two zeros here.
  const int none = codes == Codes::ieee ? 2 << mantissa : codes == Codes::one_nan ? 2 : 0;
  return (1 << bits()) - 1 - none;
}

int NumberFormat::group(int asked, int count) const {
  switch (scaling) {
    case Scaling::none: return count;
    case Scaling::groups: return std::min(asked, count);
    case Scaling::powers: return 32;
    case Scaling::tensor_and_blocks: return 16;
  }
  return count;
}

int NumberFormat::scale_bits(int group, int count) const {
  if (scaling == Scaling::none) return 0;
  if (scaling == Scaling::groups) return group == count ? 32 : 16;
  return 8;
}

double tensor_scale(const NumberFormat& format, std::span<const double> numbers) {
  if (format.scaling != Scaling::tensor_and_blocks) return 1;
  return static_cast<float>(most_of(numbers) / (format.largest() * e4m3_format.largest()));
}

double scale_of(const NumberFormat& format, std::span<const double> group, double tensor,
                bool alone) {
  if (format.scaling == Scaling::none) return 1;
  const double most = most_of(group);
  if (!(most > 0)) return 0;
  const double wanted = most / format.largest();
  if (format.scaling == Scaling::powers)
    return std::max(power_below(most) / power_below(format.largest()), power_of_two(-127));
  if (format.scaling == Scaling::tensor_and_blocks)
    return e4m3_format.rounded(wanted / tensor, nullptr) * tensor;
  return alone ? static_cast<double>(static_cast<float>(wanted))
               : bf16_format.rounded(wanted, nullptr);
}

Rounded rounded(const NumberFormat& format, std::span<const double> numbers, int group,
                Random* random) {
  Rounded out;
  const int count = static_cast<int>(numbers.size());
  const Grid grid(format);
  const double limit = grid.limit();
  const double tensor = tensor_scale(format, numbers);
  double squares = 0, bounds = 0, all = 0;
  for (int begin = 0; begin < count; begin += group) {
    const auto shared =
        numbers.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(group));
    const double scale = scale_of(format, shared, tensor, group == count);
    out.bits += group * format.bits() + format.scale_bits(group, count);
    for (const double x : shared) {
      const double asked = scale > 0 ? x / scale : 0, code = grid.rounded(asked, random);
      const double step = grid.spacing(magnitude(asked));
      const double off = magnitude(code * scale - x);
      // Half a step for rounding to nearest, a full step for stochastic rounding. Larger values are
      // clipped.
      double allowed = scale * step * (random ? 1 : 0.5);
      if (magnitude(asked) > limit) allowed = std::max(allowed, magnitude(x) - limit * scale);
      if (!(scale > 0)) allowed = magnitude(x);
      out.beyond = out.beyond || off > allowed * (1 + 1e-9);
      out.to_zero += code == 0 && x != 0 ? 1 : 0;
      out.clipped += magnitude(asked) > limit + step / 2 ? 1 : 0;
      squares += off * off;
      bounds += allowed * allowed;
      all += x * x;
    }
  }
  if (format.scaling == Scaling::tensor_and_blocks) out.bits += 32;
  out.to_zero /= count;
  out.clipped /= count;
  if (all > 0) out.error = std::sqrt(squares / all), out.bound = std::sqrt(bounds / all);
  return out;
}

}  // namespace figures::models
