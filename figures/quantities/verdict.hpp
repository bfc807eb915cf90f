// Verdicts: the one sentence that a measured value chooses.
//
// `on` is an expression; cases are tried in order. `when` is
//   empty         no reader's profile, or no result in it: said of the reference machine; required
//   untrusted     the reader's result is flagged or not verified; required
//   unavailable   the reader's machine cannot measure it, {reason} says why; optional (else: empty)
//   a condition   on `value`: "value < 1 FLOP/B", "0.67 <= value <= 1.5", "value < 2 and cores > 1"
//   otherwise     everything else; last
// Without `otherwise` the conditions must compare nothing but `value` with numbers and facts, and
// cover the whole number line; a gap is an error that names it. With it, everything is covered.
//
// `say` may hold {expression}, {expression | unit} and {expression | unit | digits}: the numbers of
// the machine that the sentence is about; also {machine}, {reference} (names), {reason}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "figures/base/result.hpp"
#include "figures/quantities/expression.hpp"
#include "figures/quantities/notation.hpp"

namespace figures {

// A sentence with placeholders.
class Sentence {
 public:
  // Error: an unclosed brace, an empty placeholder, a bad expression, unit or digit count, with its
  // span in the text.
  static Result<Sentence> parse(std::string_view text);

  struct Words {
    std::string machine, reference, reason;
  };
  // Error: what an expression said, or a unit of another dimension; with the span in the text.
  Result<std::string> fill(Scope& scope, const Words& words) const;
  std::vector<Name> names() const;  // of all its expressions

 private:
  struct Part {
    std::string text;             // literal text, or the name of a word
    std::vector<Expression> one;  // empty for text and words; else one expression
    std::string unit;
    bool has_unit = false, is_word = false;
    int digits = 3;
    std::size_t source_at = 0,
                unit_at = 0;  // where the expression and the unit begin in the sentence
  };
  static Result<Part> placeholder(std::string_view text, std::size_t offset);

  std::vector<Part> parts_;
};

class Verdict {
 public:
  // Parsed piece by piece, so that the caller knows which text an Error's span belongs to: first
  // set_on, then add_when and set_say for each case.
  Status set_on(std::string_view expression);
  Status add_when(std::string_view when);
  Status set_say(std::string_view say);  // of the case added last

  // After the last case: required cases, order (nothing after `otherwise`, no case twice),
  // dimensions against the reference machine's value, coverage of the number line. Error: `path`
  // is the text that its span is in, "on", "cases[2].when" or "cases[2].say"; a case as such is "cases[2]".
  Status check(Sources reference) const;

  struct Choice {
    std::size_t index = 0;  // of the case
    std::string text;
    bool about_reader = false;  // else about the reference machine
  };
  // `reader` may be null. When the chosen sentence needs a number that the reader's profile lacks,
  // the `empty` case is said instead. Error: the reference machine lacks a number too, or an
  // expression is wrong.
  Result<Choice> choose(Sources reference, const Profile* reader) const;

  std::vector<Name> names() const;  // of `on` and of every case
  std::size_t size() const { return cases_.size(); }

 private:
  enum class When { empty, untrusted, unavailable, condition, otherwise };
  struct Case {
    When when = When::condition;
    std::vector<Expression> condition;  // one when `when` is a condition
    std::size_t condition_at = 0;       // where it begins in the text of `when`
    Sentence say;
  };
  Result<Choice> choose_for(Sources sources, Sentence::Words words) const;
  Result<Choice> say(std::size_t index, Scope& scope, const Sentence::Words& words,
                     bool about_reader) const;
  const Case* find(When when, std::size_t& index) const;  // null, and size(), when there is none
  Status check_order() const;
  Status check_coverage(const Quantity& like, Scope& facts) const;

  std::vector<Expression> on_;  // one, once set
  std::vector<Case> cases_;
};

}  // namespace figures
