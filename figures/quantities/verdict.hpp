// Verdicts: a measured value selects one of several sentences.
//
// `on` is an expression, and cases are tried in order. `when` is one of
//   empty         required: no reader's profile, or no result in it; about the reference machine
//   untrusted     required: the reader's result is flagged or not verified
//   unavailable   the reader's machine cannot measure it, for {reason}; default: `empty`
//   a condition   on `value`: "value < 1 FLOP/B", "0.67 <= value <= 1.5", "value < 2 and cores > 1"
//   otherwise     everything else; last
// Without `otherwise`, conditions may compare only `value` with numbers and facts and must cover
// the whole number line; a gap is an error that names it. With `otherwise`, everything is covered.
//
// `say` may contain {expression}, {expression | unit} and {expression | unit | digits}, which
// become numbers of the machine that the sentence is about, and {machine}, {reference} (names),
// {reason}.
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
  // Error: an unclosed brace, an empty placeholder, or a bad expression, unit or digit count, with
  // its span in the text.
  static Result<Sentence> parse(std::string_view text);

  struct Words {
    std::string machine, reference, reason;
  };
  // Error: from an expression, or a unit of another dimension; with the span in the text.
  Result<std::string> fill(Scope& scope, const Words& words) const;
  std::vector<Name> names() const;  // of all its expressions

 private:
  struct Part {
    std::string text;             // literal text, or the name of a word
    std::vector<Expression> one;  // one expression; empty for text and words
    std::string unit;
    bool has_unit = false, is_word = false;
    int digits = 3;
    std::size_t source_at = 0,
                unit_at = 0;  // offsets of the expression and the unit in the sentence
  };
  static Result<Part> placeholder(std::string_view text, std::size_t offset);

  std::vector<Part> parts_;
};

class Verdict {
 public:
  // The parts are parsed one by one, so that the caller knows which text the span of an error
  // refers to: first set_on(), then add_when() and set_say() per case.
  Status set_on(std::string_view expression);
  Status add_when(std::string_view when);
  Status set_say(std::string_view say);  // of the last added case

  // Call after the last case. Checks that required cases exist, their order (nothing after
  // `otherwise`, no case twice), their dimensions against the reference machine's value, and that
  // they cover the number line. Error: `path` is the text of its span, "on", "cases[2].when" or
  // "cases[2].say"; an error about a whole case has "cases[2]".
  Status check(Sources reference) const;

  struct Choice {
    std::size_t index = 0;  // of the case
    std::string text;
    bool about_reader = false;  // false: about the reference machine
  };
  // `reader` may be null. If the selected sentence needs a number that the reader's profile lacks,
  // the `empty` case is used instead. Error: the reference machine lacks a number, too, or an
  // expression is wrong.
  Result<Choice> choose(Sources reference, const Profile* reader) const;

  std::vector<Name> names() const;  // of `on` and of every case
  std::size_t size() const { return cases_.size(); }

 private:
  enum class When { empty, untrusted, unavailable, condition, otherwise };
  struct Case {
    When when = When::condition;
    std::vector<Expression> condition;  // one expression, if `when` is a condition
    std::size_t condition_at = 0;       // its offset in the text of `when`
    Sentence say;
  };
  Result<Choice> choose_for(Sources sources, Sentence::Words words) const;
  Result<Choice> say(std::size_t index, Scope& scope, const Sentence::Words& words,
                     bool about_reader) const;
  const Case* find(When when, std::size_t& index) const;  // null, and index = size(): there is none
  Status check_order() const;
  Status check_coverage(const Quantity& like, Scope& facts) const;

  std::vector<Expression> on_;  // one expression, once set_on() was called
  std::vector<Case> cases_;
};

}  // namespace figures
