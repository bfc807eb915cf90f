#include "generator/index/page_ids.hpp"

#include <algorithm>
#include <set>

#include "generator/base/text.hpp"

namespace primer {

std::vector<std::string> frame_ids(bool home) {
  std::vector<std::string> ids = {"report", "text"};
  if (home) ids.insert(ids.end(), {"beside", "chapters"});
  return ids;
}

std::vector<std::string> repeated_ids(std::string_view html,
                                      const std::vector<std::string>& taken) {
  constexpr std::string_view attribute = " id=\"";
  std::set<std::string_view> seen(taken.begin(), taken.end());
  std::set<std::string> repeated;
  // `<`, `>` and, in values, `"` are escaped wherever they are not markup (html.hpp). Text such as a
  // block of code may hold ` id="x"`, a tag holds it as an attribute only.
  for (auto at = html.find('<'); at != html.npos; at = html.find('<', at)) {
    const std::string_view tag = html.substr(at, html.find('>', at) - at);
    at += tag.size();
    const auto begin = tag.find(attribute);
    if (begin == tag.npos) continue;
    const std::string_view rest = tag.substr(begin + attribute.size());
    const std::string_view id = rest.substr(0, rest.find('"'));
    if (!seen.insert(id).second) repeated.emplace(id);
  }
  return {repeated.begin(), repeated.end()};
}

void check_ids(const ChapterIndex& chapter, const Source& source, std::string_view html,
               Diagnostics& diagnostics) {
  const Entry& entry = *chapter.entry;
  for (const auto& id : repeated_ids(html, frame_ids(entry.url.empty()))) {
    const auto anchors = std::ranges::count(chapter.anchors, id, &Anchor::id);
    if (anchors > 1 && entry.original.empty()) continue;  // reported with the place of the other
    const Anchor* anchor = chapter.find(id);
    const std::size_t offset = anchor ? anchor->offset : 0;
    const int line = source.line_at(offset);
    const std::size_t end = source.line_start(line) + source.line(line).size();
    diagnostics.error(Rule::duplicate_id, source, offset, end - std::min(end, offset),
                      "the page has the id " + in_quotes(id) + " for something else already");
    diagnostics.hint(anchor && anchor->kind == AnchorKind::section
                         ? "a heading's id is made of its words; word it otherwise"
                         : "give the block another id");
  }
}

}  // namespace primer
