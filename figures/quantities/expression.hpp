// Expressions: what stands in `live:`, `calc:`, worked answers and verdicts.
//
//   h100-sxm.peak.bf16 / h100-sxm.bandwidth
//   matmul.packed{n=512,threads=1} / matmul.naive{n=512}
//   max(F / P.fma, 2 * 4 B / B.out)          0.67 <= value <= 1.5 and not untrusted-name < 2
//
// Operators by falling strength: ^ (integer exponents), unary -, * and /, + and -, comparisons
// (< <= > >= == != and chains of them; ≤ ≥ ≠ too), not, and, or. Functions: min, max (one or more
// arguments), sqrt, log2, abs, round, ceil, floor. A number may carry a unit: "2 * 4 B", "1 TB/s",
// "64MiB"; the '/' of a unit has no space around it, the operator may. A hyphen inside a name
// belongs to the name: minus has a space on both sides when it stands next to one. A truth value
// is 1 or 0.
//
// Parsed once into postfix order, evaluated on a small stack: no recursion on hostile input beyond
// the nesting budget, no allocation per evaluation worth mentioning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/quantity.hpp"

namespace figures {

// One `name=value` between braces. The value is a quantity ("64MiB", "512") or a word ("cache").
struct Argument {
  std::string name;
  Quantity number;
  std::string word;  // empty when the value is a number
  std::size_t offset = 0;
};

// A term: "matmul.packed.best{n=512,variant=cache}", "P.fma{threads=2}", "beta(stream.triad)".
struct Name {
  std::string function;             // "beta", "I", "F", "Q", "measured", or empty
  std::string id;                   // "matmul.packed", "ridge.fma.out", "h100-sxm.peak.bf16"
  std::string statistic;            // "best", "median", "p90", "p99", or empty
  std::vector<Argument> arguments;  // in the order written
  std::size_t offset = 0;           // of the whole term in the source
  std::size_t length = 0;
};

// Where names get their values. Not const: a scope may note what was asked for.
class Scope {
 public:
  virtual ~Scope() = default;
  // Error: offset and length are filled in by the expression when the scope leaves length 0.
  virtual Result<Quantity> lookup(const Name& name) = 0;
};

class Expression {
 public:
  // Budgets: 2,000 bytes, nesting 40, 200 terms and operators. Error: span and, where it helps, a
  // suggestion.
  static Result<Expression> parse(std::string_view source);

  // Error: dimensions that do not fit ("cannot add FLOP/s and B/s"), a division by zero, a result
  // that is not finite, or what the scope said; with the span in the source.
  Result<Quantity> evaluate(Scope& scope) const;

  const std::string& source() const { return source_; }
  const std::vector<Name>& names() const { return names_; }  // every term, in order, repeats kept

  // A condition ("value < 2") rather than a quantity: its last operation is a comparison or logic.
  bool is_condition() const;

  // Postfix code, public for the coverage check of verdicts.
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
    std::uint32_t index = 0;   // into numbers or names; argument count of minimum and maximum
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

// Named values in front of another scope: a question's `given`, a verdict's `value`.
class Given : public Scope {
 public:
  explicit Given(Scope* outer) : outer_(outer) {}         // outer may be null
  void set(std::string_view id, Result<Quantity> value);  // or why it has none
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
