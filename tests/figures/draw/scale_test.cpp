// Ticks are where people expect them, and their labels are right.
#include "figures/draw/scale.hpp"

#include "catch.hpp"

using namespace figures;

namespace {

// "1 . 100": the labels, a point for a line without one.
std::string labels(const std::vector<Tick>& ticks) {
  std::string out;
  for (const Tick& tick : ticks)
    out += (out.empty() ? "" : " ") + (tick.label.empty() ? "." : tick.label);
  return out;
}

}  // namespace

TEST_CASE("scale: both ends meet the page, a decade is a decade", "[scale]") {
  const LogScale log{1, 100, 10, 30};
  CHECK(log(1) == 10);
  CHECK(log(10) == Approx(20));
  CHECK(log(100) == 30);
  CHECK(log(0.1) == Approx(0));
  const LinearScale linear{2, 6, 100, 0};
  CHECK(linear(2) == 100);
  CHECK(linear(3) == 75);
  CHECK(linear(6) == 0);
}

TEST_CASE("scale: a quantity has the largest prefix that leaves a whole unit", "[scale]") {
  CHECK(quantity_text(45.3e9, Meaning::flop_rate) == "45.3 GFLOP/s");
  CHECK(quantity_text(999.4e9, Meaning::flop_rate) == "999 GFLOP/s");
  CHECK(quantity_text(999.5e9, Meaning::flop_rate) == "1 TFLOP/s");
  CHECK(quantity_text(1e18, Meaning::op_rate) == "1 Eop/s");
  CHECK(quantity_text(3e15, Meaning::op_rate) == "3 Pop/s");
  CHECK(quantity_text(2.5e6, Meaning::byte_rate) == "2.5 MB/s");
  CHECK(quantity_text(1000, Meaning::byte_rate) == "1 kB/s");
  CHECK(quantity_text(0.5, Meaning::byte_rate) == "0.5 B/s");
  CHECK(quantity_text(-2e9, Meaning::byte_rate) == "-2 GB/s");
  CHECK(quantity_text(2.0 * 1024 * 1024, Meaning::bytes) == "2 MiB");
  CHECK(quantity_text(1024.0 * 1024 * 1024, Meaning::bytes) == "1 GiB");
  CHECK(quantity_text(1023, Meaning::bytes, 4) == "1023 B");
  CHECK(quantity_text(62e-9, Meaning::seconds) == "62 ns");
  CHECK(quantity_text(3e-6, Meaning::seconds) == "3 µs");
  CHECK(quantity_text(2e-12, Meaning::seconds) == "2 ps");
  CHECK(quantity_text(3e-15, Meaning::seconds) == "0.003 ps");
  CHECK(quantity_text(1.5, Meaning::seconds) == "1.5 s");
  CHECK(quantity_text(3.6, Meaning::intensity) == "3.6 FLOP/B");
  CHECK(quantity_text(2000, Meaning::op_intensity) == "2000 op/B");
  CHECK(quantity_text(0.98, Meaning::percent) == "98 %");
  CHECK(quantity_text(1234, Meaning::plain, 2) == "1200");
}

TEST_CASE("scale: powers within the ends, the ends among them", "[scale]") {
  CHECK(labels(log_ticks(1, 1000, 10, 9)) == "1 10 100 1000");
  CHECK(labels(log_ticks(1.1, 999, 10, 9)) == "10 100");
  CHECK(labels(log_ticks(0.01, 1, 10, 9)) == "0.01 0.1 1");
  CHECK(labels(log_ticks(0.125, 4, 2, 9)) == "1/8 1/4 1/2 1 2 4");
  CHECK(labels(log_ticks(3, 60, 2, 9)) == "4 8 16 32");
  // An end that was computed slightly too small or too large still counts as the end.
  CHECK(labels(log_ticks(1 + 1e-12, 100 - 1e-10, 10, 9)) == "1 10 100");
  CHECK(log_ticks(1, 1000, 10, 9)[2].value == 100);
  CHECK(log_ticks(1e-300, 1e300, 10, 9).size() == 400);
}

TEST_CASE("scale: fewer labels in equal steps, one always among them", "[scale]") {
  CHECK(labels(log_ticks(0.1, 1000, 10, 5)) == "0.1 1 10 100 1000");
  CHECK(labels(log_ticks(0.1, 1000, 10, 4)) == ". 1 . 100 .");
  CHECK(labels(log_ticks(0.1, 1000, 10, 2)) == ". 1 . . 1000");
  CHECK(labels(log_ticks(0.1, 1000, 10, 0)) == ". 1 . . .");
}

TEST_CASE("scale: two and five where there are few powers of ten", "[scale]") {
  CHECK(labels(fine_log_ticks(1, 100, 9)) == "1 2 5 10 20 50 100");
  CHECK(labels(fine_log_ticks(1, 100, 7)) == "1 2 5 10 20 50 100");
  CHECK(labels(fine_log_ticks(1, 100, 6)) == "1 10 100");
  CHECK(labels(fine_log_ticks(0.1, 1, 9)) == "0.1 0.2 0.5 1");
  CHECK(labels(fine_log_ticks(3, 30, 9)) == "5 10 20");
  // One number is not enough for a scale.
  CHECK(labels(fine_log_ticks(2, 50, 2)) == "2 5 10 20 50");
  CHECK(labels(fine_log_ticks(1, 1000, 20)) == "1 2 5 10 20 50 100 200 500 1000");
  CHECK(labels(fine_log_ticks(1, 1001, 20)) == "1 10 100 1000");
  CHECK(labels(fine_log_ticks(1e4, 1.1e8, 3)) == "10,000 . 1,000,000 . 100,000,000");
}

TEST_CASE("scale: capacities are powers of two with their prefixes", "[scale]") {
  CHECK(labels(byte_ticks(512, 2048, 9)) == "512 B 1 KiB 2 KiB");
  CHECK(labels(byte_ticks(1 << 15, 1 << 20, 3)) == ". 64 KiB . 256 KiB . 1 MiB");
}

TEST_CASE("scale: rates share a prefix where it serves them all", "[scale]") {
  const RateTicks near = rate_ticks(1e9, 1e12, Meaning::flop_rate, 9);
  CHECK(labels(near.ticks) == "1 10 100 1000");
  CHECK(near.unit == "GFLOP/s");
  const RateTicks far = rate_ticks(1e6, 1e12, Meaning::byte_rate, 9);
  CHECK(labels(far.ticks) == "1 M 10 M 100 M 1 G 10 G 100 G 1 T");
  CHECK(far.unit == "B/s");
  const RateTicks four = rate_ticks(1e8, 1e12, Meaning::byte_rate, 9);
  CHECK(labels(four.ticks) == "0.1 1 10 100 1000");
  CHECK(four.unit == "GB/s");
  const RateTicks five = rate_ticks(1e7, 1e12, Meaning::byte_rate, 9);
  CHECK(five.unit == "B/s");
  const RateTicks two = rate_ticks(1e11, 1e12, Meaning::byte_rate, 9);
  CHECK(labels(two.ticks) == "100 1000");
  CHECK(two.unit == "GB/s");
  const RateTicks none = rate_ticks(2e9, 3e9, Meaning::byte_rate, 9);
  CHECK(none.ticks.empty());
  CHECK(none.unit == "B/s");
  const RateTicks high = rate_ticks(1e13, 1e14, Meaning::byte_rate, 9);
  CHECK(labels(high.ticks) == "10 100");
  CHECK(high.unit == "TB/s");
}

TEST_CASE("scale: multiples of 1, 2 or 5", "[scale]") {
  CHECK(labels(linear_ticks(0, 10, 5)) == "0 2 4 6 8 10");
  CHECK(labels(linear_ticks(0, 10, 10)) == "0 1 2 3 4 5 6 7 8 9 10");
  CHECK(labels(linear_ticks(0, 9, 2)) == "0 5");
  CHECK(labels(linear_ticks(0, 90, 1)) == "0");
  CHECK(labels(linear_ticks(-1, 1, 4)) == "-1 -0.5 0 0.5 1");
  CHECK(labels(linear_ticks(0.3, 1.2, 3)) == "0.5 1");
  CHECK(labels(linear_ticks(0, 100000, 2)) == "0 50,000 100,000");
  CHECK(linear_ticks(1, 1, 5).empty());
  CHECK(linear_ticks(2, 1, 5).empty());
  CHECK(linear_ticks(0, 1, 0).empty());
  CHECK(linear_ticks(0, 1, 1).size() == 2);
}
