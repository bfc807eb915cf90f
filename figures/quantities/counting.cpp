#include "figures/quantities/counting.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace figures {
namespace {

using Op = Expression::Op;

constexpr const char* factor = "×";

// A value on the stack. Constants keep their number, because they may be exponents.
struct Counted {
  Counting of;
  std::optional<double> constant;
};

void multiply_in(Counting& product, const Counting& other, int exponent) {
  for (const auto& [noun, power] : other) {
    if ((product[noun] += exponent * power) == 0) product.erase(noun);
  }
}

Counting product_of(Counting a, const Counting& b, int exponent) {
  multiply_in(a, b, exponent);
  a.erase(factor);
  return a;
}

Counting power_of(const Counting& base, const std::optional<double>& exponent) {
  Counting out;
  const bool whole = exponent && *exponent == std::floor(*exponent) && std::fabs(*exponent) <= 64;
  if (whole) multiply_in(out, base, static_cast<int>(*exponent));
  return out;
}

std::string nouns_of(const Counting& counting) {
  std::string above, below;
  for (const auto& [noun, exponent] : counting) {
    if (exponent > 0) above += (above.empty() ? "" : "·") + noun;
    else below += '/' + noun;
  }
  return (above.empty() && !below.empty() ? "1" : above) + below;
}

Counting number_at(const Expression& expression, const Expression::Step& step) {
  const auto literal =
      parse_literal(std::string_view(expression.source()).substr(step.offset, step.length));
  return literal ? counting_of_unit(literal->unit) : Counting();
}

bool joins(Op op) {
  return op == Op::add || op == Op::subtract || op == Op::minimum || op == Op::maximum;
}

bool compares(Op op) { return op >= Op::less && op <= Op::not_equal; }

std::size_t operands_of(const Expression::Step& step) {
  if (step.op == Op::minimum || step.op == Op::maximum) return step.index;
  const bool unary =
      step.op == Op::negate || step.op == Op::logical_not || step.op >= Op::square_root;
  return unary ? 1 : 2;
}

Result<Counting> joined(const Expression::Step& step, const Counted* operands, std::size_t count) {
  Counting common;
  for (std::size_t i = 0; i < count; ++i) {
    if (common.empty()) common = operands[i].of;
    if (operands[i].of.empty() || operands[i].of == common) continue;
    return Error{for_author("cannot join ", nouns_of(common), " and ", nouns_of(operands[i].of)),
                 step.offset, step.length};
  }
  return compares(step.op) ? Counting() : common;
}

Result<Counted> apply(const Expression::Step& step, const Counted* operands, std::size_t count) {
  if (joins(step.op) || compares(step.op)) {
    auto all = joined(step, operands, count);
    if (!all) return all.error();
    return Counted{std::move(all).value(), std::nullopt};
  }
  switch (step.op) {
    case Op::multiply: return Counted{product_of(operands[0].of, operands[1].of, 1), std::nullopt};
    case Op::divide: return Counted{product_of(operands[0].of, operands[1].of, -1), std::nullopt};
    case Op::power: return Counted{power_of(operands[0].of, operands[1].constant), std::nullopt};
    case Op::negate:
      return Counted{operands[0].of,
                     operands[0].constant ? std::optional(-*operands[0].constant) : std::nullopt};
    case Op::absolute:
    case Op::round:
    case Op::ceiling:
    case Op::floor: return Counted{operands[0].of, std::nullopt};
    default: return Counted();
  }
}

// Whether each noun in the numerator (or denominator) of the text is one of the value's nouns
// there. True if the value has none there.
bool fits(const Counting& text, const Counting& exact, int sign) {
  bool has = false;
  for (const auto& [noun, exponent] : exact) has = has || exponent * sign > 0;
  if (!has) return true;
  for (const auto& [noun, exponent] : text) {
    const auto same = exact.find(noun);
    if (exponent * sign > 0 && (same == exact.end() || same->second * sign <= 0)) return false;
  }
  return true;
}

}  // namespace

Counting counting_of_unit(std::string_view unit) {
  Counting counting;
  int exponent = 1;
  std::size_t begin = 0;
  while (begin < unit.size()) {
    const std::size_t end = std::min(unit.find_first_of(" /", begin), unit.size());
    const std::string_view noun = counted_noun(unit.substr(begin, end - begin));
    if (!noun.empty()) multiply_in(counting, {{std::string(noun), 1}}, exponent);
    if (end < unit.size() && unit[end] == '/') exponent = -1;
    begin = end + 1;
  }
  return counting;
}

Result<Counting> counting_of(const Expression& expression,
                             const std::function<Counting(const Name&)>& of) {
  std::vector<Counted> stack;
  for (const auto& step : expression.steps()) {
    if (step.op == Op::number) {
      stack.push_back({number_at(expression, step), expression.numbers()[step.index].value});
    } else if (step.op == Op::name) {
      stack.push_back({of(expression.names()[step.index]), std::nullopt});
    } else {
      const std::size_t count = operands_of(step);
      auto out = apply(step, stack.data() + stack.size() - count, count);
      if (!out) return out.error();
      stack.resize(stack.size() - count);
      stack.push_back(std::move(out).value());
    }
  }
  return std::move(stack.back().of);
}

std::optional<std::string> miscount(const Literal& text, const Counting& exact, bool computed) {
  const Counting said = counting_of_unit(text.unit);
  Counting counted = exact;
  if (text.quantity.dimension.flop == 0) {  // canceled by the dimension
    counted.erase("FLOP");
    counted.erase("op");
  }
  const bool ratio = computed && said == Counting{{factor, 1}};
  if (ratio || (fits(said, counted, 1) && fits(said, counted, -1))) return std::nullopt;
  return "it counts " + nouns_of(counted) + ", not " + nouns_of(said);
}

}  // namespace figures
