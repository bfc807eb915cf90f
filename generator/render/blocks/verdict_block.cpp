// ```verdict: the sentence that a measured value chooses; here, the reference machine's.
#include "figures/quantities/verdict.hpp"

#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"
#include "generator/render/stand_in.hpp"

namespace primer {
namespace {

// An error in a sentence, which was parsed without the space before it.
figures::Error in_sentence(const Yaml& say, const figures::Error& error) {
  return figures::Error(error).moved(
      static_cast<std::size_t>(trim(say.text).data() - say.text.data()));
}

// What the check of all cases found, in the text that it is about.
void report(Emitter& emitter, const Yaml& block, const figures::Error& error) {
  const auto& cases = block.find("cases")->items;
  for (std::size_t i = 0; i < cases.size(); ++i) {
    const std::string path = "cases[" + std::to_string(i) + "]";
    const Yaml* say = cases[i].find("say");
    const Yaml* when = cases[i].find("when");
    if (error.path == path) return emitter.error(Rule::bad_verdict, cases[i], error);
    if (say && error.path == path + ".say")
      return emitter.error(Rule::bad_verdict, *say, in_sentence(*say, error));
    if (when && error.path == path + ".when") return emitter.error(Rule::bad_verdict, *when, error);
  }
  emitter.error(Rule::bad_verdict, *block.find("on"), error);
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
      emitter.error(Rule::bad_verdict, record.at("say"),
                    in_sentence(record.at("say"), status.error()));
      good = false;
    }
    parsed.cases.push_back({{"when", when}, {"say", say}});
  }
  if (!good) return std::nullopt;
  return parsed;
}

// The longest sentence, its values as long as values are: the room that a page keeps, so that another sentence moves
// nothing below it.
std::string longest(const PageData::Json& cases) {
  std::string longest;
  for (const auto& one : cases) {
    std::string text = one.at("say").get<std::string>();
    for (auto open = text.find('{'); open != text.npos; open = text.find('{', open)) {
      const auto unit = text.find('|', open);
      std::size_t depth = 0, close = open;
      for (; close < text.size(); ++close) {
        depth += text[close] == '{';
        if (text[close] == '}' && --depth == 0) break;
      }
      text.replace(open, close - open + 1, unit < close ? "00.0 GFLOP/s" : "00.00");
    }
    if (text.size() > longest.size()) longest = text;
  }
  return longest;
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
  const bool is_measured = values.reference && !values.unmeasured;
  if (is_measured) {
    // What is said about a GPU is checked on a machine made up for it, and so is what the reference has never run.
    const auto names = parsed->verdict.names();
    const auto machine = stand_in(names, values);
    auto sources = values.with_reference();
    if (needs_stand_in(names, values)) sources.profile = &machine;
    if (const auto checked = parsed->verdict.check(sources); !checked) {
      report(emitter, block.yaml, checked.error());
      if (checked.error().code == figures::Code::no_case) {
        emitter.diagnostics.hint("a last case with when: otherwise covers all that is left");
      }
      const auto expression = figures::Expression::parse(on);
      if (expression) hint_of_measured(emitter, *expression, checked.error());
      return;
    }
  }
  const auto choice = parsed->verdict.choose(values.with_reference(), nullptr);
  if (!choice && is_measured) {
    emitter.error(Rule::bad_verdict, record.at("on").offset, record.at("on").length,
                  choice.error().message, choice.error().suggestion);
    return;
  }
  emitter.out
      .element("p",
               {{"class", "verdict"},
                {"id", block.anchor->id},
                {"data-verdict", block.anchor->id},
                {"data-room", longest(parsed->cases)}},
               choice ? choice->text : emitter.word("Not measured yet."))
      .line();
  emitter.data.verdicts.push_back({{"id", block.anchor->id}, {"on", on}, {"cases", parsed->cases}});
  emitter.data.need(parsed->verdict.names(), values.facts);
}

}  // namespace primer
