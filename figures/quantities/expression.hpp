// Expressions, as authors write them in `live:`, `calc:`, worked answers and verdicts.
//
//   h100-sxm.peak.bf16 / h100-sxm.bandwidth
//   matmul.packed{n=512,threads=1} / matmul.naive{n=512}
//   max(F / P.fma, 2 * 4 B / B.out)          0.67 <= value <= 1.5 and not untrusted-name < 2
//
// Operators from high to low precedence: ^ (integer exponents), unary -, * and /, + and -,
// comparisons (< <= > >= == != and chains of them; ≤ ≥ ≠ too), not, and, or. Functions: min, max
// (one or more arguments), sqrt, log2, abs, round, ceil, floor. A number may have a unit: "2 * 4
// B", "1 TB/s", "64MiB". The '/' of a unit has no space around it; the operator may have one. A
// hyphen inside a name belongs to the name, so a minus next to a name needs a space on both sides.
// A truth value is 1 or 0.
//
// An expression is parsed once into postfix order and evaluated on a small stack. Evaluation is not
// recursive, and a budget limits the nesting of hostile input.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

// One `name=value` in braces. The value is a quantity ("64MiB", "512") or a word ("cache").
struct Argument {
  std::string name;
  Quantity number;
  std::string word;  // empty: the value is a number
  std::size_t offset = 0;
};

// A term: "matmul.packed.best{n=512,variant=cache}", "P.fma{threads=2}", "beta(stream.triad)".
struct Name {
  std::string function;             // "beta", "I", "F", "Q", "measured", or empty
  std::string id;                   // "matmul.packed", "ridge.fma.out", "h100-sxm.peak.bf16"
  std::string statistic;            // "best", "median", "p90", "p99", or empty
  std::vector<Argument> arguments;  // in the order written
  std::size_t offset = 0;           // of the whole term, in the source
  std::size_t length = 0;
};

// Resolves names to values. lookup() is not const, because a scope may record the names.
class Scope {
 public:
  virtual ~Scope() = default;
  // Error: if the scope sets length 0, the expression fills in offset and length.
  virtual Result<Quantity> lookup(const Name& name) = 0;
};

class Expression {
 public:
  // Limits: 2,000 bytes, nesting 40, 200 terms and operators. Error: has a span and, if possible, a
  // suggestion.
  static Result<Expression> parse(std::string_view source);

  // Error: dimensions that do not match ("cannot add FLOP/s and B/s"), a division by zero, a result
  // that is not finite, or an error of the scope. The span is in the source.
  Result<Quantity> evaluate(Scope& scope) const;

  const std::string& source() const { return source_; }
  const std::vector<Name>& names() const { return names_; }  // all terms in order, with repetitions

  // Whether this is a condition ("value < 2"): its last operation is a comparison or a logical
  // operator.
  bool is_condition() const;

  // Postfix code. Public because the coverage check of verdicts reads it.
  enum class Op : std::uint8_t {
    number,
    name,
    add,
    subtract,
    multiply,
    divide,
    power,
    negate,
    less,
    less_equal,
    greater,
    greater_equal,
    equal,
    not_equal,
    logical_and,
    logical_or,
    logical_not,
    minimum,
    maximum,
    square_root,
    log2,
    absolute,
    round,
    ceiling,
    floor,
  };
  struct Step {
    Op op;
    std::uint32_t index = 0;   // into numbers or names; number of arguments of minimum and maximum
    std::uint32_t offset = 0;  // span in the source
    std::uint32_t length = 0;
  };
  const std::vector<Step>& steps() const { return steps_; }
  const std::vector<Quantity>& numbers() const { return numbers_; }

 private:
  friend class ExpressionParser;
  std::string source_;
  std::vector<Step> steps_;
  std::vector<Quantity> numbers_;
  std::vector<Name> names_;
};

inline bool is_comparison(Expression::Op op) {
  return op >= Expression::Op::less && op <= Expression::Op::not_equal;
}

// Named values that hide those of another scope: a question's `given`, a verdict's `value`.
class Given : public Scope {
 public:
  explicit Given(Scope* outer) : outer_(outer) {}  // outer may be null
  // An error is stored, too, and returned by lookup()
  void set(std::string_view id, Result<Quantity> value);
  Result<Quantity> lookup(const Name& name) override;

 private:
  struct Entry {
    std::string id;
    Result<Quantity> value;
  };
  Scope* outer_;
  std::vector<Entry> entries_;
};

}  // namespace figures
