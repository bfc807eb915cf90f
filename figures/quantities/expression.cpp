#include "figures/quantities/expression.hpp"

#include <algorithm>
#include <cmath>

#include "figures/base/nearest.hpp"
#include "figures/base/portable_math.hpp"

namespace figures {
namespace {

using Op = Expression::Op;

template <class... Parts>
Error wrong(const Parts&... message) {
  return {for_author(message...)};
}

Result<Quantity> power(const Quantity& base, const Quantity& exponent) {
  const double n = exponent.value;
  if (!exponent.dimension.is_number() || n != std::floor(n) || std::fabs(n) > 64)
    return wrong("an exponent is a whole number between -64 and 64");
  Quantity out{1, {}};
  for (int i = 0; i < static_cast<int>(std::fabs(n)); ++i) {
    out.value *= base.value;
    out.dimension = out.dimension + base.dimension;
  }
  if (n < 0) out = {1 / out.value, Dimension{} - out.dimension};
  return out;
}

Result<Quantity> square_root(const Quantity& value) {
  const Dimension d = value.dimension;
  if (value.value < 0) return wrong("the square root of a negative number");
  for (const int exponent : {d.flop, d.byte, d.second, d.joule, d.dollar, d.metre})
    if (exponent % 2 != 0)
      return wrong("the square root of ", [&] { return describe(d); }, " has no unit");
  const auto half = [](std::int8_t x) { return static_cast<std::int8_t>(x / 2); };
  return Quantity{
      std::sqrt(value.value),
      {half(d.flop), half(d.byte), half(d.second), half(d.joule), half(d.dollar), half(d.metre)}};
}

Result<Quantity> unary(Op op, const Quantity& a) {
  switch (op) {
    case Op::negate: return Quantity{-a.value, a.dimension};
    case Op::absolute: return Quantity{std::fabs(a.value), a.dimension};
    case Op::square_root: return square_root(a);
    default: break;
  }
  if (!a.dimension.is_number())
    return wrong("this needs a plain number, not ", [&] { return describe(a.dimension); });
  switch (op) {
    case Op::logical_not: return Quantity{a.value == 0 ? 1.0 : 0.0, {}};
    case Op::round: return Quantity{std::floor(a.value + 0.5), {}};
    case Op::ceiling: return Quantity{std::ceil(a.value), {}};
    case Op::floor: return Quantity{std::floor(a.value), {}};
    default: break;
  }
  if (!(a.value > 0)) return wrong("the logarithm of a number that is not positive");
  return Quantity{log2_of(a.value), {}};
}

bool compare(Op op, double a, double b) {
  switch (op) {
    case Op::less: return a < b;
    case Op::less_equal: return a <= b;
    case Op::greater: return a > b;
    case Op::greater_equal: return a >= b;
    case Op::equal: return a == b;
    default: return a != b;
  }
}

Result<Quantity> apply_binary(Op op, const Quantity& a, const Quantity& b) {
  if (op == Op::multiply) return Quantity{a.value * b.value, a.dimension + b.dimension};
  if (op == Op::power) return power(a, b);
  if (op == Op::divide) {
    if (b.value == 0) return wrong("division by zero");
    return Quantity{a.value / b.value, a.dimension - b.dimension};
  }
  if (op == Op::logical_and || op == Op::logical_or) {
    if (!a.dimension.is_number() || !b.dimension.is_number())
      return wrong("'and' and 'or' join conditions, not quantities");
    const bool x = a.value != 0, y = b.value != 0;
    return Quantity{(op == Op::logical_and ? x && y : x || y) ? 1.0 : 0.0, {}};
  }
  if (a.dimension != b.dimension) {
    const char* verb = op == Op::add ? "add" : op == Op::subtract ? "subtract" : "compare";
    return wrong(
        "cannot ", verb, " ", [&] { return describe(a.dimension); }, " and ",
        [&] { return describe(b.dimension); });
  }
  if (op == Op::add) return Quantity{a.value + b.value, a.dimension};
  if (op == Op::subtract) return Quantity{a.value - b.value, a.dimension};
  if (op == Op::minimum) return a.value < b.value ? a : b;
  if (op == Op::maximum) return a.value > b.value ? a : b;
  return Quantity{compare(op, a.value, b.value) ? 1.0 : 0.0, {}};
}

bool is_unary(Op op) {
  return op == Op::negate || op == Op::logical_not || (op >= Op::square_root && op <= Op::floor);
}

// Pops the operands from the stack. The parser guarantees that they are there.
Result<Quantity> apply(const Expression::Step& step, std::vector<Quantity>& stack) {
  const std::size_t count = step.op == Op::minimum || step.op == Op::maximum ? step.index
                            : is_unary(step.op)                              ? 1
                                                                             : 2;
  const Quantity* operands = stack.data() + stack.size() - count;
  Result<Quantity> out =
      count == 1 && is_unary(step.op) ? unary(step.op, operands[0]) : Result<Quantity>(operands[0]);
  for (std::size_t i = 1; i < count && out; ++i) out = apply_binary(step.op, *out, operands[i]);
  stack.resize(stack.size() - count);
  return out;
}

}  // namespace

bool Expression::is_condition() const {
  const Op last = steps_.back().op;
  return is_comparison(last) || last == Op::logical_and || last == Op::logical_or ||
         last == Op::logical_not;
}

Result<Quantity> Expression::evaluate(Scope& scope) const {
  std::vector<Quantity> stack;
  stack.reserve(steps_.size());
  for (const Step& step : steps_) {
    Result<Quantity> value = step.op == Op::number ? Result<Quantity>(numbers_[step.index])
                             : step.op == Op::name ? scope.lookup(names_[step.index])
                                                   : apply(step, stack);
    if (value && !std::isfinite(value->value)) value = wrong("the result is not a finite number");
    if (!value) {
      Error error = value.error();
      if (error.length == 0) {
        error.offset = step.offset;
        error.length = step.length;
      }
      return error;
    }
    stack.push_back(*value);
  }
  return stack.back();
}

void Given::set(std::string_view id, Result<Quantity> value) {
  for (Entry& entry : entries_)
    if (entry.id == id) return void(entry.value = std::move(value));
  entries_.push_back({std::string(id), std::move(value)});
}

Result<Quantity> Given::lookup(const Name& name) {
  const bool plain = name.function.empty() && name.statistic.empty() && name.arguments.empty();
  for (const Entry& entry : entries_)
    if (plain && entry.id == name.id) return entry.value;
  Result<Quantity> value =
      outer_ ? outer_->lookup(name)
             : Result<Quantity>(wrong("unknown name '", name.id, "'").as(Code::unknown_name));
  if (value || value.error().cause != Cause::invalid) return value;
  Error error = value.error();
  Nearest nearest(name.id);
  for (const Entry& entry : entries_) nearest.offer(entry.id);
  if (!nearest.best().empty()) error.suggestion = nearest.best();
  return error;
}

}  // namespace figures
