// A chapter's front matter in its text: the picture to keep as the answer's last sentence, at the opening's end what the
// reader will be able to do, at the chapter's what to take away.
#include <utility>

#include "generator/render/emitter.hpp"

namespace primer {

void Emitter::points(std::string_view key, const std::vector<std::string>& lines) {
  out.open("ul").line();
  for (std::size_t i = 0; i < lines.size(); ++i)
    out.open("li").raw(render_line(key, lines[i], i)).close().line();
  out.close().line();
}

void Emitter::end_answer() {
  if (!std::exchange(answering_, false)) return;
  const std::string& model = chapter.front.mental_model;
  if (model.empty()) return;
  out.open("p", {{"class", "mental-model"}}).raw(render_line("mental_model", model)).close().line();
}

void Emitter::end_opening() {
  end_answer();
  if (!std::exchange(opening_, false)) return;
  const FrontMatter& front = chapter.front;
  if (!front.outcomes.empty()) {
    out.open("div", {{"class", "outcomes"}}).line();
    out.element("p", {{"class", "label"}}, word("After this chapter you can")).line();
    points("outcomes", front.outcomes);
    out.close().line();
  }
  opening_end_ = out.size();
}

void Emitter::takeaway() {
  const auto& lines = chapter.front.takeaway;
  if (lines.empty()) return;
  out.open("div", {{"class", "callout callout-takeaway"}, {"role", "note"}}).line();
  out.element("p", {{"class", "label"}}, word("Takeaway")).line();
  if (lines.size() == 1) {
    out.open("p").raw(render_line("takeaway", lines.front())).close().line();
  } else {
    points("takeaway", lines);
  }
  out.close().line();
}

}  // namespace primer
