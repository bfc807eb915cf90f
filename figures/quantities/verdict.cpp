#include "figures/quantities/verdict.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "figures/base/decimal_text.hpp"
#include "figures/base/nearest.hpp"

namespace figures {
namespace {

constexpr std::size_t longest_sentence = 2000;
constexpr std::size_t most_cases = 20;

using Op = Expression::Op;

std::string_view trim(std::string_view text, std::size_t& offset) {
  while (!text.empty() && text.front() == ' ') {
    text.remove_prefix(1);
    ++offset;
  }
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

Error shifted(const Error& error, std::size_t offset) { return Error(error).moved(offset); }

// Adds the path of the text of the verdict that the error's span refers to.
Error in_case(std::size_t index, std::string_view member, const Error& error) {
  return Error(error).of("cases[" + write_whole(index) + "]" + std::string(member));
}

bool is_value(const Name& name) {
  return name.id == "value" && name.function.empty() && name.arguments.empty() &&
         name.statistic.empty();
}

// Resolves facts only: the names allowed in conditions of a verdict without `otherwise`.
class FactsOnly : public Scope {
 public:
  explicit FactsOnly(const Facts* facts) : facts_(facts) {}
  Result<Quantity> lookup(const Name& name) override {
    const Fact* fact = facts_ && name.function.empty() ? facts_->find(name.id) : nullptr;
    if (fact != nullptr) return fact->quantity;
    return Error{"it depends on '" + name.id + "', so the last case must be 'otherwise'"};
  }

 private:
  const Facts* facts_;
};

// The first step of the operand that ends with `last` (inclusive) in postfix code.
std::size_t operand_start(const std::vector<Expression::Step>& steps, std::size_t last) {
  int needed = 1;
  std::size_t at = last + 1;
  while (needed > 0) {
    const Expression::Step& step = steps[--at];
    const bool leaf = step.op == Op::number || step.op == Op::name;
    const bool many = step.op == Op::minimum || step.op == Op::maximum;
    const bool one = step.op == Op::negate || step.op == Op::logical_not ||
                     (step.op >= Op::square_root && step.op <= Op::floor);
    const int operands = leaf ? 0 : many ? static_cast<int>(step.index) : one ? 1 : 2;
    needed += operands - 1;
  }
  return at;
}

// Collects the numbers that `value` is compared with; the condition can change only at these.
// Evaluates each other side separately. Error: `value` is not alone on one side of a comparison.
Status collect_bounds(const Expression& condition, Scope& scope, std::vector<double>& bounds) {
  const auto& steps = condition.steps();
  std::vector<bool> accounted(steps.size(), false);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if (!is_comparison(steps[i].op)) continue;
    const std::size_t right = operand_start(steps, i - 1), left = operand_start(steps, right - 1);
    const auto is_alone = [&](std::size_t first, std::size_t last) {
      return first == last && steps[first].op == Op::name &&
             is_value(condition.names()[steps[first].index]);
    };
    const bool value_left = is_alone(left, right - 1), value_right = is_alone(right, i - 1);
    if (!value_left && !value_right) continue;
    const std::size_t first = value_left ? right : left, last = value_left ? i - 1 : right - 1;
    const std::size_t begin = steps[first].offset, end = steps[last].offset + steps[last].length;
    accounted[value_left ? left : right] = true;
    if (value_left && value_right) continue;
    // The span of an operator starts at its left operand, so the last step covers everything except
    // a sign.
    const std::size_t from = std::min<std::size_t>(begin, steps[last].offset);
    const Result<Expression> side = Expression::parse(condition.source().substr(from, end - from));
    if (!side) return Error{"compare 'value' with a number or a fact", from, end - from};
    const Result<Quantity> bound = side->evaluate(scope);
    if (!bound) return shifted(bound.error(), from);
    bounds.push_back(bound->value);
  }
  for (std::size_t i = 0; i < steps.size(); ++i)
    if (!accounted[i] && steps[i].op == Op::name && is_value(condition.names()[steps[i].index]))
      return Error{"'value' must stand alone on one side of a comparison", steps[i].offset,
                   steps[i].length};
  return ok();
}

std::string show(double bound, const Quantity& like) {
  return format(Quantity{bound, like.dimension}, 3);
}

std::string describe_gap(double probe, const std::vector<double>& bounds, const Quantity& like) {
  const auto at = std::lower_bound(bounds.begin(), bounds.end(), probe);
  if (at != bounds.end() && *at == probe) return "the value " + show(probe, like);
  if (at == bounds.begin()) return "values below " + show(*at, like);
  if (at == bounds.end()) return "values above " + show(*(at - 1), like);
  return "values between " + show(*(at - 1), like) + " and " + show(*at, like);
}

}  // namespace

Result<Sentence> Sentence::parse(std::string_view text) {
  Sentence out;
  if (text.size() > longest_sentence)
    return Error{for_author("a sentence has at most 2,000 bytes"), 0, text.size()};
  std::size_t at = 0;
  while (at < text.size()) {
    const std::size_t brace = std::min(text.find('{', at), text.size());
    if (const std::size_t stray = text.substr(at, brace - at).find('}'); stray != text.npos)
      return Error{for_author("this '}' closes nothing"), at + stray, 1};
    if (brace > at) {
      Part part;
      part.text = text.substr(at, brace - at);
      out.parts_.push_back(std::move(part));
    }
    if (brace == text.size()) break;
    int depth = 0;
    std::size_t end = brace;
    do {
      depth += text[end] == '{' ? 1 : text[end] == '}' ? -1 : 0;
      ++end;
    } while (depth > 0 && end < text.size());
    if (depth > 0) return Error{for_author("this '{' is not closed"), brace, 1};
    Result<Part> part = placeholder(text.substr(brace + 1, end - brace - 2), brace + 1);
    if (!part) return part.error();
    out.parts_.push_back(std::move(*part));
    at = end;
  }
  return out;
}

// "expression | unit | digits": the text in the braces, at `offset` of the sentence.
Result<Sentence::Part> Sentence::placeholder(std::string_view text, std::size_t offset) {
  Part part;
  const std::size_t bar = text.find('|');
  std::size_t begin = offset;
  const std::string_view source = trim(text.substr(0, bar), begin);
  if (source.empty())
    return Error{for_author("an expression is missing between the braces"), offset, text.size()};
  if (source == "machine" || source == "reference" || source == "reason") {
    part.text = source;
    part.is_word = true;
    return part;
  }
  Result<Expression> expression = Expression::parse(source);
  if (!expression) return shifted(expression.error(), begin);
  part.one.push_back(std::move(*expression));
  part.source_at = begin;
  if (bar == text.npos) return part;
  const std::string_view rest = text.substr(bar + 1);
  const std::size_t second = rest.find('|');
  begin = offset + bar + 1;
  const std::string_view unit = trim(rest.substr(0, second), begin);
  if (const Result<Unit> parsed = parse_unit(unit); !parsed) return shifted(parsed.error(), begin);
  part.unit = unit;
  part.unit_at = begin;
  part.has_unit = true;
  if (second == rest.npos) return part;
  begin = offset + bar + 1 + second + 1;
  const std::string_view digits = trim(rest.substr(second + 1), begin);
  if (digits.size() != 1 || digits[0] < '1' || digits[0] > '9')
    return Error{for_author("the number of digits is between 1 and 9"), begin, digits.size()};
  part.digits = digits[0] - '0';
  return part;
}

Result<std::string> Sentence::fill(Scope& scope, const Words& words) const {
  std::string out;
  for (const Part& part : parts_) {
    if (part.is_word) {
      out += part.text == "machine"     ? words.machine
             : part.text == "reference" ? words.reference
                                        : words.reason;
      continue;
    }
    if (part.one.empty()) {
      out += part.text;
      continue;
    }
    const Result<Quantity> value = part.one.front().evaluate(scope);
    if (!value) return shifted(value.error(), part.source_at);
    const Result<std::string> number =
        part.has_unit ? format(*value, part.unit, part.digits) : format(*value, part.digits);
    if (!number) return shifted(number.error(), part.unit_at);
    out += *number;
  }
  return out;
}

std::vector<Name> Sentence::names() const {
  std::vector<Name> out;
  for (const Part& part : parts_)
    for (const Expression& expression : part.one)
      out.insert(out.end(), expression.names().begin(), expression.names().end());
  return out;
}

Status Verdict::set_on(std::string_view source) {
  Result<Expression> expression = Expression::parse(source);
  if (!expression) return expression.error();
  on_.clear();
  on_.push_back(std::move(*expression));
  return ok();
}

Status Verdict::add_when(std::string_view when) {
  std::size_t offset = 0;
  const std::string_view text = trim(when, offset);
  Case out;
  out.when = text == "empty"         ? When::empty
             : text == "untrusted"   ? When::untrusted
             : text == "unavailable" ? When::unavailable
             : text == "otherwise"   ? When::otherwise
                                     : When::condition;
  if (cases_.size() >= most_cases)
    return Error{for_author("a verdict has at most 20 cases"), 0, when.size()};
  if (out.when == When::condition) {
    Result<Expression> condition = Expression::parse(text);
    if (!condition) return shifted(condition.error(), offset);
    if (!condition->is_condition()) {
      Nearest nearest(text);
      for (const char* word : {"empty", "untrusted", "unavailable", "otherwise"})
        nearest.offer(word);
      return Error{for_author("this is not a condition: compare 'value' with something"), offset,
                   text.size(), nearest.best()};
    }
    out.condition.push_back(std::move(*condition));
    out.condition_at = offset;
  }
  cases_.push_back(std::move(out));
  return ok();
}

Status Verdict::set_say(std::string_view say) {
  Result<Sentence> sentence = Sentence::parse(say);
  if (!sentence) return sentence.error();
  cases_.back().say = std::move(*sentence);
  return ok();
}

const Verdict::Case* Verdict::find(When when, std::size_t& index) const {
  for (index = 0; index < cases_.size(); ++index)
    if (cases_[index].when == when) return &cases_[index];
  return nullptr;
}

Status Verdict::check_order() const {
  std::size_t index = 0;
  if (on_.empty()) return Error{"'on' is missing"}.of("on");
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    if (cases_[i].when == When::condition) continue;
    if (find(cases_[i].when, index); index != i) return in_case(i, "", Error{"duplicate case"});
    if (cases_[i].when == When::otherwise && i + 1 != cases_.size())
      return in_case(i + 1, "", Error{"cases after 'otherwise' are never reached"});
  }
  if (find(When::empty, index) == nullptr)
    return Error{"missing case 'empty', for when nothing has been measured"}.of("on");
  if (find(When::untrusted, index) == nullptr)
    return Error{"missing case 'untrusted', for flagged results"}.of("on");
  return ok();
}

Status Verdict::check(Sources reference) const {
  if (const Status order = check_order(); !order) return order;
  Names names(reference);
  const Result<Quantity> on = on_.front().evaluate(names);
  if (!on) {
    Error error = on.error();
    error.message.insert(0, "on the reference machine: ");
    return std::move(error).of("on");
  }
  Given scope(&names);
  scope.set("value", *on);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    for (const Expression& condition : cases_[i].condition) {
      const Result<Quantity> value = condition.evaluate(scope);
      if (!value && value.error().cause == Cause::invalid)
        return in_case(i, ".when", shifted(value.error(), cases_[i].condition_at));
    }
    const Result<std::string> said = cases_[i].say.fill(scope, {});
    if (!said && said.error().cause == Cause::invalid) return in_case(i, ".say", said.error());
  }
  std::size_t index = 0;
  if (find(When::otherwise, index) != nullptr) return ok();
  FactsOnly facts(reference.facts);
  return check_coverage(*on, facts);
}

Status Verdict::check_coverage(const Quantity& like, Scope& facts) const {
  std::vector<double> bounds;
  Given scope(&facts);
  for (std::size_t i = 0; i < cases_.size(); ++i) {
    for (const Expression& condition : cases_[i].condition) {
      const Status status = collect_bounds(condition, facts, bounds);
      if (!status) return in_case(i, ".when", shifted(status.error(), cases_[i].condition_at));
    }
  }
  if (bounds.empty()) return Error{"no case compares 'value'"}.of("on");
  std::sort(bounds.begin(), bounds.end());
  bounds.erase(std::unique(bounds.begin(), bounds.end()), bounds.end());
  // Conditions change only at bounds, so probe each bound, a point between neighbors, and both
  // ends.
  std::vector<double> probes;
  for (std::size_t i = 0; i < bounds.size(); ++i) {
    const double before =
        i == 0 ? bounds[0] - std::max(1.0, std::fabs(bounds[0])) : (bounds[i - 1] + bounds[i]) / 2;
    probes.push_back(before);
    probes.push_back(bounds[i]);
  }
  probes.push_back(bounds.back() + std::max(1.0, std::fabs(bounds.back())));
  for (const double probe : probes) {
    scope.set("value", Quantity{probe, like.dimension});
    bool covered = false;
    for (std::size_t i = 0; i < cases_.size() && !covered; ++i) {
      if (cases_[i].condition.empty()) continue;
      const Result<Quantity> holds = cases_[i].condition.front().evaluate(scope);
      if (!holds) return in_case(i, ".when", shifted(holds.error(), cases_[i].condition_at));
      covered = holds->value != 0;
    }
    if (!covered)
      return Error{"no case covers " + describe_gap(probe, bounds, like)}
          .as(Code::no_case)
          .of("on");
  }
  return ok();
}

Result<Verdict::Choice> Verdict::say(std::size_t index, Scope& scope, const Sentence::Words& words,
                                     bool about_reader) const {
  const Result<std::string> text = cases_[index].say.fill(scope, words);
  if (!text) return text.error();
  return Choice{index, *text, about_reader};
}

Result<Verdict::Choice> Verdict::choose_for(Sources sources, Sentence::Words words) const {
  Names names(sources);
  Given scope(&names);
  const Result<Quantity> value = on_.front().evaluate(names);
  std::size_t index = 0;
  if (!value) {
    const bool unavailable = value.error().cause == Cause::unavailable;
    if (!unavailable || find(When::unavailable, index) == nullptr) return value.error();
    words.reason = value.error().message;
    return say(index, scope, words, true);
  }
  scope.set("value", *value);
  if (names.untrusted() && find(When::untrusted, index) != nullptr)
    return say(index, scope, words, true);
  for (index = 0; index < cases_.size(); ++index) {
    if (cases_[index].when == When::otherwise) return say(index, scope, words, true);
    if (cases_[index].condition.empty()) continue;
    const Result<Quantity> holds = cases_[index].condition.front().evaluate(scope);
    if (!holds) return holds.error();
    if (holds->value != 0) return say(index, scope, words, true);
  }
  return Error{for_author("no case covers this value"), 0, 0, {}, Cause::not_measured};
}

Result<Verdict::Choice> Verdict::choose(Sources reference, const Profile* reader) const {
  Sentence::Words words;
  words.reference = reference.profile ? reference.profile->label() : "";
  if (on_.empty()) return Error{for_author("'on' is missing")};
  if (reader != nullptr) {
    Sources sources = reference;
    sources.profile = reader;
    words.machine = reader->label();
    Result<Choice> choice = choose_for(sources, words);
    if (choice || choice.error().cause == Cause::invalid) return choice;
  }
  words.machine = words.reference;
  std::size_t index = 0;
  if (find(When::empty, index) == nullptr) return Error{for_author("missing case 'empty'")};
  Names names(reference);
  Given scope(&names);
  if (const Result<Quantity> value = on_.front().evaluate(names)) scope.set("value", *value);
  return say(index, scope, words, false);
}

std::vector<Name> Verdict::names() const {
  std::vector<Name> out;
  const auto add = [&](const std::vector<Name>& names) {
    for (const Name& name : names)
      if (!is_value(name)) out.push_back(name);
  };
  for (const Expression& on : on_) add(on.names());
  for (const Case& one : cases_) {
    for (const Expression& condition : one.condition) add(condition.names());
    add(one.say.names());
  }
  return out;
}

}  // namespace figures
