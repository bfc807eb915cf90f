// Compares logarithms, powers and short texts with <cmath> and with their contracts.
#include "figures/base/portable_math.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using figures::decade_of;
using figures::fixed;
using figures::power_of_ten;
using figures::significant;

TEST_CASE("portable math: logarithms are exact at powers of two, near elsewhere", "[math]") {
  for (int e = -30; e <= 30; ++e) CHECK(figures::log2_of(std::ldexp(1, e)) == e);
  for (const double value : {0.1, 0.7, 0.70710678118654746, 0.71, 1.4, 1.42, 3.0, 1e300, 5e-324}) {
    INFO(value);
    CHECK(figures::log2_of(value) == Approx(std::log2(value)).epsilon(1e-15).margin(1e-16));
    CHECK(figures::log10_of(value) == Approx(std::log10(value)).epsilon(1e-15).margin(1e-16));
  }
  const double infinite = std::numeric_limits<double>::infinity();
  for (const double none : {0.0, -1.0, infinite, -infinite, std::nan("")})
    CHECK(figures::log2_of(none) == 0);
}

TEST_CASE("portable math: powers of two and of ten", "[math]") {
  for (const double e : {-20.25, -0.5, 0.0, 0.3, 0.5, 1.0, 10.75, 52.0})
    CHECK(figures::exp2_of(e) == Approx(std::exp2(e)).epsilon(1e-15));
  CHECK(figures::exp2_of(10) == 1024);
  double exact = 1;
  for (int e = 0; e <= 22; ++e, exact *= 10) CHECK(power_of_ten(e) == exact);
  CHECK(power_of_ten(-1) == 0.1);
  CHECK(power_of_ten(-3) == 0.001);
  CHECK(power_of_ten(301) == power_of_ten(300));
  CHECK(power_of_ten(-301) == power_of_ten(-300));
  CHECK(power_of_ten(300) == Approx(1e300));
  CHECK(power_of_ten(299) == Approx(1e299));
}

TEST_CASE("portable math: a decade begins at its power of ten", "[math]") {
  CHECK(decade_of(1) == 0);
  CHECK(decade_of(9.99) == 0);
  CHECK(decade_of(10) == 1);
  CHECK(decade_of(99.9) == 1);
  CHECK(decade_of(0.1) == -1);
  CHECK(decade_of(0.099) == -2);
  CHECK(decade_of(1e12) == 12);
  CHECK(decade_of(1e305) == 300);
  CHECK(decade_of(1e-305) == -300);
}

TEST_CASE("portable math: fixed point drops zeros, and never says minus zero", "[math]") {
  CHECK(fixed(3.14, 4) == "3.14");
  CHECK(fixed(-0.001, 2) == "0");
  CHECK(fixed(-0.5, 0) == "-1");
  CHECK(fixed(-1.25, 2) == "-1.25");
  CHECK(fixed(0.005, 2) == "0.01");
  CHECK(fixed(100, 2) == "100");
  CHECK(fixed(1.05, 2) == "1.05");
  CHECK(fixed(1e12, 0) == "1000000000000");
  CHECK(fixed(1.1e12, 0) == "0");
  CHECK(fixed(-1.1e12, 0) == "0");
  CHECK(fixed(std::nan(""), 2) == "0");
  CHECK(fixed(std::numeric_limits<double>::infinity(), 2) == "0");
  CHECK(fixed(0.1234567, 9) == "0.123457");
  CHECK(fixed(1.5, -1) == "2");
  CHECK(figures::digits_of(0) == "0");
  CHECK(figures::digits_of(18446744073709551615ull) == "18446744073709551615");
}

TEST_CASE("portable math: significant digits for people", "[math]") {
  CHECK(significant(0.083, 2) == "0.083");
  CHECK(significant(3.6, 3) == "3.6");
  CHECK(significant(45.04, 2) == "45");
  CHECK(significant(27000, 3) == "27,000");
  CHECK(significant(9999, 4) == "9999");
  CHECK(significant(9.96, 2) == "10");
  CHECK(significant(9.94, 2) == "9.9");
  CHECK(significant(99.6, 2) == "100");
  CHECK(significant(12345, 2) == "12,000");
  CHECK(significant(-12345, 3) == "-12,300");
  CHECK(significant(0.000123456, 9) == "0.000123");
  CHECK(significant(-0.0000001, 2) == "0");
  CHECK(significant(0, 3) == "0");
  CHECK(significant(std::nan(""), 3) == "0");
  CHECK(significant(5.4, 0) == "5");
  CHECK(significant(123456789.5, 12) == "123,456,790");
  CHECK(significant(10, 2) == "10");
  CHECK(significant(10.4, 2) == "10");
  CHECK(significant(10.4, 3) == "10.4");
}
