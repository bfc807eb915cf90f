// ```worked: a question whose answer the generator computes: with the book's numbers, with those of
// every other chip that has the same facts, and, in the page, with the reader's machine.
#include <cmath>
#include <map>
#include <set>

#include "figures/base/decimal_text.hpp"
#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

using figures::Expression;
using figures::Quantity;

// Parses and evaluates one scalar of the block; nothing after a diagnostic.
class Evaluator {
 public:
  Evaluator(Emitter& emitter, figures::Scope& scope) : emitter_(emitter), scope_(scope) {}

  std::optional<Quantity> evaluate(const Yaml& at) {
    const auto expression = Expression::parse(at.text);
    if (!expression) return report(at, expression.error());
    const figures::Facts& facts = emitter_.shared.values.facts;
    emitter_.data.need(expression->names(), facts);
    const auto counting = figures::counting_of(*expression, [&](const figures::Name& name) {
      const auto own = given_.find(name.id);
      return own == given_.end() ? counting_of_fact(facts, name) : own->second;
    });
    if (!counting) return report(at, counting.error());
    counting_ = *counting;
    const figures::Fact* claim = most_cautious(facts, expression->names());
    if (claim && (!claim_ || figures::is_more_cautious(*claim, *claim_))) claim_ = claim;
    const auto value = expression->evaluate(scope_);
    if (value) return *value;
    report(at, value.error());
    if (!emitter_.shared.values.unmeasured) hint_of_measured(emitter_, *expression, value.error());
    return std::nullopt;
  }

  // What was evaluated last counts this, and later expressions know it by that name.
  void name_last(const std::string& name) { given_[name] = counting_; }
  const figures::Counting& counting() const { return counting_; }
  // Of all that was evaluated the claim that most needs to be said; null: none.
  const figures::Fact* claim() const { return claim_; }

 private:
  std::nullopt_t report(const Yaml& at, const figures::Error& error) {
    const bool unmeasured = emitter_.shared.values.unmeasured;
    if (unmeasured && error.cause != figures::Cause::invalid) return std::nullopt;
    emitter_.error(Rule::bad_expression, at, error);
    return std::nullopt;
  }

  Emitter& emitter_;
  figures::Scope& scope_;
  std::map<std::string, figures::Counting> given_;
  figures::Counting counting_;
  const figures::Fact* claim_ = nullptr;
};

constexpr const char* usual_tolerance = "2 %";

// 0.05 of "5 %"; reported when it is not a number.
std::optional<double> tolerance_of(Emitter& emitter, Record& record) {
  const std::string text = record.text("tolerance").value_or(usual_tolerance);
  const auto literal = figures::parse_literal(text);
  const bool good = literal && literal->quantity.dimension.is_number() &&
                    literal->quantity.value > 0 && literal->quantity.value < 1;
  if (good) return literal->quantity.value;
  const Yaml& at = record.at("tolerance");
  emitter.error(Rule::bad_value, at.offset, at.length, "a tolerance is a share such as 5 %");
  return std::nullopt;
}

// One digit agrees with many answers: 0.2 and 0.3 with 0.25. It is enough within the question's tolerance.
void check_precision(Emitter& emitter, const Yaml& expect, const figures::Literal& said,
                     const Quantity& exact, double tolerance) {
  const double off = std::abs(said.quantity.value - exact.value) / std::abs(exact.value);
  if (said.significant > 1 || !(off > tolerance)) return;
  const std::string right = figures::format(exact),
                    share = figures::write_significant(100 * off, 2);
  emitter.error(Rule::wrong_literal, expect.offset, expect.length,
                expect.text + " is " + share + " % from the answer, " + right, right);
  emitter.diagnostics.hint("write more digits, or a wider tolerance");
}

void check_expected(Emitter& emitter, const Yaml& expect, const Quantity& exact,
                    const figures::Counting& counting, std::optional<double> tolerance) {
  const auto literal = figures::parse_literal(expect.text);
  const auto refuse = [&](const std::string& message, const std::string& right) {
    emitter.error(Rule::wrong_literal, expect.offset, expect.length, message, right);
    const std::size_t at = expect.offset + (expect.plain ? 0 : 1);  // behind a quotation mark
    if (emitter.source.text().substr(at).starts_with(expect.text))
      emitter.diagnostics.fix({at, expect.text.size(), right});
  };
  if (!literal) {
    const std::string right = figures::format(exact);
    refuse(literal.error().message + "; the answer is " + right, right);
  } else if (!figures::agrees(*literal, exact)) {
    const bool same = literal->quantity.dimension == exact.dimension;
    const std::string right = same ? figures::rewrite(*literal, exact) : figures::format(exact);
    refuse("the text says " + expect.text + ", the answer is " + right, right);
  } else if (const auto wrong = figures::miscount(*literal, counting, true)) {
    emitter.error(Rule::wrong_literal, expect.offset, expect.length,
                  "the text says " + expect.text + ", but " + *wrong);
  } else if (tolerance) {
    check_precision(emitter, expect, *literal, exact, *tolerance);
  }
}

using Texts = std::vector<std::pair<std::string, std::string>>;  // in the order written

struct Question {
  Texts given;
  bool answered = false;
  const figures::Fact* claim = nullptr;  // that the answer comes from, if it does
};

Question compute(Emitter& emitter, Record& record, std::optional<double> tolerance) {
  Question question;
  figures::Names names(emitter.shared.values.with_reference());
  figures::Given given(&names);
  Evaluator evaluator(emitter, given);
  bool complete = true;
  if (const Yaml* map = record.map("given")) {
    for (const auto& [name, value] : map->entries) {
      if (name.text.find('.') != name.text.npos) {
        emitter.error(Rule::bad_id, name.offset, name.length,
                      in_quotes(name.text) +
                          " has the form of a fact's id: a name of the question has no point");
      } else if (emitter.shared.values.facts.find(name.text)) {
        emitter.error(
            Rule::bad_id, name.offset, name.length,
            in_quotes(name.text) + " is the id of a fact, which the question's own would hide");
      }
      question.given.emplace_back(name.text, value.text);
      const auto quantity = evaluator.evaluate(value);
      if (quantity) given.set(name.text, *quantity);
      evaluator.name_last(name.text);
      complete = complete && quantity.has_value();
    }
  }
  if (!complete) return question;
  const auto exact = evaluator.evaluate(record.at("answer"));
  question.answered = exact.has_value();
  question.claim = evaluator.claim();
  if (exact) check_expected(emitter, record.at("expect"), *exact, evaluator.counting(), tolerance);
  return question;
}

// The things whose facts an expression uses: "h100-sxm" of h100-sxm.bandwidth.
void collect_things(const figures::Facts& facts, const std::string& source,
                    std::set<std::string>& things) {
  const auto expression = Expression::parse(source);
  if (!expression) return;
  for (const auto& name : expression->names()) {
    if (!facts.find(name.id)) continue;
    const figures::Thing* thing = facts.thing_of(name.id);
    if (thing) things.insert(thing->id);
  }
}

// The expression with the facts of one thing replaced by another's; nothing when it has not all.
std::optional<std::string> exchanged(const figures::Facts& facts, const std::string& source,
                                     const std::string& from, const std::string& to) {
  const auto expression = Expression::parse(source);
  if (!expression) return std::nullopt;
  std::string text = source;
  const auto& names = expression->names();
  for (auto name = names.rbegin(); name != names.rend(); ++name) {
    if (!facts.find(name->id) || !name->id.starts_with(from + '.')) continue;
    if (!facts.find(to + name->id.substr(from.size()))) return std::nullopt;
    text.replace(text.find(from, name->offset), from.size(), to);
  }
  return text;
}

// The same question about every other chip that has the facts it needs: [{id, title, given, answer}].
PageData::Json other_chips(Emitter& emitter, const Question& question, const std::string& answer) {
  const figures::Facts& facts = emitter.shared.values.facts;
  auto chips = PageData::Json::array();
  std::set<std::string> things;
  for (const auto& [name, source] : question.given) collect_things(facts, source, things);
  collect_things(facts, answer, things);
  if (things.size() != 1) return chips;
  const std::string& own = *things.begin();
  for (const auto& thing : facts.things()) {
    // What nobody makes is no machine: a run, a model, an assumption.
    if (thing.id == own || thing.vendor.empty()) continue;
    figures::Names names(emitter.shared.values.with_reference());
    figures::Given scope(&names);
    PageData::Json given = PageData::Json::object();
    // One that lacks a fact, or for which the answer does not exist, is left out.
    const auto take = [&](const std::string& source) -> std::optional<Quantity> {
      const auto text = exchanged(facts, source, own, thing.id);
      const auto expression = text ? Expression::parse(*text) : Expression::parse("");
      const auto value =
          expression ? expression->evaluate(scope) : figures::Result<Quantity>(expression.error());
      if (!value) return std::nullopt;
      emitter.data.need(expression->names(), facts);
      return *value;
    };
    bool complete = true;
    for (const auto& [name, source] : question.given) {
      const auto value = take(source);
      complete = complete && value;
      if (!complete) break;
      scope.set(name, *value);
      given[name] = *exchanged(facts, source, own, thing.id);
    }
    if (!complete || !take(answer)) continue;
    chips.push_back({{"id", thing.id},
                     {"title", thing.title},
                     {"given", given},
                     {"answer", *exchanged(facts, answer, own, thing.id)}});
  }
  return chips;
}

// Whose numbers the question is about: hidden until scripts can exchange them.
void emit_machines(Emitter& emitter, const std::string& id, const PageData::Json& chips,
                   bool yours) {
  if (chips.empty() && !yours) return;
  Html& out = emitter.out;
  const std::string foreign = emitter.shared.foreign();
  out.open("select", {{"class", "worked-machine"},
                      {"id", id + "-machine"},
                      {"hidden", "hidden"},
                      {"aria-label", emitter.word("Whose numbers")}});
  out.element("option", {{"value", ""}}, emitter.word("The book's numbers"));
  for (const auto& chip : chips) {
    out.element("option",
                {{"value", chip.at("id").get<std::string>()}, {"lang", foreign, !foreign.empty()}},
                chip.at("title").get<std::string>());
  }
  if (yours) out.element("option", {{"value", "reader"}}, emitter.word("Your machine"));
  out.close().line();
}

void emit(Emitter& emitter, Record& record, const Block& block, const Question& question,
          const PageData::Json& chips, const std::string& unit) {
  Html& out = emitter.out;
  const std::string& id = block.anchor->id;
  begin_question(emitter, block, record, unit);
  emit_machines(emitter, id, chips, record.at("yours").kind == Yaml::Kind::scalar);
  out.element("div", {{"class", "answer-row"}}, "").line();
  begin_answer(emitter, block, "Answer");
  out.open("p").element("strong", {}, record.at("expect").text);
  if (question.claim) {
    out.text(" ");
    claim_badge(emitter, *question.claim);
  }
  out.close().line();
  emitter.markdown(record.at("why"));
  if (const Yaml* trap = record.any("trap")) {
    out.element("p", {{"class", "label"}}, emitter.word("The tempting answer")).line();
    emitter.markdown(*trap);
  }
  out.close().line().close().line();
}

}  // namespace

void worked_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const auto yours = record.text("yours");
  const auto unit = figures::parse_literal(record.text("expect").value_or(""));
  if (!block.anchor) return;
  const auto tolerance = tolerance_of(emitter, record);
  const Question question = compute(emitter, record, tolerance);
  if (yours) {
    figures::Names names(emitter.shared.values.with_reference());
    figures::Given scope(&names);
    Evaluator(emitter, scope).evaluate(record.at("yours"));
  }
  const std::string& answer = record.at("answer").text;
  const auto chips =
      question.answered ? other_chips(emitter, question, answer) : PageData::Json::array();
  emit(emitter, record, block, question, chips, unit ? unit->unit : "");
  PageData::Json given = PageData::Json::object();
  for (const auto& [name, source] : question.given) given[name] = source;
  PageData::Json data = {{"id", block.anchor->id},
                         {"answer", answer},
                         {"given", given},
                         {"unit", unit ? unit->unit : ""},
                         {"tolerance", record.text("tolerance").value_or(usual_tolerance)},
                         {"chips", chips}};
  if (yours) data["yours"] = *yours;
  emitter.data.worked.push_back(std::move(data));
}

}  // namespace primer
