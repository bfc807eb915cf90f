// What a translation's page says of its original, and what it takes over from it in its language.
#include <algorithm>

#include "generator/render/emitter.hpp"

namespace primer {

// What has changed in the original since the block there was translated, for a translation's reader.
void Emitter::notices(std::size_t before) {
  for (const auto& notice : chapter.notices) {
    if (notice.before != before) continue;
    for (const auto& id : notice.ids) out.element("span", {{"id", id}}, "");
    if (!notice.stale && !notice.missing) continue;
    out.open("p", {{"class", "label stale"}});
    out.text(
        word(notice.stale ? "What follows may be out of date." : "A part is not translated here."));
    const std::string page = relative("") + "../" + chapter.entry->url;
    out.text(" ")
        .element("a",
                 {{"href", notice.original.empty() ? page : page + '#' + notice.original},
                  {"hreflang", shared.book.source_language}},
                 word("Read the original"))
        .close()
        .line();
  }
}

std::string Emitter::foreign(const Term& term) const {
  return term.language == chapter.entry->language ? "" : term.language;
}

void Emitter::tip_text(const std::string& id, const Tip& tip) {
  const std::string whole = tip.front().language;
  const bool is_one =
      std::ranges::all_of(tip, [&](const TipPart& part) { return part.language == whole; });
  out.open("span", {{"class", "tip"},
                    {"role", "tooltip"},
                    {"id", id},
                    {"lang", whole, is_one && !whole.empty()}});
  for (const auto& [text, language] : tip) {
    if (is_one || language.empty()) out.text(text);
    else out.element("span", {{"lang", language}}, text);
  }
  out.close();
}

}  // namespace primer
