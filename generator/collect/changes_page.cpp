// /changes/: what changed in each chapter, from git; corrections of mistakes first, from chapters/errata.yaml.
#include "generator/assemble/page.hpp"
#include "generator/base/html.hpp"
#include "generator/collect/collection.hpp"

namespace primer {
namespace {

constexpr std::size_t shown_at_once = 10;

void write_change(Html& out, const Book& book, const std::string& date, const std::string& words,
                  const std::string& commit, bool erratum) {
  const std::string day = date.substr(0, 10);
  out.element("time", {{"datetime", day}}, day).text(" ");
  if (erratum) out.element("strong", {}, "Erratum").text(": ");
  if (book.repository.empty() || commit.empty()) {
    out.text(words);
  } else {
    out.element("a", {{"href", book.repository.commit(commit)}}, words);
  }
}

void write_list(Html& out, const Book& book, const std::vector<Change>& changes, std::size_t begin,
                std::size_t end) {
  out.open("ul", {{"class", "changes"}}).line();
  for (std::size_t i = begin; i < end; ++i) {
    out.open("li");
    const Change& change = changes[i];
    const std::string& words = change.subject.empty() ? change.commit : change.subject;
    write_change(out, book, change.date, words, change.commit, false);
    out.close().line();
  }
  out.close().line();
}

void write_part(Html& out, const Book& book, const PageView& part,
                const std::vector<Change>& changes) {
  const Entry& entry = *part.index->entry;
  out.open("h2", {{"id", entry.slug}}).element("a", {{"href", "../" + entry.url}}, part.title());
  out.close().line();
  const std::size_t first = std::min(changes.size(), shown_at_once);
  write_list(out, book, changes, 0, first);
  if (first == changes.size()) return;
  out.open("details")
      .element("summary", {}, std::to_string(changes.size() - first) + " earlier")
      .line();
  write_list(out, book, changes, first, changes.size());
  out.close().line();
}

void write_errata(Html& out, const CollectContext& book) {
  if (book.errata.empty()) return;
  out.element("h2", {{"id", "errata"}}, "Errata").line();
  out.element("p", {}, "What the book said wrongly, and when that was corrected.").line();
  out.open("ul", {{"class", "changes"}}).line();
  for (const auto& erratum : book.errata) {
    out.open("li");
    for (const auto& part : book.parts) {
      if (part.index->entry->slug != erratum.slug) continue;
      out.element("a", {{"href", "../" + part.index->entry->url}}, part.title()).text(", ");
    }
    write_change(out, book.book, erratum.date, erratum.text, erratum.commit, true);
    out.close().line();
  }
  out.close().line();
}

}  // namespace

std::optional<CollectionPage> changes_page(const CollectContext& book) {
  if (!book.book.root.empty()) return std::nullopt;  // one for all languages
  Html out;
  write_errata(out, book);
  bool any = !book.errata.empty();
  for (const auto& part : book.parts) {
    const auto history = book.history.find(part.index->entry->file);
    if (history == book.history.end()) continue;
    write_part(out, book.book, part, history->second.changes);
    any = true;
  }
  std::string body = out.take();
  if (!any) return std::nullopt;
  return CollectionPage{
      changes_url,     "Changes", "What changed in each chapter, newest first, and what was wrong.",
      std::move(body), {},        false};
}

}  // namespace primer
