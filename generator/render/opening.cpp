// A chapter's front matter in its text: the picture to keep as the answer's last sentence, at the opening's end what the
// reader will be able to do, at the chapter's what to take away.
#include <utility>

#include "generator/render/emitter.hpp"

namespace primer {

void Emitter::points(const std::vector<std::string>& lines) {
  out.open("ul").line();
  for (const auto& line : lines) out.open("li").raw(render_line(line)).close().line();
  out.close().line();
}

void Emitter::end_answer() {
  if (!std::exchange(answering_, false)) return;
  const std::string& model = chapter.front.mental_model;
  if (model.empty()) return;
  out.open("p", {{"class", "mental-model"}}).raw(render_line(model)).close().line();
}

void Emitter::end_opening() {
  end_answer();
  if (!std::exchange(opening_, false)) return;
  const FrontMatter& front = chapter.front;
  if (!front.outcomes.empty()) {
    out.open("div", {{"class", "outcomes"}}).line();
    out.element("p", {{"class", "label"}}, word("After this chapter you can")).line();
    points(front.outcomes);
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
    out.open("p").raw(render_line(lines.front())).close().line();
  } else {
    points(lines);
  }
  out.close().line();
}

}  // namespace primer
