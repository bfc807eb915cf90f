#include "figures/quantities/expression.hpp"

#include <map>

#include "catch.hpp"

using namespace figures;

namespace {

// Names with fixed values; remembers what was asked.
class Table : public Scope {
 public:
  Result<Quantity> lookup(const Name& name) override {
    last = name;
    const auto found = values.find(name.id);
    if (found == values.end()) return Error{"unknown name '" + name.id + "'"};
    return parse_literal(found->second)->quantity;
  }
  std::map<std::string, std::string> values = {
      {"h100-sxm.peak.bf16", "989 TFLOP/s"},
      {"h100-sxm.bandwidth", "3.35 TB/s"},
      {"P.fma", "45.3 GFLOP/s"},
      {"B.out", "12.7 GB/s"},
      {"n", "4096"},
      {"B", "20 GB/s"},
      {"matmul.packed", "36 GFLOP/s"},
      {"stream.triad", "22 GB/s"},
  };
  Name last;
};

Result<Quantity> evaluate(const std::string& source) {
  Table table;
  const Result<Expression> parsed = Expression::parse(source);
  if (!parsed) return parsed.error();
  return parsed->evaluate(table);
}

double value(const std::string& source) {
  const Result<Quantity> result = evaluate(source);
  INFO(source << ": " << (result ? "" : result.error().message));
  REQUIRE(result);
  return result->value;
}

std::string unit(const std::string& source) {
  const Result<Quantity> result = evaluate(source);
  REQUIRE(result);
  return describe(result->dimension);
}

// "message @offset+length -> suggestion"
std::string error(const std::string& source) {
  const Result<Quantity> result = evaluate(source);
  INFO(source);
  REQUIRE_FALSE(result);
  const Error& e = result.error();
  std::string out = e.message + " @" + std::to_string(e.offset) + "+" + std::to_string(e.length);
  return e.suggestion.empty() ? out : out + " -> " + e.suggestion;
}

}  // namespace

TEST_CASE("a unit of many words is an error at its place") {
  std::string many = "1 B";
  for (int i = 0; i < 40; ++i) many += "/B";
  CHECK(error(many) == "this unit is too long @2+81");
}

TEST_CASE("arithmetic binds as in the books") {
  CHECK(value("2 + 3 * 4") == 14);
  CHECK(value("(2 + 3) * 4") == 20);
  CHECK(value("(2 ^ 3) ^ 2") == 64);
  CHECK(value("-2 ^ 2") == -4);
  CHECK(value("2 ^ -2") == 0.25);
  CHECK(value("10 - 3 - 2") == 5);
  CHECK(value("12 / 2 / 3") == 2);
  CHECK(value("--3") == 3);
  CHECK(value("min(3, 1, 2)") == 1);
  CHECK(value("max(3)") == 3);
  CHECK(value("sqrt(16) + log2(1024) + abs(-3)") == 17);
  CHECK(value("round(2.5) + ceil(2.1) + floor(2.9)") == 8);
  CHECK(value("6 * 10^2 × 2") == 1200);
  CHECK(value("8 * 8 / 4 + 8 / 4 + 1") == 19);
}

TEST_CASE("units follow numbers") {
  CHECK(value("2 * 4 B") == 8);
  CHECK(unit("2 * 4 B") == "B");
  CHECK(value("1 TB/s") == 1e12);
  CHECK(value("100 TFLOP/s / 1 TB/s") == 100);
  CHECK(unit("100 TFLOP/s / 1 TB/s") == "FLOP/B");
  CHECK(value("64MiB") == 67108864);
  CHECK(value("1 FLOP / (3 * 4 B)") == 1.0 / 12);
  CHECK(unit("2 FLOP/B") == "FLOP/B");
  CHECK(unit("2 FLOP / B") == "FLOP·s/B");  // B is the given bandwidth: the '/' is spaced
  CHECK(unit("2 B/B.out") == "s");          // and no unit continues with a dot
  CHECK(value("8 % * 100") == 8);
  CHECK(value("10 billion tokens * 6") == 60e9);
  CHECK(value("50 ns * 2 > 90 ns and 1 < 2") == 1);
  CHECK_THAT(value("64 B / (100 ns)"), WithinRel(0.64e9, 1e-14));
}

TEST_CASE("names keep their hyphens, minus has spaces") {
  CHECK_THAT(value("h100-sxm.peak.bf16 / h100-sxm.bandwidth"), WithinRel(295.223880597, 1e-9));
  CHECK(unit("h100-sxm.peak.bf16 / h100-sxm.bandwidth") == "FLOP/B");
  CHECK(value("n - 96") == 4000);
  CHECK(value("n -96") == 4000);
  CHECK(error("n-96") == "unknown name 'n-96' @0+4");
  CHECK_THAT(value("P.fma / B.out"), WithinRel(3.5669, 1e-4));
}

TEST_CASE("terms carry a statistic, parameters and functions") {
  Table table;
  const auto parse = [&](const char* source) {
    const Result<Expression> parsed = Expression::parse(source);
    INFO((parsed ? "" : parsed.error().message));
    REQUIRE(parsed);
    return parsed->names().front();
  };
  Name name = parse("matmul.packed.best{n=512, threads=2,variant=cache} / 2");
  CHECK(name.id == "matmul.packed");
  CHECK(name.statistic == "best");
  REQUIRE(name.arguments.size() == 3);
  CHECK(name.arguments[0].name == "n");
  CHECK(name.arguments[0].number.value == 512);
  CHECK(name.arguments[2].word == "cache");
  CHECK(name.arguments[2].offset == 36);
  CHECK(name.offset == 0);
  CHECK(name.length == 50);

  name = parse("stream.triad{w=64MiB}");
  CHECK(name.arguments[0].number.value == 67108864);
  CHECK(describe(name.arguments[0].number.dimension) == "B");

  name = parse("beta(matmul.packed{n=512})");
  CHECK(name.function == "beta");
  CHECK(name.id == "matmul.packed");

  name = parse("llama-3.1-8b.parameters-read");
  CHECK(name.id == "llama-3.1-8b.parameters-read");
}

TEST_CASE("conditions") {
  CHECK(value("1 < 2") == 1);
  CHECK(value("2 <= 1 or not 3 == 4") == 1);
  CHECK(value("1 < 2 and 2 < 1") == 0);
  CHECK(value("0.67 <= 1 <= 1.5") == 1);
  CHECK(value("0.67 ≤ 2 ≤ 1.5") == 0);
  CHECK(value("1 < 2 < 3 < 4") == 1);
  CHECK(value("1 < 3 < 2 < 4") == 0);
  CHECK(value("not not 5") == 1);
  CHECK(value("not not not 5") == 0);
  CHECK(value("P.fma > 20 GFLOP/s") == 1);
  CHECK(Expression::parse("P.fma > 20 GFLOP/s")->is_condition());
  CHECK_FALSE(Expression::parse("P.fma / 2")->is_condition());
  CHECK(value("1 ≠ 2") == 1);
}

TEST_CASE("dimensions must fit") {
  CHECK(error("P.fma + B.out") == "cannot add FLOP/s and B/s @0+13");
  CHECK(error("2 * (P.fma - 3)") == "cannot subtract FLOP/s and number @5+9");
  CHECK(error("P.fma / B.out < 2") == "cannot compare FLOP/B and number @0+17");
  CHECK(error("sqrt(P.fma)") == "the square root of FLOP/s has no unit @0+11");
  CHECK(unit("sqrt(P.fma * P.fma)") == "FLOP/s");
  CHECK(error("log2(4 B)") == "this needs a plain number, not B @0+9");
  CHECK(error("2 ^ 0.5") == "an exponent is a whole number between -64 and 64 @0+7");
  CHECK(error("2 ^ 1000") == "an exponent is a whole number between -64 and 64 @0+8");
  CHECK(unit("B.out ^ 2") == "B^2/s^2");
  CHECK(error("1 / (2 - 2)") == "division by zero @0+11");
  CHECK(error("1e300 * 1e300") == "the result is not a finite number @0+13");
  CHECK(error("log2(0)") == "the logarithm of a number that is not positive @0+7");
  CHECK(error("sqrt(-1)") == "the square root of a negative number @0+8");
  CHECK(error("P.fma and 1 < 2") == "'and' and 'or' join conditions, not quantities @0+15");
}

TEST_CASE("errors point at the wrong text") {
  CHECK(error("") == "an expression is missing @0+0");
  CHECK(error("   ") == "an expression is missing @0+3");
  CHECK(error("2 +") == "the expression ends too early @3+0");
  CHECK(error("2 $ 3") == "unexpected '3' @4+1");
  CHECK(error("2 + # 3") == "unexpected '#' @4+1");
  CHECK(error("(2 + 3") == "this '(' is not closed @0+1");
  CHECK(error("2 + 3)") == "unexpected ')' @5+1");
  CHECK(error("maxx(1, 2)") == "unknown function 'maxx' @0+4 -> max");
  CHECK(error("sqrt(1, 2)") == "sqrt takes one value @0+10");
  CHECK(error("3 GFLOPS") == "unknown unit 'GFLOPS' @2+6 -> GFLOP/s");
  CHECK(error("3 metres") == "unknown unit 'metres' @2+6");
  CHECK(error("matmul.packed{n}") == "expected a parameter (name=value) here @15+1");
  CHECK(error("matmul.packed{n=512") == "this '{' is not closed @0+14");
  CHECK(error("matmul.packed{}") == "expected a parameter (name=value) here @14+1");
  CHECK(error("beta(2)") == "'beta' needs the name of a kernel @5+1");
  CHECK(error("a{w=64MiB,x=1,w=1MiB}") == "duplicate parameter 'w' @14+1");
  CHECK(error("2^3^2") == "write parentheses: (a^b)^c or a^(b^c) @3+1");
  CHECK(error("1 B ^ 2 ^ -1") == "write parentheses: (a^b)^c or a^(b^c) @8+1");
  CHECK(value("(2^3)^2 + 2^(3^2)") == 64 + 512);
  CHECK(error("2 and") == "the expression ends too early @5+0");
  CHECK(error("and 2") == "unexpected 'and' @0+3");
  CHECK(error("1 + nothing * 2") == "unknown name 'nothing' @4+7");
  CHECK(error("2 \x01 3") == "unexpected character @2+1");
}

TEST_CASE("hostile expressions stay within their budgets") {
  CHECK(error(std::string(3000, '1')) == "an expression has at most 2,000 bytes @0+3000");
  CHECK(error(std::string(100, '(') + "1") == "parentheses are nested more than 40 deep @40+1");
  std::string calls;
  for (int i = 0; i < 100; ++i) calls += "abs(";
  CHECK_FALSE(evaluate(calls + "1"));
  std::string sums = "1";
  for (int i = 0; i < 300; ++i) sums += "+1";
  CHECK(error(sums) == "this expression has more than 200 terms and operators @0+201");
  // Chains copy their middle, so nesting them would double the size at every level.
  std::string chains = "1";
  for (int i = 0; i < 30; ++i) chains = "(1<" + chains + "<2)";
  CHECK_FALSE(evaluate(chains));
  CHECK(value(std::string(400, '-') + "1") == 1);
  std::string nots;
  for (int i = 0; i < 400; ++i) nots += "not ";
  CHECK(value(nots + "1") == 1);
  std::string arguments = "a{";
  for (int i = 0; i < 30; ++i) arguments += "x=1,";
  CHECK_FALSE(evaluate(arguments + "x=1}"));
}

TEST_CASE("given values stand in front of the rest") {
  Table table;
  Given given(&table);
  given.set("B", figures::Quantity{5, {}});
  given.set("B", figures::Quantity{7, {}});
  given.set("window", figures::Quantity{2, {}});
  CHECK(Expression::parse("B * n")->evaluate(given)->value == 7 * 4096);
  const Result<Quantity> wrong = Expression::parse("windows")->evaluate(given);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().suggestion == "window");
  Given alone(nullptr);
  CHECK_FALSE(Expression::parse("x")->evaluate(alone));
}
