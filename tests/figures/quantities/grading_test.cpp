#include "figures/quantities/grading.hpp"

#include "catch.hpp"

using namespace figures;

namespace {

double value(std::string_view text, std::string_view unit) {
  const Result<Literal> literal = parse_answer(text, unit);
  INFO(text);
  if (!literal) FAIL(literal.error().message);
  return literal->quantity.value;
}

std::string complaint(std::string_view text, std::string_view unit) {
  const Result<Literal> literal = parse_answer(text, unit);
  return literal ? "" : literal.error().message;
}

}  // namespace

TEST_CASE("answer: rates of arithmetic as people spell them") {
  for (const char* text : {"45 GFLOP/s", "45 GFLOPS", "45 gflops", "45gflop/s", "45 GFLOPs/s",
                           "45 GFLOP / sec", "45 Gflop per second", "45", "0.045 TFLOPS",
                           "45000 mflops", "45e9 flop/s", "45.0 GFLOPS.", "4.5e1 GFLOP/s"})
    CHECK(value(text, "GFLOP/s") == 45e9);
}

TEST_CASE("answer: rates of bytes as people spell them") {
  for (const char* text : {"12.5 GB/s", "12.5GB/s", "12.5 gb/s", "12.5 GB/sec", "12.5 GBps",
                           "12,5 GB/s", "12500 MB/s", "12.5", "12.5 gbytes per second"})
    CHECK(value(text, "GB/s") == 12.5e9);
  CHECK(value("2 GiB/s", "GB/s") == 2147483648.0);
  CHECK(value("2 gib/s", "GB/s") == 2147483648.0);
}

TEST_CASE("answer: sizes, times, ratios and shares") {
  CHECK(value("48 kb", "KiB") == 48e3);
  CHECK(value("48 KIB", "KiB") == 48 * 1024.0);
  CHECK(value("1,024 bytes", "B") == 1024);
  CHECK(value("62 NS", "ns") == 62e-9);
  CHECK(value("3 us", "ns") == 3e-6);
  CHECK(value("2 msec", "ms") == 2e-3);
  CHECK(value("7.1 flops/byte", "FLOP/B") == 7.1);
  CHECK(value("36 x", "×") == 36);
  CHECK(value("36", "×") == 36);
  CHECK(value("8 percent", "%") == 0.08);
  CHECK(value("124 million", "million parameters") == 124e6);
  CHECK(value("2.5", "$/h") == 2.5 / 3600);
}

TEST_CASE("answer: the prefix nearest to the question's") {
  CHECK(value("5 mw", "W") == 5e-3);
  CHECK(value("5 mw", "MW") == 5e6);
}

TEST_CASE("answer: only a prefix, and a number in the unit without its prefix") {
  CHECK(value("210M", "MFLOP") == 210e6);
  CHECK(value("0.21 G", "MFLOP") == 210e6);
  const auto bare = [](std::string_view text, std::string_view unit) {
    const Result<Literal> literal = parse_bare_answer(text, unit);
    return literal ? literal->quantity.value : -1;
  };
  CHECK(bare("2.1e8", "MFLOP") == 2.1e8);
  CHECK(bare(" 0.0045 ", "ms") == 0.0045);
  CHECK(bare("295", "FLOP/B") == 295);
  CHECK(bare("210M", "MFLOP") == -1);
  CHECK(bare("", "MFLOP") == -1);
}

TEST_CASE("answer: what it is not, in words") {
  CHECK(complaint("12 GB", "GB/s") == "the answer is in GB/s, yours is in GB");
  CHECK(complaint("12 parsecs", "GB/s") == "unknown unit 'parsecs'");
  CHECK(complaint("many", "GB/s") == "'many' does not start with a number");
  CHECK(complaint("", "GB/s") == "'' does not start with a number");
}

TEST_CASE("answer: a comma is the point unless three digits follow it") {
  CHECK(value("3,6", "GB/s") == 3.6e9);
  CHECK(value("3,65 gb/s", "GB/s") == 3.65e9);
  CHECK(value("3,600", "GB/s") == 3600e9);
  CHECK(value("3,6000", "GB/s") == 3.6e9);
  CHECK(value("1,024,000", "B") == 1024000);
  CHECK(value("1,024.5 bytes", "B") == 1024.5);
  CHECK(complaint("1,2,3", "GB/s") != "");
}

TEST_CASE("answer: where a number ends and its unit begins") {
  CHECK(value("  45  ", "GFLOP/s") == 45e9);
  CHECK(value("45 ...", "GFLOP/s") == 45e9);
  CHECK(value("4.5E1gflops", "GFLOP/s") == 45e9);
  CHECK(value("4.5e+1 gflops", "GFLOP/s") == 45e9);
  CHECK(value("450e-1 gflops", "GFLOP/s") == 45e9);
  CHECK(value("5e9", "FLOP/s") == 5e9);
  CHECK(complaint("5 e", "GB/s") != "");
  CHECK(complaint("x", "") == "'x' does not start with a number");
  CHECK(value("5", "") == 5);
}

TEST_CASE("answer: a bare number is nothing but a number") {
  const auto bare = [](std::string_view text, std::string_view unit) {
    const Result<Literal> literal = parse_bare_answer(text, unit);
    return literal ? literal->quantity.value : -1;
  };
  CHECK(bare("3,5", "GB/s") == 3.5);
  CHECK(bare("2e3.", "KiB") == 2000);
  CHECK(bare("5 B", "KiB") == -1);
  CHECK(bare("  .", "KiB") == -1);
  CHECK(bare("50", "%") == 0.5);
}
