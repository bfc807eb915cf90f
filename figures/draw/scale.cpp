#include "figures/draw/scale.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

struct Prefix {
  double factor;
  std::string_view text;
};

constexpr Prefix decimal_prefixes[] = {{1e18, "E"}, {1e15, "P"}, {1e12, "T"}, {1e9, "G"},
                                       {1e6, "M"},  {1e3, "k"},  {1, ""}};
constexpr Prefix small_prefixes[] = {{1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
constexpr Prefix binary_prefixes[] = {
    {1024.0 * 1024 * 1024, "Gi"}, {1024.0 * 1024, "Mi"}, {1024, "Ki"}, {1, ""}};

// The largest prefix that leaves at least one whole unit; the smallest prefix for smaller values.
template <std::size_t Count>
Prefix fitting(const Prefix (&prefixes)[Count], double value) {
  for (const Prefix& prefix : prefixes)
    if (std::fabs(value) >= prefix.factor * 0.9995) return prefix;
  return prefixes[Count - 1];
}

Prefix prefix_for(double value, Meaning meaning) {
  if (meaning == Meaning::bytes) return fitting(binary_prefixes, value);
  if (meaning == Meaning::seconds) return fitting(small_prefixes, value);
  if (meaning == Meaning::flop_rate || meaning == Meaning::op_rate || meaning == Meaning::byte_rate)
    return fitting(decimal_prefixes, value);
  return {1, ""};
}

std::string_view symbol_of(Meaning meaning) {
  switch (meaning) {
    case Meaning::flop_rate: return "FLOP/s";
    case Meaning::op_rate: return "op/s";
    case Meaning::byte_rate: return "B/s";
    case Meaning::intensity: return "FLOP/B";
    case Meaning::op_intensity: return "op/B";
    case Meaning::bytes: return "B";
    case Meaning::seconds: return "s";
    case Meaning::percent: return "%";
    case Meaning::plain: break;
  }
  return "";
}

// The smallest e with base^e >= low, exact even if `low` was computed with rounding errors.
int first_exponent(double low, int base) {
  int e = decade_of(low) - 1;
  if (base == 2) e *= 4;
  const auto power = [&](int n) { return base == 2 ? std::ldexp(1.0, n) : power_of_ten(n); };
  while (power(e) < low * (1 - 1e-9)) ++e;
  return e;
}

// 2^exponent. Powers below one are fractions in full-size digits, because superscripts would be too
// small to read.
std::string power_of_two_text(int exponent) {
  if (exponent >= 0) return fixed(std::ldexp(1.0, exponent), 0);
  return "1/" + fixed(std::ldexp(1.0, -exponent), 0);
}

}  // namespace

double LogScale::operator()(double value) const {
  return from + (to - from) * (log2_of(value / low) / log2_of(high / low));
}

double LinearScale::operator()(double value) const {
  return from + (to - from) * ((value - low) / (high - low));
}

std::string quantity_text(double value, Meaning meaning, int digits) {
  if (meaning == Meaning::percent) return significant(value * 100, digits) + " %";
  const Prefix prefix = prefix_for(value, meaning);
  std::string text = significant(value / prefix.factor, digits);
  const std::string_view symbol = symbol_of(meaning);
  if (!symbol.empty()) text.append(" ").append(prefix.text).append(symbol);
  return text;
}

std::vector<Tick> log_ticks(double low, double high, int base, int most) {
  std::vector<Tick> ticks;
  const int first = first_exponent(low, base);
  for (int e = first; ticks.size() < 400; ++e) {
    const double value = base == 2 ? std::ldexp(1.0, e) : power_of_ten(e);
    if (value > high * (1 + 1e-9)) break;
    ticks.push_back({value, base == 2 ? power_of_two_text(e) : significant(value, 1)});
  }
  const int count = static_cast<int>(ticks.size());
  const int step = std::max(1, (count + most - 1) / std::max(1, most));
  for (int i = 0; i < count; ++i) {
    // One (exponent zero) keeps its label, because readers look for it first.
    if ((first + i) % step != 0) ticks[static_cast<std::size_t>(i)].label.clear();
  }
  return ticks;
}

std::vector<Tick> fine_log_ticks(double low, double high, int most) {
  std::vector<Tick> decades = log_ticks(low, high, 10, most), ticks;
  for (Tick& tick : decades)
    if (!tick.label.empty()) tick.label = significant(tick.value, 3);
  const double span = log10_of(high / low);
  const auto named = std::count_if(decades.begin(), decades.end(),
                                   [](const Tick& tick) { return !tick.label.empty(); });
  // A single number does not make a scale.
  if (span > 3 || (3 * span + 1 > most && named > 1)) return decades;
  for (int e = decade_of(low); power_of_ten(e) <= high; ++e)
    for (const double step : {1.0, 2.0, 5.0}) {
      const double value = step * power_of_ten(e);
      if (value >= low * (1 - 1e-9) && value <= high * (1 + 1e-9))
        ticks.push_back({value, significant(value, 3)});
    }
  return ticks;
}

std::vector<Tick> byte_ticks(double low, double high, int most) {
  std::vector<Tick> ticks = log_ticks(low, high, 2, most);
  for (Tick& tick : ticks)
    if (!tick.label.empty()) tick.label = quantity_text(tick.value, Meaning::bytes);
  return ticks;
}

RateTicks rate_ticks(double low, double high, Meaning meaning, int most) {
  const std::string symbol(symbol_of(meaning));
  RateTicks out{log_ticks(low, high, 10, most), symbol};
  double first = 0, last = 0;
  for (const Tick& tick : out.ticks) {
    if (tick.label.empty()) continue;
    if (first == 0) first = tick.value;
    last = tick.value;
  }
  if (first == 0) return out;
  Prefix shared = prefix_for(last, meaning);
  if (last < shared.factor * 5) shared = prefix_for(last / 10, meaning);  // 0.1 … 1000 G, not … 1 T
  const bool one_prefix =
      first >= shared.factor / 100 * (1 - 1e-9) && last <= first * 1e4 * (1 + 1e-9);
  if (one_prefix) out.unit = std::string(shared.text) + symbol;
  for (Tick& tick : out.ticks) {
    if (tick.label.empty()) continue;
    const Prefix prefix = one_prefix ? shared : prefix_for(tick.value, meaning);
    tick.label = significant(tick.value / prefix.factor, 4);
    if (!one_prefix) tick.label.append(" ").append(prefix.text);
  }
  return out;
}

std::vector<Tick> linear_ticks(double low, double high, int most) {
  std::vector<Tick> ticks;
  if (!(high > low) || most < 1) return ticks;
  const double rough = (high - low) / most;
  const double decade = power_of_ten(decade_of(rough));
  double step = decade * 10;
  for (const double multiple : {1.0, 2.0, 5.0}) {
    if (decade * multiple >= rough * (1 - 1e-9)) {
      step = decade * multiple;
      break;
    }
  }
  const double first = std::ceil(low / step - 1e-9);
  for (double i = first; i * step <= high + step * 1e-9 && ticks.size() < 100; ++i)
    ticks.push_back({i * step, significant(i * step, 6)});
  return ticks;
}

}  // namespace figures
