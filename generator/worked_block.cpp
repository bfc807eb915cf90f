// ```worked: a question whose answer the generator computes.
#include "generator/own_block.hpp"
#include "generator/text.hpp"

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
    emitter_.data.need(expression->names(), emitter_.shared.values.facts);
    const auto value = expression->evaluate(scope_);
    if (!value) return report(at, value.error());
    return *value;
  }

 private:
  std::nullopt_t report(const Yaml& at, const figures::Error& error) {
    const bool unmeasured = emitter_.shared.values.unmeasured;
    if (unmeasured && error.cause != figures::Cause::invalid) return std::nullopt;
    emitter_.error(Rule::bad_expression, at.offset + error.offset,
                   error.length ? error.length : at.length, error.message, error.suggestion);
    return std::nullopt;
  }

  Emitter& emitter_;
  figures::Scope& scope_;
};

// "5 %" or nothing; reported when it is no number.
void check_tolerance(Emitter& emitter, const Yaml& at) {
  const auto literal = figures::parse_literal(at.text);
  const bool good = literal && literal->quantity.dimension.is_number() &&
                    literal->quantity.value > 0 && literal->quantity.value < 1;
  if (!good) {
    emitter.error(Rule::bad_value, at.offset, at.length, "a tolerance is a share such as 5 %");
  }
}

void check_expected(Emitter& emitter, const Yaml& expect, const Quantity& exact) {
  const auto literal = figures::parse_literal(expect.text);
  if (!literal) {
    emitter.error(Rule::wrong_literal, expect.offset, expect.length, literal.error().message,
                  literal.error().suggestion);
  } else if (!figures::agrees(*literal, exact)) {
    const bool same = literal->quantity.dimension == exact.dimension;
    const std::string right = same ? figures::rewrite(*literal, exact) : figures::format(exact);
    emitter.error(Rule::wrong_literal, expect.offset, expect.length,
                  "the text says " + expect.text + ", the answer is " + right, right);
  }
}

struct Question {
  PageData::Json given = PageData::Json::object();
  bool answered = false;
};

Question compute(Emitter& emitter, Record& record) {
  Question question;
  figures::Names names(emitter.shared.values.with_reference());
  figures::Given given(&names);
  Evaluator evaluator(emitter, given);
  bool complete = true;
  if (const Yaml* map = record.map("given")) {
    for (const auto& [name, value] : map->entries) {
      question.given[name.text] = value.text;
      const auto quantity = evaluator.evaluate(value);
      if (quantity) given.set(name.text, *quantity);
      complete = complete && quantity.has_value();
    }
  }
  const Yaml* answer = record.any("answer");
  if (!answer || !complete) return question;
  const auto exact = evaluator.evaluate(*answer);
  question.answered = exact.has_value();
  const Yaml& expect = record.at("expect");
  if (exact && expect.kind == Yaml::Kind::scalar) check_expected(emitter, expect, *exact);
  return question;
}

void emit(Emitter& emitter, Record& record, const Block& block) {
  Html& out = emitter.out;
  const std::string& id = block.anchor->id;
  out.open("section", {{"class", "worked"}, {"id", id}, {"data-worked", id}}).line();
  out.element("p", {{"class", "label"}}, emitter.label(block.anchor, AnchorKind::question)).line();
  emitter.markdown(record.at("ask"));
  out.open("details", {{"class", "answer"}}).element("summary", {}, "Answer").line();
  out.open("p").element("strong", {}, record.at("expect").text).close().line();
  emitter.markdown(record.at("why"));
  if (const Yaml* trap = record.any("trap")) {
    out.element("p", {{"class", "label"}}, "The tempting answer").line();
    emitter.markdown(*trap);
  }
  out.close().line().close().line();
}

}  // namespace

void worked_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, "worked question", emitter.source, emitter.diagnostics);
  record.required_text("id");
  const bool complete = !record.required_text("ask").empty() &
                        !record.required_text("answer").empty() &
                        !record.required_text("expect").empty() &
                        !record.required_text("why").empty();
  const auto tolerance = record.text("tolerance");
  const auto yours = record.text("yours");
  const auto unit = figures::parse_literal(record.text("expect").value_or(""));
  record.text("trap");
  record.any("given");
  record.finish();
  if (!complete || !block.anchor) return;
  if (tolerance) check_tolerance(emitter, record.at("tolerance"));
  const Question question = compute(emitter, record);
  if (yours) {
    figures::Names names(emitter.shared.values.with_reference());
    figures::Given scope(&names);
    Evaluator(emitter, scope).evaluate(record.at("yours"));
  }
  emit(emitter, record, block);
  PageData::Json data = {{"id", block.anchor->id},
                         {"answer", record.at("answer").text},
                         {"given", question.given},
                         {"unit", unit ? unit->unit : ""},
                         {"tolerance", tolerance.value_or("2 %")}};
  if (yours) data["yours"] = *yours;
  emitter.data.worked.push_back(std::move(data));
}

}  // namespace primer
