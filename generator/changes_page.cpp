// /changes/: what changed in each chapter, from git; corrections of mistakes first.
#include "generator/collection.hpp"
#include "generator/html.hpp"
#include "generator/page.hpp"

namespace primer {
namespace {

// A commit whose subject begins so corrects something that was wrong in the book (CONTRIBUTING.md).
constexpr std::string_view erratum = "Erratum: ";
constexpr std::size_t shown_at_once = 10;

bool is_erratum(const Change& change) { return change.subject.starts_with(erratum); }

void write_change(Html& out, const Book& book, const Change& change) {
  const std::string day = change.date.substr(0, 10);
  out.element("time", {{"datetime", day}}, day).text(" ");
  std::string words = change.subject.empty() ? change.commit : change.subject;
  if (is_erratum(change)) {
    out.element("strong", {}, "Erratum").text(": ");
    words.erase(0, erratum.size());
  }
  if (book.repository.empty()) {
    out.text(words);
  } else {
    out.element("a", {{"href", book.repository + "/commit/" + change.commit}}, words);
  }
}

void write_list(Html& out, const Book& book, const std::vector<Change>& changes, std::size_t begin,
                std::size_t end) {
  out.open("ul", {{"class", "changes"}}).line();
  for (std::size_t i = begin; i < end; ++i) {
    out.open("li");
    write_change(out, book, changes[i]);
    out.close().line();
  }
  out.close().line();
}

void write_part(Html& out, const Book& book, const Part& part, const std::vector<Change>& changes) {
  const Entry& entry = *part.index->entry;
  out.open("h2", {{"id", entry.slug}}).element("a", {{"href", "../" + entry.url}}, part.title());
  out.close().line();
  const std::size_t first = std::min(changes.size(), shown_at_once);
  write_list(out, book, changes, 0, first);
  if (first == changes.size()) return;
  out.open("details").element("summary", {}, std::to_string(changes.size() - first) + " earlier").line();
  write_list(out, book, changes, first, changes.size());
  out.close().line();
}

// One commit may correct several chapters.
void write_errata(Html& out, const Collected& book) {
  Html list;
  bool any = false;
  for (const auto& part : book.parts) {
    const auto history = book.history.find(part.index->entry->file);
    if (history == book.history.end()) continue;
    for (const auto& change : history->second.changes) {
      if (!is_erratum(change)) continue;
      any = true;
      list.open("li").element("a", {{"href", "../" + part.index->entry->url}}, part.title()).text(", ");
      write_change(list, book.book, change);
      list.close().line();
    }
  }
  if (!any) return;
  out.element("h2", {{"id", "errata"}}, "Errata").line();
  out.element("p", {}, "What the book said wrongly, and when that was corrected.").line();
  out.open("ul", {{"class", "changes"}}).line().raw(list.take()).close().line();
}

}  // namespace

std::optional<CollectionPage> changes_page(const Collected& book) {
  if (!book.book.root.empty()) return std::nullopt;  // one for all languages
  Html out;
  write_errata(out, book);
  bool any = false;
  for (const auto& part : book.parts) {
    const auto history = book.history.find(part.index->entry->file);
    if (history == book.history.end()) continue;
    write_part(out, book.book, part, history->second.changes);
    any = true;
  }
  std::string body = out.take();
  if (!any) return std::nullopt;
  return CollectionPage{changes_url, "Changes", "What changed in each chapter, newest first, and what was wrong.",
                        std::move(body), {}, false};
}

}  // namespace primer
