// The things that numbers count, and that one thing is not mistaken for another.
#include "figures/quantities/counting.hpp"

#include "catch.hpp"

using namespace figures;

namespace {

// The count of an expression whose names are units: "h" is hours, "x" counts nothing.
std::string count(const char* source, const char* unit) {
  const auto expression = Expression::parse(source);
  REQUIRE(expression);
  const auto counting =
      counting_of(*expression, [](const Name& name) { return counting_of_unit(name.id); });
  const auto text = parse_literal("1 " + std::string(unit));
  REQUIRE(text);
  return counting ? miscount(*text, *counting, expression->steps().size() > 1).value_or("")
                  : counting.error().message;
}

}  // namespace

TEST_CASE("a unit says what it counts") {
  using Of = Counting;
  CHECK(counting_of_unit("tok/s") == Of{{"token", 1}});
  CHECK(counting_of_unit("million parameters") == Of{{"parameter", 1}});
  CHECK(counting_of_unit("TFLOP/s") == Of{{"FLOP", 1}});
  CHECK(counting_of_unit("Top/s") == Of{{"op", 1}});
  CHECK(counting_of_unit("FLOP/cycle") == Of{{"FLOP", 1}, {"cycle", -1}});
  CHECK(counting_of_unit("%") == Of{{"×", 1}});
  for (const char* nothing : {"", "GB/s", "mm²", "MAC/B", "billion", "$/h", "nonsense"})
    CHECK(counting_of_unit(nothing).empty());
}

TEST_CASE("one count is no other") {
  CHECK(count("5 tokens", "GPUs") == "it counts token, not GPU");
  CHECK(count("1979 Top/s", "TFLOP/s") == "it counts op, not FLOP");
  CHECK(count("2 * 5 op", "FLOP") != "");
  CHECK(count("16 times", "GPUs") != "");
  CHECK(count("50 %", "tokens") != "");
  CHECK(count("5 tok/s / (1 GPU)", "tokens/s/row") != "");
  CHECK(count("5 tokens + 3 GPUs", "tokens") == "cannot join token and GPU");
  CHECK(count("max(1 op, 2 FLOP)", "FLOP") == "cannot join op and FLOP");
}

TEST_CASE("counts multiply and divide as units do") {
  CHECK(count("5 tokens", "tok") == "");
  CHECK(count("5 tokens", "") == "");  // the sentence names what is counted
  CHECK(count("12", "layers") == "");  // as the record does not
  CHECK(count("token * 3 * x", "tokens") == "");
  CHECK(count("5 tokens / x", "%") == "");  // x may be tokens, too
  CHECK(count("5 tokens", "%") != "");
  CHECK(count("FLOP / x * 3", "tokens") == "");  // a number, so x is in FLOP
  CHECK(count("8 GPUs * 2 times", "GPUs") == "");
  CHECK(count("8 GPUs / (2 GPUs)", "×") == "");
  CHECK(count("8 GPUs / (2 GPUs)", "tokens") == "");
  CHECK(count("5 tok/s * 3 s", "tokens") == "");
  CHECK(count("12 FLOP/s / (3 GHz)", "FLOP/cycle") == "");
  CHECK(count("token^2 / token", "tokens") == "");
  CHECK(count("sqrt(FLOP) * 2", "op") == "");  // nothing is known about a root
  CHECK(count("6 FLOP * 2 million parameters * 3 tokens", "FLOP") == "");
}
