// Reads literals, units, expressions and the sentences of verdicts from any bytes. It must not
// crash, a literal must agree with its own value, and a rewritten one with the new value.
#include <cmath>
#include <cstdint>
#include <string_view>

#include "figures/quantities/verdict.hpp"
#include "fuzz/targets.hpp"

namespace {

using namespace figures;

// Every name has a value; its dimension depends on the name, so that some fit together.
class AnyName : public Scope {
 public:
  Result<Quantity> lookup(const Name& name) override {
    const auto size = static_cast<std::int8_t>(name.id.size() % 3);
    return Quantity{1.0 + static_cast<double>(name.arguments.size()), {size, 0, -1, 0, 0, 0}};
  }
};

void check_literal(std::string_view text) {
  const Result<Literal> literal = parse_literal(text);
  if (!literal || !std::isfinite(literal->quantity.value)) return;
  const bool small = std::fabs(literal->number) < 1e14 && literal->significant < 15 &&
                     literal->decimals >= 0 && literal->decimals < 12;
  const bool minus_zero =
      literal->number == 0 && std::signbit(literal->number);  // agrees with nothing
  if (small && agrees(*literal, literal->quantity) == minus_zero) __builtin_trap();
  const Quantity other{literal->quantity.value * 1.2345, literal->quantity.dimension};
  rewrite(*literal, other);
  format(other);
}

void check_expression(std::string_view text) {
  const Result<Expression> expression = Expression::parse(text);
  AnyName scope;
  const Error* error = nullptr;
  Result<Quantity> value = Error{""};
  if (!expression) {
    error = &expression.error();
  } else {
    value = expression->evaluate(scope);
    if (!value) error = &value.error();
    expression->is_condition();
  }
  // A caret must be drawn, because the span is in the text.
  if (error && error->offset + error->length > text.size()) __builtin_trap();
}

void check_verdict(std::string_view text) {
  const std::size_t half = text.find('\n');
  if (half == text.npos) return;
  Verdict verdict;
  if (!verdict.set_on("cores")) __builtin_trap();
  for (const char* required : {"empty", "untrusted"})
    if (!verdict.add_when(required)) __builtin_trap();
  if (!verdict.add_when(text.substr(0, half))) return;
  if (!verdict.set_say(text.substr(half + 1))) return;
  Profile profile;
  profile.cores_usable = 4;
  const Sources sources{nullptr, nullptr, nullptr, &profile};
  const Status checked = verdict.check(sources);
  if (!checked) {  // its span is in the text that it names
    const Error& error = checked.error();
    const std::string_view named = error.path == "cases[2].when"  ? text.substr(0, half)
                                   : error.path == "cases[2].say" ? text.substr(half + 1)
                                                                  : "cores";
    if (error.length > 0 && error.offset + error.length > named.size()) __builtin_trap();
  }
  const Result<Verdict::Choice> choice = verdict.choose(sources, &profile);
  if (checked && !choice && choice.error().cause == Cause::invalid) __builtin_trap();
}

}  // namespace

void fuzz::expression(std::string_view text) {
  check_literal(text);
  check_expression(text);
  check_verdict(text);
}
