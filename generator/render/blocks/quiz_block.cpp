// ```quiz: a question with choices. Without scripts each choice unfolds its reason; with them the
// first choice counts and all reasons unfold.
//
//   id: q-which
//   ask: Markdown.
//   choices:
//     - say: Markdown line.
//       why: Markdown line.
//       right: true
#include "generator/render/directive.hpp"

namespace primer {

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
    // Both are asked for, so that both are reported.
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
    emitter.error(Rule::bad_value, block.yaml.offset, 1, "exactly one choice has right: true");
  }
}

}  // namespace primer
