// An image with a caption above it: "Figure fig-die width=50%: The chip.", numbered with the chapter's figures.
#include <algorithm>

#include "generator/base/text.hpp"
#include "generator/render/directive.hpp"

namespace primer {

// The class that says how wide, or "" after a diagnostic.
static std::string class_of_width(Emitter& emitter, const Caption& caption) {
  std::vector<std::string> widths;
  for (const int width : picture_widths) widths.push_back(std::to_string(width) + '%');
  if (caption.width.empty()) return "picture";
  if (std::ranges::find(widths, caption.width) != widths.end())
    return "picture width-" + caption.width.substr(0, caption.width.size() - 1);
  emitter.error(Rule::bad_caption, caption.id_offset + caption.id.size() + 1,
                caption.width.size() + 6, "an image has no width " + in_quotes(caption.width));
  emitter.diagnostics.hint("of the text's width it can have " + join(widths, ", ") +
                           "; without one it is as wide as its file says");
  return "picture";
}

void Emitter::picture(const Caption& caption, const Node& paragraph) {
  check_caption_word(caption);
  out.open("figure", {{"class", class_of_width(*this, caption)}, {"id", caption.id}}).line();
  emit_image(*this, *lone_image(paragraph));
  out.line().open("figcaption");
  out.element("span", {{"class", "label"}},
              label(chapter.at(paragraph.offset), AnchorKind::figure));
  out.text(" ");
  inlines(caption.text);
  out.close().line().close().line();
}

}  // namespace primer
