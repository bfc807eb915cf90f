// ```verdict: the sentence that a measured value chooses; here, the reference machine's.
#include "figures/quantities/verdict.hpp"

#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"
#include "generator/render/placeholder_gpu.hpp"

namespace primer {
namespace {

// The check names a case. When its message quotes something, that stands in one of the case's texts.
void report(Emitter& emitter, const Yaml& at, figures::Error error) {
  const auto quote = error.message.find('\'');
  const std::string quoted = error.message.substr(
      std::min(quote, error.message.size() - 1) + 1,
      error.message.find('\'', quote + 1) - quote - 1);
  std::vector<const Yaml*> texts{&at};
  for (const char* key : {"say", "when"}) {
    if (const Yaml* text = at.find(key)) texts.push_back(text);
  }
  error.length = 0;
  for (const Yaml* text : texts) {
    const auto place = quote == error.message.npos ? std::string::npos : text->text.find(quoted);
    if (place == std::string::npos) continue;
    error.offset = place;
    error.length = quoted.size();
    return emitter.error(Rule::bad_verdict, *text, error);
  }
  emitter.error(Rule::bad_verdict, at, error);
}

struct Parsed {
  figures::Verdict verdict;
  PageData::Json cases = PageData::Json::array();
};

// Nothing after a diagnostic.
std::optional<Parsed> parse_cases(Emitter& emitter, const Yaml& on, const Yaml& list) {
  Parsed parsed;
  bool good = true;
  if (const auto status = parsed.verdict.set_on(on.text); !status) {
    emitter.error(Rule::bad_expression, on, status.error());
    good = false;
  }
  for (const auto& item : list.items) {
    Record record(item, emitter.source, emitter.diagnostics);
    const std::string when = record.required_text("when");
    const std::string say(trim(record.required_text("say")));
    if (const auto status = parsed.verdict.add_when(when); !status) {
      emitter.error(Rule::bad_verdict, record.at("when"), status.error());
      good = false;
      continue;  // there is no case that its sentence could belong to
    }
    if (const auto status = parsed.verdict.set_say(say); !status) {
      emitter.error(Rule::bad_verdict, record.at("say"), status.error());
      good = false;
    }
    parsed.cases.push_back({{"when", when}, {"say", say}});
  }
  if (!good) return std::nullopt;
  return parsed;
}

}  // namespace

void verdict_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, emitter.source, emitter.diagnostics);
  const std::string on = record.required_text("on");
  const Yaml* list = record.list("cases");
  if (!block.anchor) return;
  const auto parsed = parse_cases(emitter, record.at("on"), *list);
  if (!parsed) return;

  const Values& values = emitter.shared.values;
  std::string sentence = emitter.word("Not measured yet.");
  if (values.reference && !values.unmeasured) {
    // What is said about a GPU is checked on a machine made up for it: the book has none.
    const auto names = parsed->verdict.names();
    const auto machine = stand_in(names, values);
    auto sources = values.with_reference();
    if (needs_gpu(names)) sources.profile = &machine;
    if (const auto checked = parsed->verdict.check(sources); !checked) {
      const std::size_t index = checked.error().offset;
      const Yaml& at = index < list->items.size() ? list->items[index] : record.at("on");
      report(emitter, at, checked.error());
      if (checked.error().message.starts_with("no case covers")) {
        emitter.diagnostics.hint("a last case with when: otherwise covers all that is left");
      }
      // The check makes one error of another, which no longer says its cause.
      auto error = checked.error();
      if (error.message.starts_with("on the reference machine: no ")) {
        error.cause = figures::Cause::not_measured;
      }
      const auto expression = figures::Expression::parse(on);
      if (expression) hint_of_measured(emitter, *expression, error);
      return;
    }
    const auto choice = parsed->verdict.choose(values.with_reference(), nullptr);
    if (!choice) {
      emitter.error(Rule::bad_verdict, record.at("on").offset, record.at("on").length,
                    choice.error().message, choice.error().suggestion);
      return;
    }
    sentence = choice->text;
  }
  emitter.out.element("p", {{"class", "verdict"}, {"id", block.anchor->id},
                            {"data-verdict", block.anchor->id}}, sentence).line();
  emitter.data.verdicts.push_back({{"id", block.anchor->id}, {"on", on}, {"cases", parsed->cases}});
  emitter.data.need(parsed->verdict.names(), values.facts);
}

}  // namespace primer
