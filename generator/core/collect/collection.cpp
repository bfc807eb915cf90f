// The rules, changes, figures, references and home list, one section each. machines_page.cpp holds
// the fifth page.
#include "generator/core/collect/collection.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <span>

#include "generator/core/assemble/page.hpp"
#include "generator/core/base/characters.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/diagnostic/rule.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/core/render/directive.hpp"

namespace primer {
namespace {
// Cuts long examples. Some are long because their length is the mistake.
std::string shortened(const std::string& text) {
  constexpr std::size_t most_lines = 8, widest = 100;
  std::string out;
  std::size_t count = 0;
  const auto lines = split_lines(text);
  for (const auto line : lines) {
    if (++count > most_lines) return out + "… (" + std::to_string(lines.size()) + " lines)\n";
    std::size_t cut = std::min(line.size(), widest);
    const auto continues = [&](std::size_t at) {
      return at < line.size() && (static_cast<unsigned char>(line[at]) & 0xC0) == 0x80;
    };
    while (cut > 0 && continues(cut)) --cut;
    out += std::string(line.substr(0, cut)) + (cut < line.size() ? "…\n" : "\n");
  }
  return out;
}

std::string shown(const std::string& text) {
  const std::string cut = shortened(text);
  std::string out;
  for (const auto line : split_lines(cut)) out += visible(line) + '\n';
  return out;
}

void code(Html& out, const std::string& label, const std::string& text) {
  out.element("p", {{"class", "label"}}, label).line();
  out.open("div", {{"class", "code"}})
      .open("pre", {{"tabindex", "0"}, {"role", "group"}, {"aria-label", label}});
  out.element("code", {{"class", "language-text"}}, shown(text)).close().close().line();
}

std::string where(const RuleExample& example) {
  if (example.file == "primer") return "On the command line";
  return example.file.empty() ? "In a chapter" : "In " + example.file;
}

}  // namespace

std::string rules_page() {
  Html out;
  out.open("p")
      .text("Every error that ")
      .element("code", {}, "primer")
      .text(
          " reports names one of these rules. Each has an example that breaks it and the fix; "
          "the book's tests run both.");
  out.close().line();
  for (const auto& example : rule_examples()) {
    const RuleInfo& rule = info(example.rule);
    out.open("h2", {{"id", std::string(rule.id)}});
    out.open("a", {{"href", '#' + std::string(rule.id)}}).text(std::string(rule.id)).close();
    out.close().line();
    out.element("p", {}, std::string(rule.summary) + ' ' + std::string(rule.cure)).line();
    code(out, where(example), example.wrong);
    code(out, "Mended", example.right);
  }
  return out.take();
}

std::string PageView::title() const { return index->entry->before_title() + index->front.title; }

std::vector<CollectionPage> collection_pages(const CollectContext& book) {
  std::vector<CollectionPage> pages;
  for (const auto make : {figures_page, machines_page, references_page, changes_page}) {
    if (auto page = make(book)) pages.push_back(std::move(*page));
  }
  return pages;
}

// /changes/: errata from chapters/errata.yaml, then what changed in each chapter, from git.

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
  if (!book.book.root.empty()) return std::nullopt;  // one page for all languages
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

// /figures/: a thumbnail of every figure with its caption and a link to its chapter.

namespace {
// Adds the finding as a label for screen readers. Images have their own.
std::string with_finding(const PageFigure& figure) {
  constexpr std::string_view tag = "<svg";
  if (!figure.picture.starts_with(tag)) return figure.picture;
  return "<svg role=\"img\" aria-label=\"" + escape(figure.finding) + '"' +
         figure.picture.substr(tag.size());
}

void write_figure(Html& out, const std::string& page, const PageFigure& figure) {
  const std::string address = page + '#' + figure.id;
  out.open("li").open("figure", {{"class", "plate"}}).line();
  out.open("a", {{"href", address}, {"tabindex", "-1"}}).raw(with_finding(figure)).close().line();
  out.open("figcaption").element("a", {{"href", address}, {"class", "label"}}, figure.label);
  out.text(" ").raw(figure.caption).close().close().close().line();
}

}  // namespace

std::optional<CollectionPage> figures_page(const CollectContext& book) {
  Html out;
  std::size_t count = 0;
  for (const auto& part : book.parts) {
    if (part.excerpt->figures.empty()) continue;
    const Entry& entry = *part.index->entry;
    const std::string page = "../" + entry.url;
    const std::string foreign = part.foreign(book.book);
    if (!foreign.empty()) out.open("div", {{"lang", foreign}});
    out.open("h2", {{"id", entry.slug}})
        .element("a", {{"href", page}}, part.title())
        .close()
        .line();
    out.open("ul", {{"class", "plates"}}).line();
    for (const auto& figure : part.excerpt->figures) write_figure(out, page, figure), ++count;
    out.close().line();
    if (!foreign.empty()) out.close().line();
  }
  if (count == 0) return std::nullopt;
  return CollectionPage{"figures/", book.words("Figures"),
                        count == 1
                            ? book.words("The figure of the book, with a link to its explanation.")
                            : book.words("All {n} figures of the book, each with a link to its "
                                         "explanation.",
                                         std::to_string(count)),
                        out.take()};
}

// /references/: every work that a chapter cites or that a number comes from, and where.

namespace {
// The pages that cite a work, by its id.
using Citations = std::map<std::string, std::vector<const PageView*>>;

Citations citations_of(const std::vector<PageView>& parts) {
  Citations citations;
  for (const auto& part : parts) {
    for (const auto& id : part.excerpt->cited) citations[id].push_back(&part);
  }
  return citations;
}

// What a work is the source of: titles of things, and the count of numbers that belong to no thing.
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

// `foreign`: language of the things' titles, or "" if it is the page's.
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
  // Titles stay in the source language of the book.
  const bool is_translation = book.book.language != book.book.source_language;
  const std::string foreign = is_translation ? book.book.source_language : "";
  Html out;
  std::size_t count = 0;
  out.open("ul", {{"class", "references"}}).line();
  // Sorted by id, which begins with an author or a maker.
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
                        count == 1 ? book.words("The work that the book cites or takes numbers "
                                                "from, with the pages that use it.")
                                   : book.words("The {n} works that the book cites or takes "
                                                "numbers from, with the pages that use them.",
                                                std::to_string(count)),
                        out.take()};
}

// /<chapter>/problems/: the questions of one chapter.

namespace {
void write_section(Html& out, const PageView& part, const std::string& id) {
  const Anchor* section = part.index->find(id);
  out.open("h2").open("a", {{"href", section ? "../#" + id : "../"}});
  if (section && !section->number.empty())
    out.element("span", {{"class", "number"}}, section->number).text(" ");
  out.text(section ? section->title : part.title()).close().close().line();
}

CollectionPage problem_page(const CollectContext& book, const PageView& part) {
  const auto& questions = part.excerpt->questions;
  const std::string foreign = part.foreign(book.book);
  Html out;
  out.open("p").element("a", {{"href", "../"}, {"lang", foreign, !foreign.empty()}}, part.title());
  out.close().line().open("div", {{"class", "problem-tools"}}).line();
  write_score(out, book.words, questions.size());
  out.close().line();
  out.open("div", {{"class", "problems"}, {"lang", foreign, !foreign.empty()}}).line();
  const PageQuestion* previous = nullptr;
  for (const auto& question : questions) {
    if (!previous || previous->section != question.section) {
      if (previous) out.close().line();
      out.open("div").line();
      write_section(out, part, question.section);
    }
    out.raw(question.html).line();
    previous = &question;
  }
  out.close().line().close().line();
  const std::string& url = part.index->entry->url;
  CollectionPage page{url + problems_url, book.words("Problems of “{n}”", part.index->front.title),
                      book.words("All questions of the chapter. An answer that you give on either "
                                 "page counts on both."),
                      out.take()};
  if (!part.data.empty()) page.data = "../../" + part.data;
  return page;
}

}  // namespace

std::vector<CollectionPage> problem_pages(const CollectContext& book) {
  std::vector<CollectionPage> pages;
  for (const auto& part : book.parts) {
    if (part.is_chapter() && !part.excerpt->questions.empty())
      pages.push_back(problem_page(book, part));
  }
  return pages;
}

// The home page's list of chapters, pages and collections.

namespace {
// Markdown as plain text. Links are dropped, because their addresses are relative to another page.
std::string without_marks(const std::string& markdown) {
  if (markdown.find_first_of("[]`*_$\\<&") == markdown.npos) return markdown;
  const Source source("", markdown);
  Diagnostics reported_elsewhere;
  const auto line =
      parse_markdown(extract_lines(source, 1, source.line_count()), reported_elsewhere);
  return line ? plain_text(*line) : markdown;
}

// Writes the chapter's question. A takeaway would answer it.
void write_question(Html& out, const PageView& part) {
  const FrontMatter& front = part.index->front;
  const std::string& question = front.question.empty() ? front.summary : front.question;
  if (question.empty()) return;
  out.element("p", {{"class", "card-summary"}}, without_marks(question)).line();
}

// What a reader of the core does: "10 min · 1 measurement · 3 questions". The questions lead to all
// questions of the chapter.
void write_facts(Html& out, const CollectContext& book, const PageView& part) {
  const auto& [words, questions, measurements] = part.excerpt->core;
  const auto counted = [&](std::uint64_t count, const char* one, const char* many) {
    return book.words(count == 1 ? one : many, std::to_string(count));
  };
  out.open("p", {{"class", "card-facts"}});
  out.text(book.words("{n} min", std::to_string(part.excerpt->minutes())));
  if (measurements > 0)
    out.text(" · " + counted(measurements, "{n} measurement", "{n} measurements"));
  if (const std::uint64_t all = part.excerpt->questions.size(); all > 0) {
    const std::string url = "./" + part.index->entry->url + problems_url;
    const auto shown = questions > 0 ? questions : all;  // those of the core, if it has any
    out.text(" · ").element("a", {{"href", url}}, counted(shown, "{n} question", "{n} questions"));
  }
  out.close().line();
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
  const FrontMatter& front = part.index->front;
  // A question replaces the subtitle.
  const std::string title =
      front.question.empty() ? front.title : front.title.substr(0, front.title.find(": "));
  out.text(title).close().close().line();
  write_question(out, part);
  write_facts(out, book, part);
  if (!subpages.empty()) write_subpages(out, book, subpages);
  out.close().line();
}

// One card per chapter, grouped by part, with the pages below the chapter.
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
  out.open("details").open("summary");
  out.element("h2", {{"id", "beside"}}, book.words("Other pages")).close().line();
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
  return out.close().close().line().take();
}

}  // namespace primer
