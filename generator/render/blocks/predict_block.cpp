// ```predict: a guess before a measurement, chosen from a list or typed as a number.
//
//   id: q-guess                                  id: q-guess
//   ask: Markdown.                               ask: Markdown.
//   measured: stream.triad{w=64MiB}              choices:
//   unit: GB/s                                     - say: ten million
//   then: Markdown, read after the guess.        then: Markdown, read after the guess.
//
// A number is compared with the reader's measurement, or, until there is one, with the reference
// machine's, which is also what stands there without scripts. Either kind may name what is measured.
#include "generator/render/directive.hpp"

namespace primer {
namespace {

using figures::Expression;

struct Measured {
  std::string expression, unit;
  std::set<std::string> runs;
  std::string reference;  // "12.5 GB/s", or empty: not measured
};

// Nothing after a diagnostic.
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
    // What is not measured yet is not a mistake.
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

void emit_choices(Emitter& emitter, const Yaml& choices) {
  Html& out = emitter.out;
  out.open("ul", {{"class", "choices"}}).line();
  for (const auto& choice : choices.items) {
    Record one(choice, emitter.source, emitter.diagnostics);
    const bool says = !one.required_text("say").empty();
    if (!says) continue;
    out.open("li");
    emitter.markdown_line(one.at("say"));
    out.close().line();
  }
  out.close().line();
}

}  // namespace

void predict_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  record.required_text("id");
  // Both are asked for, so that both are reported.
  const bool asks = !record.required_text("ask").empty();
  const bool goes_on = !record.required_text("then").empty();
  const bool complete = asks && goes_on;
  const Yaml* choices = record.list("choices");
  const bool has_measured = record.text("measured").has_value();
  const bool has_unit = record.text("unit").has_value();
  if (has_measured != has_unit) {
    emitter.error(Rule::missing_key, block.yaml.offset, 1,
                  has_unit ? "\"unit\" belongs to \"measured\", which is missing"
                           : "\"measured\" needs a \"unit\", which the reader guesses in");
    return;
  }
  std::optional<Measured> measured;
  if (has_measured) measured = evaluate(emitter, record.at("measured"), record.at("unit"));
  if (!complete || !block.anchor || (has_measured && !measured)) return;

  Html& out = emitter.out;
  begin_question(emitter, block, record, choices || !measured ? "" : measured->unit);
  if (choices) emit_choices(emitter, *choices);
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
  emitter.data.predictions.push_back(std::move(data));
}

}  // namespace primer
