// /references/: every work that a chapter cites or a number comes from, and where.
#include <map>
#include <set>

#include "generator/collection.hpp"
#include "generator/html.hpp"

namespace primer {
namespace {

using Citations = std::map<std::string, std::vector<const Part*>>;  // reference → pages

Citations citations_of(const std::vector<Part>& parts) {
  Citations citations;
  for (const auto& part : parts) {
    for (const auto& id : part.excerpt->cited) citations[id].push_back(&part);
  }
  return citations;
}

// Reference → titles of the things whose numbers it gave.
std::map<std::string, std::set<std::string>> numbers_of(const figures::Facts& facts) {
  std::map<std::string, std::set<std::string>> numbers;
  for (const auto& fact : facts.all()) {
    const figures::Thing* thing = facts.thing_of(fact.id);
    for (const auto& id : fact.sources) numbers[id].insert(thing ? thing->title : fact.id);
  }
  return numbers;
}

void write_citations(Html& out, const Words& words, const std::string& id,
                     const std::vector<const Part*>& parts) {
  if (parts.empty()) return;
  out.text(' ' + words("Cited in") + ' ');
  for (const Part* part : parts) {
    if (part != parts.front()) out.text(", ");
    out.element("a", {{"href", "../" + part->index->entry->url + "#ref-" + id}}, part->title());
  }
  out.text(".");
}

void write_numbers(Html& out, const Words& words, const std::set<std::string>& things) {
  if (things.empty()) return;
  out.text(' ' + words("Numbers of") + ' ');
  bool first = true;
  for (const auto& thing : things) {
    out.text((first ? "" : ", ") + thing);
    first = false;
  }
  out.text(".");
}

}  // namespace

std::optional<CollectionPage> references_page(const Collected& book) {
  auto citations = citations_of(book.parts);
  auto numbers = numbers_of(book.values.facts);
  Html out;
  std::size_t count = 0;
  out.open("ul", {{"class", "references"}}).line();
  // By id, which begins with an author or a maker.
  for (const auto& [id, reference] : book.library.references) {
    if (!citations.contains(id) && !numbers.contains(id)) continue;
    ++count;
    out.open("li", {{"id", "ref-" + id}});
    write_reference(out, reference);
    out.open("span", {{"class", "uses"}});
    write_citations(out, book.words, id, citations[id]);
    write_numbers(out, book.words, numbers[id]);
    out.close().close().line();
  }
  out.close().line();
  if (count == 0) return std::nullopt;
  return CollectionPage{"references/", book.words("References"),
                        book.words("The {n} works that the book cites or has its numbers from, and "
                                   "where it uses them.", std::to_string(count)),
                        out.take()};
}

}  // namespace primer
