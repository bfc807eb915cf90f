// Scales from data to page coordinates, with their ticks and the text on the ticks.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace figures {

// Positive data on a logarithmic axis. `from` and `to` are page coordinates (to < from for an axis
// that points up). Data outside [low, high] maps outside [from, to]; callers clip it.
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

// The kind of a number on an axis or in a label; it determines prefixes and digits.
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

// "45.3 GFLOP/s", "3.6 FLOP/B", "2 MiB", "62 ns", "98 %". `value` is in SI base units (percent: a
// fraction); `digits` are significant.
std::string quantity_text(double value, Meaning meaning, int digits = 3);

struct Tick {
  double value;
  std::string label;  // empty: a line without a number
};

// Powers of `base` (2 or 10) within [low, high]. At most `most` labels, at equal distances. Values
// below one read "1/8" in base 2 and "0.1" in base 10.
std::vector<Tick> log_ticks(double low, double high, int base, int most);

// Powers of ten, and also 2 and 5 times those if the range has fewer than three powers. Labels read
// "0.1", "20", "5,000". At most `most` labels, but never only one.
std::vector<Tick> fine_log_ticks(double low, double high, int most);

// Capacities in bytes on a logarithmic axis: powers of two with IEC prefixes, "32 KiB", "1 MiB".
std::vector<Tick> byte_ticks(double low, double high, int most);

// Powers of ten of a rate. If one prefix suits all ticks, `unit` contains it ("GFLOP/s") and the
// ticks are plain numbers. Otherwise each tick has its own prefix ("1 G", "100 G", "1 T"), and
// `unit` has none.
struct RateTicks {
  std::vector<Tick> ticks;
  std::string unit;
};
RateTicks rate_ticks(double low, double high, Meaning meaning, int most);

// Multiples of 1, 2 or 5 times a power of ten within [low, high], at most `most` ticks.
std::vector<Tick> linear_ticks(double low, double high, int most);

}  // namespace figures
