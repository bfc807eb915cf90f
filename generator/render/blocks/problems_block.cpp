// ```problems: the score of the questions below it, up to the next heading of a section.
#include "generator/render/directive.hpp"

namespace primer {

void problems_block(Emitter& emitter, const Block& block) {
  const int count = emitter.questions_after(block.node.offset);
  if (count == 0) {
    emitter.error(Rule::bad_value, block.node.offset, 3 + block.node.info.size(),
                  "there is no worked question and no quiz in this section below the problems");
    return;
  }
  emitter.out
      .element("p", {{"class", "score"}, {"role", "status"}},
               emitter.shared.words("Problems: {n}. What you solve is counted here.",
                                    std::to_string(count)))
      .line();
}

}  // namespace primer
