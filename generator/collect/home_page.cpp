// The home page's list of what there is to read.
#include <algorithm>
#include <span>

#include "generator/base/html.hpp"
#include "generator/base/text.hpp"
#include "generator/collect/collection.hpp"
#include "generator/diagnostic/extract.hpp"
#include "generator/markdown/markdown.hpp"

namespace primer {
namespace {

// A line of Markdown as text: no links, which lead elsewhere from here.
std::string without_marks(const std::string& markdown) {
  if (markdown.find_first_of("[]`*_$\\<&") == markdown.npos) return markdown;
  const Source source("", markdown);
  Diagnostics reported_elsewhere;
  const auto line =
      parse_markdown(extract_lines(source, 1, source.line_count()), reported_elsewhere);
  return line ? plain_text(*line) : markdown;
}

// What a reader takes from a page, in words: the first that has no formula. Without one, what the page
// is about.
void write_takeaway(Html& out, const PageView& part) {
  const FrontMatter& front = part.index->front;
  const auto in_words = std::ranges::find(front.takeaway, std::string::npos,
                                          [](const std::string& words) { return words.find('$'); });
  const std::string& words = in_words == front.takeaway.end() ? front.summary : *in_words;
  if (words.empty()) return;
  out.element("p", {{"class", "takeaway"}}, without_marks(words)).line();
}

// "33 min · 11 measurements · 21 questions"
std::string facts_of(const CollectContext& book, const PageView& part) {
  std::string facts = book.words("{n} min", std::to_string(part.excerpt->minutes()));
  const auto add = [&](AnchorKind kind, const char* one, const char* many) {
    const auto count = std::ranges::count(part.index->anchors, kind, &Anchor::kind);
    if (count > 0) facts += " · " + book.words(count == 1 ? one : many, std::to_string(count));
  };
  add(AnchorKind::measurement, "{n} measurement", "{n} measurements");
  add(AnchorKind::question, "{n} question", "{n} questions");
  return facts;
}

void write_subpages(Html& out, const CollectContext& book, std::span<const PageView> pages) {
  out.open("ol", {{"class", "card-pages"}}).line();
  for (const auto& page : pages) {
    const std::string foreign = page.foreign(book.book);
    out.open("li", {{"lang", foreign, !foreign.empty()}});
    out.element("a", {{"href", "./" + page.index->entry->url}}, page.title()).close().line();
  }
  out.close().line();
}

void write_card(Html& out, const CollectContext& book, const PageView& part,
                std::span<const PageView> subpages) {
  const Entry& entry = *part.index->entry;
  const std::string foreign = part.foreign(book.book);
  out.open("li", {{"class", "card"}, {"lang", foreign, !foreign.empty()}}).line();
  if (const PageFigure* figure = part.excerpt->find(part.index->front.figure)) {
    out.open("div", {{"class", "card-figure"}, {"aria-hidden", "true"}});
    out.raw(replace_all(figure->picture, "src=\"../", "src=\"./"));
    out.close().line();
  }
  out.open("h3").open("a", {{"href", "./" + entry.url}});
  if (!entry.number.empty()) out.element("span", {{"class", "number"}}, entry.number).text(" ");
  out.text(part.index->front.title).close().close().line();
  write_takeaway(out, part);
  out.element("p", {{"class", "card-facts"}}, facts_of(book, part)).line();
  if (!subpages.empty()) write_subpages(out, book, subpages);
  out.close().line();
}

// A card for each chapter, in its part, with its sub-pages.
void write_cards(Html& out, const CollectContext& book) {
  bool open = false;
  for (auto part = book.parts.begin(); part != book.parts.end();) {
    const Entry& entry = *part->index->entry;
    const auto begin = std::next(part);
    const auto end = std::find_if(begin, book.parts.end(), [](const PageView& page) {
      return !page.is_chapter() || page.index->entry->depth == 0;
    });
    if (part->is_chapter()) {
      const std::string title = book.book.part_of(entry);
      if (open && !title.empty()) out.close().line();
      if (!title.empty()) out.element("h2", {{"class", "part"}}, title).line();
      if (!open || !title.empty()) out.open("ol", {{"class", "cards"}}).line();
      open = true;
      write_card(out, book, *part, {begin, end});
    }
    part = end;
  }
  if (!open) out.open("ol", {{"class", "cards"}}).line();
  out.close().line();
}

}  // namespace

std::string home_list(const CollectContext& book, const std::vector<CollectionPage>& collections) {
  Html out;
  write_cards(out, book);
  out.element("h2", {{"id", "beside"}}, book.words("Beside the chapters")).line();
  out.open("ul", {{"class", "beside-list"}}).line();
  for (const auto& part : book.parts) {
    const Entry& entry = *part.index->entry;
    if (part.is_chapter() || entry.url.empty()) continue;
    const std::string foreign = part.foreign(book.book);
    out.open("li", {{"lang", foreign, !foreign.empty()}});
    out.element("a", {{"href", "./" + entry.url}}, part.index->front.title).close().line();
  }
  for (const auto& page : collections) {
    out.open("li").element("a", {{"href", "./" + page.url}}, page.heading).close().line();
  }
  return out.close().line().take();
}

}  // namespace primer
