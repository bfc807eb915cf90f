#include "figures/quantities/quantity.hpp"

#include "catch.hpp"
#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"

using namespace figures;

namespace {

Literal literal(const char* text) {
  const Result<Literal> parsed = parse_literal(text);
  INFO(text << ": " << (parsed ? "" : parsed.error().message));
  REQUIRE(parsed);
  return *parsed;
}

Quantity quantity(const char* text) { return literal(text).quantity; }

std::string unit_error(const char* unit) {
  const Result<Unit> parsed = parse_unit(unit);
  REQUIRE_FALSE(parsed);
  return parsed.error().message + " -> " + parsed.error().suggestion;
}

}  // namespace

TEST_CASE("decimals are read and written exactly") {
  CHECK(read_decimal("0.1").value == 0.1);
  CHECK(read_decimal("3.35").value == 3.35);
  CHECK(read_decimal("1e22").value == 1e22);
  CHECK(read_decimal("123456789012345").value == 123456789012345.0);
  CHECK(read_decimal("1e-7").value == 1e-7);
  CHECK(read_decimal("989 TFLOP/s").length == 3);
  CHECK(read_decimal("1,234.5").value == 1234.5);
  CHECK(read_decimal("1,23").value == 1);  // no group of three
  CHECK(read_decimal("1234,567").value == 1234);
  CHECK(read_decimal("12,3456").value == 12);
  CHECK(read_decimal("5 e").length == 1);
  CHECK(read_decimal("2ex").length == 1);  // the letter belongs to something else
  CHECK(read_decimal("x").length == 0);
  CHECK(read_decimal(".5").value == 0.5);
  CHECK(read_decimal("1e999").value > 1e300);
  CHECK(read_decimal("1e-999").value == 0);
  CHECK(read_decimal("0.0830").significant == 3);
  CHECK(read_decimal("36.0").significant == 3);
  CHECK(read_decimal("0").significant == 1);
  CHECK(read_decimal(std::string(5000, '9')).length == 5000);

  CHECK(write_fixed(0.5, 2) == "0.50");
  CHECK(write_fixed(-0.004, 2) == "0.00");
  CHECK(write_fixed(-1.005, 1) == "-1.0");
  CHECK(write_fixed(2.5, 0) == "3");
  CHECK(write_fixed(0.49999999999999994, 0) == "0");
  CHECK(write_fixed(123456789.125, 3) == "123456789.125");
  CHECK(write_fixed(0.0 / 0.0, 1) == "?");
  CHECK(write_fixed(1.5e18, 0) == "1.500e18");
  CHECK(write_significant(9.96, 2) == "10");
  CHECK(write_significant(0.0996, 2) == "0.10");
  CHECK(write_significant(1234, 2) == "1234");
  CHECK(write_significant(36.217, 3) == "36.2");
  CHECK(write_significant(0, 3) == "0");
  CHECK(group_thousands("1234") == "1234");
  CHECK(group_thousands("-12345.678") == "-12,345.678");
  CHECK(group_thousands("124439808") == "124,439,808");
}

TEST_CASE("units have a dimension and a scale") {
  CHECK(quantity("989 TFLOP/s").value == 989e12);
  CHECK(quantity("3.35 TB/s").value == 3.35e12);
  CHECK(quantity("12 FLOP/B").value == 12);
  CHECK(quantity("295 FLOP/byte").dimension == quantity("1 FLOP/B").dimension);
  CHECK(quantity("64 MiB").value == 64.0 * 1048576);
  CHECK(quantity("64MiB").value == 64.0 * 1048576);
  CHECK_THAT(quantity("62 ns").value, WithinRel(62e-9, 1e-14));
  CHECK(quantity("5 µs").value == quantity("5 us").value);
  CHECK_THAT(quantity("8 %").value, WithinRel(0.08, 1e-14));
  CHECK(quantity("36×").value == 36);
  CHECK(quantity("160 Gop/s").dimension == quantity("1 FLOP/s").dimension);
  CHECK(quantity("1349 MAC/B").value == 2698);
  CHECK(quantity("700 W").dimension == quantity("1 J/s").dimension);
  CHECK(quantity("1830 MHz").dimension == quantity("1 cycle/s").dimension);
  CHECK_THAT(quantity("1300 pJ").value, WithinRel(1.3e-9, 1e-14));
  CHECK_THAT(quantity("814 mm²").value, WithinRel(814e-6, 1e-14));
  CHECK(quantity("80 billion").value == 80e9);
  CHECK(quantity("124 million parameters").value == 124e6);
  CHECK(quantity("124,439,808").value == 124439808);
  CHECK(quantity("90 min").value == 5400);
  CHECK_THAT(quantity("$2.50/h").value, WithinRel(2.5 / 3600, 1e-14));
  CHECK(quantity("400 Gbit/s").value == 50e9);
  CHECK_THAT(quantity("−5 ns").value, WithinRel(-5e-9, 1e-14));
  CHECK(quantity("12\u00A0FLOP/B").value == 12);
  CHECK(quantity("223 tok/s").dimension == quantity("1 Hz").dimension);
  CHECK(quantity("15 FLOP/cycle").dimension == quantity("1 FLOP").dimension);
  CHECK(describe(quantity("1 TB/s").dimension) == "B/s");
  CHECK(describe(quantity("3").dimension) == "number");
  CHECK(describe(quantity("3 B").dimension - quantity("1 FLOP").dimension) == "B/FLOP");
}

TEST_CASE("a wrong unit is named with the right one") {
  CHECK(unit_error("TFLOPS") == "unknown unit 'TFLOPS' -> TFLOP/s");
  CHECK(unit_error("TOPS") == "unknown unit 'TOPS' -> Top/s");
  CHECK(unit_error("GBps") == "unknown unit 'GBps' -> GB/s");
  CHECK(unit_error("Gb/s") == "unknown unit 'Gb' -> Gbit");
  CHECK(unit_error("tokn") == "unknown unit 'tokn' -> token");
  CHECK(unit_error("GB//s") == "missing unit next to '/' -> ");
  CHECK(unit_error("kkB") == "unknown unit 'kkB' -> KiB");
  CHECK_FALSE(parse_unit(std::string(100, 'a')));

  const Result<Literal> wrong = parse_literal("989 TFLOP/ss");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().offset == 10);
  CHECK(wrong.error().length == 2);
  CHECK_FALSE(parse_literal("fast"));
  CHECK_FALSE(parse_literal(""));
  CHECK_FALSE(parse_literal("1e999 B"));
}

TEST_CASE("a rewritten number is grouped as its author grouped it") {
  CHECK(rewrite(literal("2,048"), quantity("4096")) == "4,096");
  CHECK(rewrite(literal("1,181 tokens"), quantity("1180 tokens")) == "1,180 tokens");
  CHECK(rewrite(literal("12,345"), quantity("4096")) == "4096");
  CHECK(rewrite(literal("2048"), quantity("4096")) == "4096");
  CHECK(rewrite(literal("2,048"), quantity("999")) == "999");
  CHECK(rewrite(literal("2,048"), quantity("99.5")) == "99.50");
}

TEST_CASE("Spanish numbers: thousands in digits, millions in words") {
  const std::string thousands = "17\u202F000";
  CHECK(literal(thousands.c_str()).significant == 2);
  CHECK(agrees(literal(thousands.c_str()), quantity("17.4 thousand")));
  CHECK_FALSE(agrees(literal(thousands.c_str()), quantity("17.6 thousand")));
  CHECK(rewrite(literal(thousands.c_str()), quantity("123.7 thousand")) == "124\u202F000");
  CHECK_FALSE(agrees(literal("65\u202F504"), quantity("65,505")));
  CHECK(rewrite(literal("65\u202F504"), quantity("65,536")) == "65\u202F536");
  CHECK(agrees(literal("37\u202F000 millones"), quantity("37.4 billion")));
  CHECK(agrees(literal("14.8 billones"), quantity("14.8 trillion")));
  CHECK_FALSE(parse_literal("17 mil"));
  CHECK(agrees(literal("35 imágenes/s"), quantity("35 images/s")));
  CHECK_FALSE(agrees(literal("36 imágenes/s"), quantity("35 images/s")));
  CHECK(counted_noun("imágenes") == counted_noun("images"));
  CHECK(agrees(literal("4.0 años"), quantity("4.04 years")));
  CHECK_FALSE(agrees(literal("4.0 años"), quantity("4.06 years")));
  CHECK(rewrite(literal("12 días"), quantity("1 year")) == "365 días");
  CHECK(rewrite(literal("12 000"), quantity("12")) == "12");
  CHECK(!parse_literal("1234567890123456"));
  CHECK(parse_literal("123456789012345"));
}

TEST_CASE("a literal agrees to its own digits") {
  const auto agree = [](const char* text, const char* exact) {
    return agrees(literal(text), quantity(exact));
  };
  CHECK(agree("989 TFLOP/s", "989.4 TFLOP/s"));
  CHECK_FALSE(agree("989 TFLOP/s", "989.6 TFLOP/s"));
  CHECK(agree("295 FLOP/B", "295.22 FLOP/B"));
  CHECK(agree("36×", "36.4999"));
  CHECK_FALSE(agree("36×", "36.51"));
  CHECK(agree("36×", "36.5"));  // exactly half agrees with both neighbours
  CHECK(agree("37×", "36.5"));
  CHECK(agree("36.0×", "36.04"));
  CHECK_FALSE(agree("36.0×", "36.4"));
  CHECK(agree("0.083 %", "0.000834"));
  CHECK_FALSE(agree("300 GB/s", "304 GB/s"));  // written zeros count
  CHECK_FALSE(agree("3 TB/s", "3 TFLOP/s"));
  CHECK(agree("124,439,808", "124439808.4"));
  CHECK(agree("7.5e18 FLOP", "7.466e18 FLOP"));
  CHECK_FALSE(agree("7.5e18 FLOP", "7.4e18 FLOP"));
  CHECK(agree("0.3", "0.3"));
  CHECK(agree("3.35 TB/s", "3350 GB/s"));
}

TEST_CASE("a rewritten literal keeps its style and agrees") {
  const auto fix = [](const char* text, const char* exact) {
    const std::string fixed = rewrite(literal(text), quantity(exact));
    INFO(fixed);
    CHECK(agrees(literal(fixed.c_str()), quantity(exact)));
    return fixed;
  };
  CHECK(fix("36×", "41.3") == "41×");
  CHECK(fix("36×", "1234.4") == "1234×");
  CHECK(fix("9.8 GB/s", "12.34 GB/s") == "12 GB/s");
  CHECK(fix("45.3 GFLOP/s", "8.1234 GFLOP/s") == "8.12 GFLOP/s");
  CHECK(fix("8 %", "0.0712") == "7 %");
  CHECK(fix("124,439,808", "8030261248") == "8,030,261,248");
  CHECK(fix("$2.50/h", "$3.111/h") == "$3.11/h");
  CHECK(fix("64MiB", "128 MiB") == "128MiB");
}

TEST_CASE("quantities are written in a given unit or by size") {
  CHECK(format(quantity("36.217"), "×", 3).value_or("") == "36.2×");
  CHECK(format(quantity("12.7 GB/s"), "GB/s").value_or("") == "12.7 GB/s");
  CHECK(format(quantity("0.0234"), "%", 2).value_or("") == "2.3 %");
  CHECK(format(quantity("26987"), "").value_or("") == "27,000");
  CHECK(format(quantity("45.3 GFLOP/s")) == "45.3 GFLOP/s");
  CHECK(format(quantity("989 TFLOP/s")) == "989 TFLOP/s");
  CHECK(format(quantity("3.57 FLOP/B")) == "3.57 FLOP/B");
  CHECK(format(quantity("62 ns"), 2) == "62 ns");
  CHECK(format(quantity("1.5")) == "1.50");
  CHECK(format(quantity("4")) == "4");
  CHECK(format(quantity("4 GB/s")) == "4.00 GB/s");
  CHECK(format(quantity("4.6 pJ")) == "4.60 pJ");
  const Result<std::string> wrong = format(quantity("3 B"), "GB/s");
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().message == "the value is in B, not in 'GB/s'");
}

TEST_CASE("the nearest name") {
  CHECK(edit_distance("bandwidth", "bandwidht", 3) == 1);
  CHECK(edit_distance("abc", "xyz", 2) == 3);
  CHECK(edit_distance(std::string(100, 'a'), "a", 3) == 4);
  Nearest nearest("h100-sxm.bandwith");
  nearest.offer("h200-sxm.bandwidth");
  nearest.offer("h100-sxm.bandwidth");
  CHECK(nearest.best() == "h100-sxm.bandwidth");
  Nearest far("zzzz");
  far.offer("h100");
  CHECK(far.best().empty());
}
