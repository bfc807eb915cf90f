// ```quiz and ```predict: questions with choices. Complete without scripts: every choice says why.
//
//   quiz                                     predict
//   id: q-which                              id: q-guess
//   ask: Markdown.                           ask: Markdown.
//   choices:                                 choices:
//     - say: Markdown.                         - say: ten million
//       why: Markdown.                       then: Markdown, read after the guess.
//       right: true
#include "generator/own_block.hpp"

namespace primer {
namespace {

void begin(Emitter& emitter, const Block& block, Record& record) {
  const std::string& id = block.anchor->id;
  emitter.out.open("section", {{"class", block.name}, {"id", id}}).line();
  emitter.out.element("p", {{"class", "label"}},
                      emitter.label(block.anchor, AnchorKind::question)).line();
  emitter.markdown(record.at("ask"));
}

const Yaml* choices_of(Emitter& emitter, const Block& block, Record& record) {
  const Yaml* choices = record.list("choices");
  if (!choices || choices->items.size() < 2) {
    emitter.error(Rule::missing_key, block.yaml.offset, 1,
                  "the " + block.name + " block needs at least two choices");
    return nullptr;
  }
  return choices;
}

}  // namespace

void quiz_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, "quiz", emitter.source, emitter.diagnostics);
  record.required_text("id");
  const bool asks = !record.required_text("ask").empty();
  const Yaml* choices = choices_of(emitter, block, record);
  record.finish();
  if (!choices || !asks || !block.anchor) return;
  begin(emitter, block, record);
  Html& out = emitter.out;
  out.open("ul", {{"class", "choices"}}).line();
  int right = 0;
  for (const auto& choice : choices->items) {
    Record one(choice, "choice", emitter.source, emitter.diagnostics);
    const bool complete = !one.required_text("say").empty() & !one.required_text("why").empty();
    const bool is_right = one.flag("right").value_or(false);
    one.finish();
    if (!complete) continue;
    right += is_right ? 1 : 0;
    out.open("li").open("details", {{"class", is_right ? "choice choice-right" : "choice"}});
    out.open("summary");
    emitter.markdown_line(one.at("say"));
    out.close().open("p").element("strong", {}, is_right ? "Right. " : "No. ");
    emitter.markdown_line(one.at("why"));
    out.close().close().close().line();
  }
  out.close().line().close().line();
  if (right != 1) {
    emitter.error(Rule::bad_value, block.yaml.offset, 1, "exactly one choice has right: true");
  }
}

void predict_block(Emitter& emitter, const Block& block) {
  Record record(block.yaml, "predict", emitter.source, emitter.diagnostics);
  record.required_text("id");
  const bool complete =
      !record.required_text("ask").empty() & !record.required_text("then").empty();
  const Yaml* choices = choices_of(emitter, block, record);
  record.finish();
  if (!choices || !complete || !block.anchor) return;
  begin(emitter, block, record);
  Html& out = emitter.out;
  out.open("ul", {{"class", "choices"}}).line();
  for (const auto& choice : choices->items) {
    Record one(choice, "choice", emitter.source, emitter.diagnostics);
    const bool says = !one.required_text("say").empty();
    one.finish();
    if (!says) continue;
    out.open("li");
    emitter.markdown_line(one.at("say"));
    out.close().line();
  }
  out.close().line();
  out.open("details", {{"class", "answer"}}).element("summary", {}, "Compare").line();
  emitter.markdown(record.at("then"));
  out.close().line().close().line();
}

}  // namespace primer
