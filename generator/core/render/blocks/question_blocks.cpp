// The blocks that ask the reader: ```predict, ```quiz, ```problems and ```worked.
#include <cmath>
#include <map>
#include <set>

#include "figures/base/decimal_text.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/render/directive.hpp"

namespace primer {
// ```predict: asks for a guess before a measurement, chosen from a list or typed as a number.
//
//   id: q-guess                                  id: q-guess
//   ask: Markdown.                               ask: Markdown.
//   measured: stream.triad{w=64MiB}              choices:
//   unit: GB/s                                     - say: ten million
//   then: Markdown, read after the guess.        then: Markdown, read after the guess.
//
// A number is compared with the reader's measurement or, until there is one, with the reference
// machine's, which is also what a page without scripts shows. A list of choices may also have
// "measured" and "unit", and one of them may be right.

namespace {
using figures::Expression;

struct Measured {
  std::string expression, unit;
  std::set<std::string> runs;
  std::string reference;  // "12.5 GB/s"; empty: not measured
};

// No value after a diagnostic.
std::optional<Measured> evaluate(Emitter& emitter, const Yaml& at, const Yaml& unit) {
  const auto report = [&](const figures::Error& error) {
    emitter.error(Rule::bad_expression, at.offset + error.offset,
                  error.length ? error.length : at.length, error.message, error.suggestion);
    return std::nullopt;
  };
  const auto expression = Expression::parse(at.text);
  if (!expression) return report(expression.error());
  const Values& values = emitter.shared.values;
  figures::Names names(values.with_reference());
  emitter.data.need(expression->names(), values.facts);
  Measured measured{at.text, unit.text, {}, ""};
  for (const auto& name : expression->names()) {
    if (!name.arguments.empty()) measured.runs.insert(run_key(name));
  }
  const auto value = expression->evaluate(names);
  if (!value) {
    // A missing measurement is not an error.
    if (value.error().cause == figures::Cause::invalid) return report(value.error());
    const auto known = figures::parse_unit(unit.text);
    if (known) return measured;
    emitter.error(Rule::bad_value, unit.offset, unit.length, known.error().message,
                  known.error().suggestion);
    emitter.diagnostics.hint(std::string(usual_units));
    return std::nullopt;
  }
  const auto text = figures::format(*value, unit.text);
  if (!text) {
    emitter.error(Rule::bad_value, unit.offset + text.error().offset,
                  text.error().length ? text.error().length : unit.length, text.error().message,
                  text.error().suggestion);
    return std::nullopt;
  }
  measured.reference = *text;
  return measured;
}

// Returns the number of the right choice, from 0; no value if none is marked.
std::optional<std::size_t> emit_choices(Emitter& emitter, const Yaml& choices) {
  Html& out = emitter.out;
  std::optional<std::size_t> right;
  out.open("ul", {{"class", "choices"}}).line();
  for (std::size_t i = 0; i < choices.items.size(); ++i) {
    Record one(choices.items[i], emitter.source, emitter.diagnostics);
    const bool says = !one.required_text("say").empty();
    if (one.flag("right").value_or(false)) {
      if (right) {
        emitter.error(Rule::bad_value, one.at("right").offset, one.at("right").length,
                      "two choices have right: true; expected one at most");
      }
      right = i;
    }
    if (!says) continue;
    out.open("li");
    emitter.markdown_line(one.at("say"));
    out.close().line();
  }
  out.close().line();
  return right;
}

}  // namespace

void predict_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  record.required_text("id");
  // Evaluate both, so that both errors are reported.
  const bool asks = !record.required_text("ask").empty();
  const bool goes_on = !record.required_text("then").empty();
  const bool complete = asks && goes_on;
  const Yaml* choices = record.list("choices");
  const bool has_measured = record.text("measured").has_value();
  const bool has_unit = record.text("unit").has_value();
  if (has_measured != has_unit) {
    emitter.error(Rule::missing_key, block.yaml.offset, 1,
                  has_unit ? "\"unit\" needs \"measured\", which is missing"
                           : "\"measured\" needs a \"unit\", in which readers guess");
    return;
  }
  std::optional<Measured> measured;
  if (has_measured) measured = evaluate(emitter, record.at("measured"), record.at("unit"));
  if (!complete || !block.anchor || (has_measured && !measured)) return;

  Html& out = emitter.out;
  begin_question(emitter, block, record, choices || !measured ? "" : measured->unit);
  const auto right = choices ? emit_choices(emitter, *choices) : std::nullopt;
  out.element("div", {{"class", "answer-row"}}, "").line();
  begin_answer(emitter, block, "Compare");
  if (measured && !measured->reference.empty()) {
    out.open("p").text(emitter.word("Measured on the reference machine:") + ' ');
    out.element("strong", {}, measured->reference).text(".").close().line();
  }
  emitter.markdown(record.at("then"));
  out.close().line().close().line();
  emitter.guesses.push_back(
      {block.anchor->id, measured ? measured->runs : std::set<std::string>()});
  PageData::Json data = {{"id", block.anchor->id}};
  if (measured) {
    data["measured"] = measured->expression;
    data["unit"] = measured->unit;
  }
  if (right) {
    data["right"] = *right;
    data["kind"] = record.text("kind").value_or("scale");
  }
  emitter.data.predictions.push_back(std::move(data));
}

// ```quiz: a question with choices. Without scripts, each choice unfolds its reason. With scripts,
// the first choice counts and all reasons unfold.
//
//   id: q-which
//   ask: Markdown.
//   choices:
//     - say: Markdown line.
//       why: Markdown line.
//       right: true

void begin_question(Emitter& emitter, const Block& block, const Record& record,
                    const std::string& unit) {
  const std::string& id = block.anchor->id;
  Html& out = emitter.out;
  out.open("section", {{"class", block.name},
                       {"id", id},
                       {"role", "group"},
                       {"aria-labelledby", id + ".label"},
                       {"data-unit", unit, !unit.empty()}})
      .line();
  out.element("p", {{"class", "label"}, {"id", id + ".label"}},
              emitter.label(block.anchor, AnchorKind::question))
      .line();
  out.open("div", {{"class", "ask"}, {"id", id + ".ask"}}).line();
  emitter.markdown(record.at("ask"));
  out.close().line();
}

void begin_answer(Emitter& emitter, const Block& block, std::string_view summary) {
  const std::string& id = block.anchor->id;
  emitter.out.open("details", {{"class", "answer"}})
      .element("summary",
               {{"id", id + ".answer"}, {"aria-labelledby", id + ".label " + id + ".answer"}},
               emitter.word(summary))
      .line();
}

void quiz_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  record.required_text("id");
  const bool asks = !record.required_text("ask").empty();
  const Yaml* choices = record.list("choices");
  if (!choices || choices->items.size() < 2) {
    emitter.error(Rule::missing_key, block.yaml.offset, 1,
                  "the quiz block needs at least two choices");
    return;
  }
  if (!asks || !block.anchor) return;
  Html& out = emitter.out;
  begin_question(emitter, block, record, "");
  out.open("ul", {{"class", "choices"}}).line();
  int right = 0;
  for (const auto& choice : choices->items) {
    Record one(choice, emitter.source, emitter.diagnostics);
    // Evaluate both, so that both errors are reported.
    const bool says = !one.required_text("say").empty();
    const bool explains = !one.required_text("why").empty();
    const bool complete = says && explains;
    const bool is_right = one.flag("right").value_or(false);
    if (!complete) continue;
    right += is_right ? 1 : 0;
    out.open("li").open("details", {{"class", is_right ? "choice choice-right" : "choice"}});
    out.open("summary");
    emitter.markdown_line(one.at("say"));
    out.close().open("p").element("strong", {}, emitter.word(is_right ? "Right." : "No.") + ' ');
    emitter.markdown_line(one.at("why"));
    out.close().close().close().line();
  }
  out.close().line();
  out.element("p", {{"class", "quiz-result"}, {"role", "status"}},
              emitter.word("Your first choice counts."))
      .line()
      .close()
      .line();
  if (right != 1) {
    emitter.error(Rule::bad_value, block.yaml.offset, 1,
                  "exactly one choice must have right: true");
  }
}

// ```problems: shows how many of the questions up to the next section the reader has solved.

void write_score(Html& out, const Messages& words, std::size_t count) {
  out.element("p", {{"class", "score"}, {"role", "status"}},
              words("Problems: {n}.", std::to_string(count)))
      .line();
}

void problems_block(Emitter& emitter, const Block& block) {
  const int count = emitter.questions_after(block.node.offset);
  if (count == 0) {
    emitter.error(Rule::bad_value, block.node.offset, 3 + block.node.info.size(),
                  "this section has no worked question or quiz below the problems");
    return;
  }
  write_score(emitter.out, emitter.shared.words, static_cast<std::size_t>(count));
}

// ```worked: a question whose answer the build computes, with the book's numbers and with those of
// every other chip that has the same facts. Scripts also compute it for the reader's machine.

namespace {
using figures::Expression;
using figures::Quantity;

// Parses and evaluates one scalar of the block. No value after a diagnostic.
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

  // Lets later expressions use the last value's kind of count under this name.
  void name_last(const std::string& name) { given_[name] = counting_; }
  const figures::Counting& counting() const { return counting_; }
  // The claim among all evaluated facts that most needs a caution, or null.
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

// The share in "5 %": 0.05. Reports what is not a share.
std::optional<double> tolerance_of(Emitter& emitter, Record& record) {
  const std::string text = record.text("tolerance").value_or(usual_tolerance);
  const auto literal = figures::parse_literal(text);
  const bool good = literal && literal->quantity.dimension.is_number() &&
                    literal->quantity.value > 0 && literal->quantity.value < 1;
  if (good) return literal->quantity.value;
  const Yaml& at = record.at("tolerance");
  emitter.error(Rule::bad_value, at.offset, at.length, "expected a tolerance such as 5 %");
  return std::nullopt;
}

// Reports an expected answer of one digit, unless it is within the tolerance: 0.2 and 0.3 both
// agree with 0.25.
void check_precision(Emitter& emitter, const Yaml& expect, const figures::Literal& said,
                     const Quantity& exact, double tolerance) {
  const double off = std::abs(said.quantity.value - exact.value) / std::abs(exact.value);
  if (said.significant > 1 || !(off > tolerance)) return;
  const std::string right = figures::format(exact),
                    share = figures::write_significant(100 * off, 2);
  emitter.error(Rule::wrong_literal, expect.offset, expect.length,
                expect.text + " is " + share + " % off the answer, " + right, right);
  emitter.diagnostics.hint("write more digits, or a wider tolerance");
}

void check_expected(Emitter& emitter, const Yaml& expect, const Quantity& exact,
                    const figures::Counting& counting, std::optional<double> tolerance) {
  const auto literal = figures::parse_literal(expect.text);
  const auto refuse = [&](const std::string& message, const std::string& right) {
    emitter.error(Rule::wrong_literal, expect.offset, expect.length, message, right);
    const std::size_t at = expect.offset + (expect.plain ? 0 : 1);  // after a quotation mark
    if (emitter.source.text().substr(at).starts_with(expect.text))
      emitter.diagnostics.fix({at, expect.text.size(), right});
  };
  if (!literal) {
    const std::string right = figures::format(exact);
    refuse(literal.error().message + "; the answer is " + right, right);
  } else if (!figures::agrees(*literal, exact)) {
    const bool same = literal->quantity.dimension == exact.dimension;
    const std::string right = same ? figures::rewrite(*literal, exact) : figures::format(exact);
    refuse("the text says " + expect.text + ", but the answer is " + right, right);
  } else if (const auto wrong = figures::miscount(*literal, counting, true)) {
    emitter.error(Rule::wrong_literal, expect.offset, expect.length,
                  "the text says " + expect.text + ", but " + *wrong);
  } else if (tolerance) {
    check_precision(emitter, expect, *literal, exact, *tolerance);
  }
}

using Texts = std::vector<std::pair<std::string, std::string>>;  // in the order of the source

struct Question {
  Texts given;
  bool answered = false;
  const figures::Fact* claim = nullptr;  // claim that the answer depends on, or null
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
                          " looks like a fact's id: names in a question cannot contain a dot");
      } else if (emitter.shared.values.facts.find(name.text)) {
        emitter.error(Rule::bad_id, name.offset, name.length,
                      in_quotes(name.text) + " is the id of a fact, which this name would hide");
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

// Collects the things whose facts an expression uses: "h100-sxm" for h100-sxm.bandwidth.
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

// Replaces the facts of one thing by those of another. No value if the other lacks one of them.
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

// The same question for every other chip that has the necessary facts: [{id, title, given,
// answer}].
PageData::Json other_chips(Emitter& emitter, const Question& question, const std::string& answer) {
  const figures::Facts& facts = emitter.shared.values.facts;
  auto chips = PageData::Json::array();
  std::set<std::string> things;
  for (const auto& [name, source] : question.given) collect_things(facts, source, things);
  collect_things(facts, answer, things);
  if (things.size() != 1) return chips;
  const std::string& own = *things.begin();
  for (const auto& thing : facts.things()) {
    // Only machines have a vendor; runs, models and assumptions do not.
    if (thing.id == own || thing.vendor.empty()) continue;
    figures::Names names(emitter.shared.values.with_reference());
    figures::Given scope(&names);
    PageData::Json given = PageData::Json::object();
    // Skips chips that lack a fact or for which the answer has no value.
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

// Selects the machine of the question. Hidden until scripts can change the numbers.
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
