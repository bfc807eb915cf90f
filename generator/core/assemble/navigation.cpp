#include "generator/core/assemble/navigation.hpp"

#include <algorithm>

#include "generator/core/base/html.hpp"

namespace primer {
namespace {

// CSS class for the width of a chapter in the strip: "share-1" to "share-9", two minutes each.
std::string share_of(std::uint64_t minutes) {
  return std::to_string(std::clamp<std::uint64_t>((minutes + 1) / 2, 1, 9));
}

std::string numbered(const ChapterIndex& chapter) {
  return chapter.entry->before_title() + chapter.front.title;
}

bool has_spine(const Index& index) {
  std::size_t chapters = 0;
  for (const auto& page : index.all()) {
    chapters += page.entry->kind == PageKind::chapter ? 1 : 0;
    if (chapters > longest_spine) return false;
  }
  return chapters >= 2;
}

}  // namespace

std::string section_list(const ChapterIndex& chapter, const Messages& text) {
  struct Section {
    const Anchor* anchor;
    bool measures = false;
  };
  std::vector<Section> sections;
  for (const auto& anchor : chapter.anchors) {
    if (anchor.kind == AnchorKind::section && anchor.level == 2) sections.push_back({&anchor});
    if (anchor.kind == AnchorKind::measurement && !sections.empty())
      sections.back().measures = true;
  }
  if (sections.size() < 2) return {};
  Html out;
  out.open("ol").line();
  for (const auto& [anchor, measures] : sections) {
    out.open("li").open("a", {{"href", '#' + anchor->id}});
    if (!anchor->number.empty())
      out.element("span", {{"class", "number"}}, anchor->number).text(" ");
    out.text(anchor->title);
    if (const SectionNote* note = chapter.front.section(anchor->id); note && !note->mark.empty())
      out.text(" ").element("span", {{"class", "measures"}}, word_of_mark(*note, text));
    if (measures) {
      // A no-break space keeps the mark on the line of the title.
      out.text("\u00a0").open("span", {{"class", "measures"}, {"title", text("Measurement")}});
      out.text("○").close();
    }
    out.close().close().line();
  }
  return out.close().line().take();
}

std::string spine(const Index& index, const std::vector<std::uint64_t>& minutes, std::size_t at,
                  const std::string& root, const Messages& words) {
  if (!has_spine(index)) return {};
  Html out;
  out.open("ol", {{"class", "spine"}}).line();
  for (std::size_t i = 0; i < std::min(index.all().size(), minutes.size()); ++i) {
    const ChapterIndex& chapter = index.all()[i];
    const Entry& entry = *chapter.entry;
    if (entry.kind != PageKind::chapter) continue;
    const std::string name =
        numbered(chapter) + ", " + words("{n} min", std::to_string(minutes[i]));
    out.open("li", {{"class", "share-" + share_of(minutes[i])}});
    out.open("a", {{"href", root + entry.url},
                   {"title", name},
                   {"aria-label", name},
                   {"aria-current", "page", i == at}});
    out.text(entry.number.empty() ? "·" : entry.number).close().close().line();
  }
  out.close();
  return out.line().take();
}

}  // namespace primer
