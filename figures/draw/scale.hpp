// Scales from data to the page, their ticks, and the words on the ticks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace figures {

// Positive data on a logarithmic axis. `from` and `to` are page coordinates (to < from for an axis
// that points up). Data outside [low, high] maps outside [from, to]; callers clip.
struct LogScale {
  double low = 1, high = 10;  // 0 < low < high
  double from = 0, to = 1;
  double operator()(double value) const;
};

struct LinearScale {
  double low = 0, high = 1;  // low < high
  double from = 0, to = 1;
  double operator()(double value) const;
};

// What a number on an axis or a label means; decides prefixes and digits.
enum class Meaning {
  flop_rate,
  op_rate,
  byte_rate,
  intensity,
  op_intensity,
  bytes,
  seconds,
  percent,
  plain
};

// "45.3 GFLOP/s", "3.6 FLOP/B", "2 MiB", "62 ns", "98 %": `value` in SI base units (percent: a
// fraction), `digits` significant digits.
std::string quantity_text(double value, Meaning meaning, int digits = 3);

struct Tick {
  double value;
  std::string label;  // empty: a line without a number
};

// Powers of `base` (2 or 10) within [low, high]; labels thinned to at most `most`, so that equal
// steps stay equal. Below one, base 2 reads "1/8"; base 10 reads "0.1".
std::vector<Tick> log_ticks(double low, double high, int base, int most);

// Powers of ten, and where there are fewer than three of them also 2 and 5 times those; numbers as
// people write them ("0.1", "20", "5,000"), at most `most` of them, but never one alone.
std::vector<Tick> fine_log_ticks(double low, double high, int most);

// Capacities in bytes on a logarithmic axis: powers of two with their prefixes, "32 KiB", "1 MiB".
std::vector<Tick> byte_ticks(double low, double high, int most);

// Powers of ten of a rate. Where one prefix serves all, `unit` says it once ("GFLOP/s") and the
// ticks are plain numbers. Else each tick carries its own ("1 G", "100 G", "1 T") and `unit` is the
// bare one.
struct RateTicks {
  std::vector<Tick> ticks;
  std::string unit;
};
RateTicks rate_ticks(double low, double high, Meaning meaning, int most);

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most` of them.
std::vector<Tick> linear_ticks(double low, double high, int most);

}  // namespace figures
