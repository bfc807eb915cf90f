// Formats numbers and reads them back, at the edges where a digit, a group or an exponent begins.
#include "figures/base/decimal_text.hpp"

#include <cmath>
#include <limits>

#include "catch.hpp"

using figures::read_decimal;
using figures::write_fixed;
using figures::write_significant;

TEST_CASE("decimal text: the requested number of digits, halves away from zero", "[decimal]") {
  CHECK(write_fixed(0.5, 0) == "1");
  CHECK(write_fixed(0.49999999999999994, 0) == "0");
  CHECK(write_fixed(-0.5, 2) == "-0.50");
  CHECK(write_fixed(-0.001, 2) == "0.00");
  CHECK(write_fixed(0, 0) == "0");
  CHECK(write_fixed(-0.0, 1) == "0.0");
  CHECK(write_fixed(0.25, 2) == "0.25");
  CHECK(write_fixed(1.005, 1) == "1.0");
  CHECK(write_fixed(12, -3) == "12");
  CHECK(write_fixed(0.125, 20) == "0.125000000000");
  CHECK(write_fixed(10, 1) == "10.0");
}

TEST_CASE("decimal text: an exponent at 10^15 and above, a question mark for NaN", "[decimal]") {
  CHECK(write_fixed(999999999999999, 0) == "999999999999999");
  CHECK(write_fixed(1e15, 0) == "1.000e15");
  CHECK(write_fixed(-1e15, 2) == "-1.000e15");
  CHECK(write_fixed(1.5e18, 0) == "1.500e18");
  CHECK(write_fixed(std::numeric_limits<double>::infinity(), 0) == "?");
  CHECK(write_fixed(std::nan(""), 3) == "?");
  CHECK(write_significant(1e15, 3) == "1.000e15");
  CHECK(write_significant(-std::numeric_limits<double>::infinity(), 3) == "?");
  // Skips digits that a double of this size does not have.
  CHECK(read_decimal(write_fixed(123456789012345, 12)).value ==
        Approx(123456789012345).epsilon(1e-15));
}

TEST_CASE("decimal text: significant digits, an integer part always whole", "[decimal]") {
  CHECK(write_significant(0, 3) == "0");
  CHECK(write_significant(1234, 2) == "1234");
  CHECK(write_significant(9.96, 2) == "10");
  CHECK(write_significant(9.94, 2) == "9.9");
  CHECK(write_significant(9.95, 3) == "9.95");
  CHECK(write_significant(0.0996, 2) == "0.10");
  CHECK(write_significant(99.5, 2) == "100");
  CHECK(write_significant(1, 1) == "1");
  CHECK(write_significant(1, 3) == "1.00");
  CHECK(write_significant(-0.25, 2) == "-0.25");
  CHECK(write_significant(2.5, 0) == "3");
}

TEST_CASE("decimal text: groups of three from five integer digits on", "[decimal]") {
  CHECK(figures::group_thousands("1234") == "1234");
  CHECK(figures::group_thousands("12345") == "12,345");
  CHECK(figures::group_thousands("-1234") == "-1234");
  CHECK(figures::group_thousands("-12345.6789") == "-12,345.6789");
  CHECK(figures::group_thousands("123456") == "123,456");
  CHECK(figures::group_thousands("124439808.5") == "124,439,808.5");
  CHECK(figures::group_thousands("") == "");
  CHECK(figures::group_thousands("-") == "-");
}

TEST_CASE("decimal text: a comma counts only before groups of three", "[decimal]") {
  const auto length = [](const char* text) { return read_decimal(text).length; };
  CHECK(read_decimal("1,234").value == 1234);
  CHECK(read_decimal("1,234").grouping == ",");
  CHECK(read_decimal("1,234,567.5").value == 1234567.5);
  CHECK(length("1,234,56") == 5);
  CHECK(length("1,23") == 1);
  CHECK(length("1,2345") == 1);
  CHECK(length("1,a34") == 1);
  CHECK(length("1,2a4") == 1);
  CHECK(length("1,23a") == 1);
  CHECK(length("1234,567") == 4);
  CHECK(length("123,567") == 7);
  CHECK(read_decimal("1234,567").grouping.empty());
  CHECK(read_decimal("12").grouping.empty());
  CHECK(length("1,234x") == 5);
  CHECK(length(",234") == 0);
}

TEST_CASE("decimal text: a narrow space counts as a comma does", "[decimal]") {
  const std::string_view narrow = figures::narrow_space;
  const std::string text = std::string("16") + "\u202F" + "777" + "\u202F" + "216.5";
  CHECK(read_decimal(text).value == 16777216.5);
  CHECK(read_decimal(text).grouping == narrow);
  CHECK(read_decimal(text).significant == 9);
  CHECK(read_decimal("16\u202F77").length == 2);
  CHECK(read_decimal("16\u202FGB").length == 2);
  CHECK(read_decimal("1234\u202F567").length == 4);
  CHECK(figures::group_thousands("16777216.5", narrow) == text);
}

TEST_CASE("decimal text: where a number ends", "[decimal]") {
  const auto length = [](const char* text) { return read_decimal(text).length; };
  CHECK(length("") == 0);
  CHECK(length(".5") == 2);
  CHECK(read_decimal(".5").value == 0.5);
  CHECK(length(".") == 0);
  CHECK(length(".x") == 0);
  CHECK(length("x") == 0);
  CHECK(length("5.") == 1);
  CHECK(length("5.x") == 1);
  CHECK(length("5.25 GB") == 4);
  CHECK(length("5e") == 1);
  CHECK(length("5e+") == 1);
  CHECK(length("5ex") == 1);
  CHECK(length("5E3x") == 3);
  CHECK(length("5e-3") == 4);
  CHECK(length("5 e3") == 1);
  CHECK(read_decimal("5e+3").value == 5000);
  CHECK(read_decimal("5E-1").value == 0.5);
  CHECK(read_decimal("5e3").scientific);
  CHECK_FALSE(read_decimal("5eV").scientific);
}

TEST_CASE("decimal text: nothing behind the end of the text is read", "[decimal]") {
  const auto first = [](std::string_view text, std::size_t bytes) {
    return read_decimal(text.substr(0, bytes));
  };
  CHECK(first("123", 2).value == 12);
  CHECK(first("1.25", 2).length == 1);
  CHECK(first("1.25", 3).value == 1.2);
  CHECK(first("1,234", 4).length == 1);
  CHECK(first("1,2345", 5).value == 1234);
  CHECK(first("1e23", 2).length == 1);
  CHECK(first("1e23", 3).value == 100);
  CHECK(figures::group_thousands(std::string_view("12345").substr(0, 4)) == "1234");
}

TEST_CASE("decimal text: decimals, and significant digits", "[decimal]") {
  const auto significant = [](const char* text) { return read_decimal(text).significant; };
  const auto decimals = [](const char* text) { return read_decimal(text).decimals; };
  CHECK(significant("989") == 3);
  CHECK(significant("0.083") == 2);
  CHECK(significant("36.0") == 3);
  CHECK(significant("0") == 1);
  CHECK(significant("0.00") == 1);
  CHECK(significant("100") == 3);
  CHECK(decimals("0.083") == 3);
  CHECK(decimals("36.0") == 1);
  CHECK(decimals("36") == 0);
}

TEST_CASE("decimal text: values as near as a double comes", "[decimal]") {
  CHECK(read_decimal("0.1").value == 0.1);
  CHECK(read_decimal("3.35").value == 3.35);
  CHECK(read_decimal("1e22").value == 1e22);
  CHECK(read_decimal("12345678901234567890123").value == Approx(12345678901234567890123.0));
  CHECK(read_decimal("98765432109876543210").value == Approx(98765432109876543210.0));
  CHECK(read_decimal("0.00000000000000000000001").value == Approx(1e-23).epsilon(1e-12));
  CHECK(read_decimal("0.1234567890123456789012345").value == Approx(0.12345678901234568));
  CHECK(read_decimal("0e999999").value == 0);
  CHECK(std::isinf(read_decimal("1e99999").value));
  CHECK(read_decimal("1e-99999").value == 0);
  CHECK(read_decimal("25e-24").value == Approx(2.5e-23).epsilon(1e-12));
}
