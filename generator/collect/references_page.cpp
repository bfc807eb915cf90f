// /references/: every work that a chapter cites or a number comes from, and where.
#include <map>
#include <set>

#include "generator/base/html.hpp"
#include "generator/base/text.hpp"
#include "generator/collect/collection.hpp"

namespace primer {
namespace {

using Citations = std::map<std::string, std::vector<const PageView*>>;  // reference → pages

Citations citations_of(const std::vector<PageView>& parts) {
  Citations citations;
  for (const auto& part : parts) {
    for (const auto& id : part.excerpt->cited) citations[id].push_back(&part);
  }
  return citations;
}

// What a reference gave numbers of: titles of things, and how many numbers are of none.
struct Numbers {
  std::set<std::string> things;
  int others = 0;
};

std::map<std::string, Numbers> numbers_of(const figures::Facts& facts) {
  std::map<std::string, Numbers> numbers;
  for (const auto& fact : facts.all()) {
    const figures::Thing* thing = facts.thing_of(fact.id);
    for (const auto& id : fact.sources) {
      if (thing) numbers[id].things.insert(thing->title);
      else ++numbers[id].others;
    }
  }
  return numbers;
}

void write_citations(Html& out, const Messages& words, const std::string& id,
                     const std::vector<const PageView*>& parts) {
  if (parts.empty()) return;
  out.text(' ' + words("Cited in") + ' ');
  for (const PageView* part : parts) {
    if (part != parts.front()) out.text(", ");
    out.element("a", {{"href", "../" + part->index->entry->url + "#ref-" + id}}, part->title());
  }
  out.text(".");
}

// `foreign`: the language of things' titles, where it is not the page's.
void write_numbers(Html& out, const Messages& words, const Numbers& numbers,
                   const std::string& foreign) {
  const auto& [things, others] = numbers;
  const std::string count = std::to_string(others);
  if (!things.empty()) {
    const std::string titles = join({things.begin(), things.end()}, ", ");
    out.text(' ' + words("Numbers of") + ' ');
    if (foreign.empty()) out.text(titles);
    else out.element("span", {{"lang", foreign}}, titles);
  }
  if (others > 0)
    out.text(' ' + (things.empty() ? words("Numbers: {n}", count) : words("and {n} more", count)));
  if (!things.empty() || others > 0) out.text(".");
}

}  // namespace

std::optional<CollectionPage> references_page(const CollectContext& book) {
  auto citations = citations_of(book.parts);
  auto numbers = numbers_of(book.values.facts);
  // Titles are in the language that the book was written in.
  const bool is_translation = book.book.language != book.book.source_language;
  const std::string foreign = is_translation ? book.book.source_language : "";
  Html out;
  std::size_t count = 0;
  out.open("ul", {{"class", "references"}}).line();
  // By id, which begins with an author or a maker.
  for (const auto& [id, reference] : book.library.references) {
    if (!citations.contains(id) && !numbers.contains(id)) continue;
    ++count;
    out.open("li", {{"id", "ref-" + id}, {"lang", foreign, is_translation}});
    write_reference(out, reference);
    out.open("span", {{"class", "uses"}, {"lang", book.book.language, is_translation}});
    write_citations(out, book.words, id, citations[id]);
    write_numbers(out, book.words, numbers[id], foreign);
    out.close().close().line();
  }
  out.close().line();
  if (count == 0) return std::nullopt;
  return CollectionPage{"references/", book.words("References"),
                        count == 1 ? book.words("The work that the book cites or has its numbers "
                                                "from, and where it uses it.")
                                   : book.words("The {n} works that the book cites or has its "
                                                "numbers from, and where it uses them.",
                                                std::to_string(count)),
                        out.take()};
}

}  // namespace primer
