// Pages that are made from chapters: the home page's cards, the lists of figures, references,
// machines, changes and rules, and the problems of each chapter.
//
// They are made from the index and from excerpts, which are cached, so an edit costs little. A page
// of the book at the same address replaces such a page.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/lazy_file.hpp"
#include "generator/core/diagnostic/rule.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/errata.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/load/history.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/render/excerpt.hpp"

namespace primer {

// The body of /rules/: every rule with its meaning, an example that breaks it and the corrected
// text. It is made from rule_examples(), which the tests run.
std::string rules_page();

// A chapter or page as other pages see it.
struct PageView {
  const ChapterIndex* index = nullptr;
  const Excerpt* excerpt = nullptr;
  std::string data = {};  // address of the page's data from the language's root, or empty

  // The language of text that is taken from it, or "" if it is the book's.
  std::string foreign(const Book& book) const {
    return index->entry->language == book.language ? "" : index->entry->language;
  }
  bool is_chapter() const { return index->entry->kind == PageKind::chapter; }
  std::string title() const;  // with its number, if it has one: "1 The roofline"
};

// What the pages of one language are made from. The pipeline owns everything it refers to.
struct CollectContext {
  const Book& book;
  const References& library;
  const Values& values;
  const History& history;
  const FileSystem& files;
  const Messages& words;
  const Gallery& gallery;
  const GallerySummary* summary;  // statistics of more machines; may be null
  Cache* cache;                   // may be null
  const std::vector<Erratum>& errata;
  std::vector<PageView> parts;  // chapters in the order of the book, then pages
};

struct CollectionPage {
  std::string url;  // relative to the language's root: "figures/", "roofline/problems/"
  std::string heading, summary;
  std::string body;                               // HTML
  std::map<std::string, std::string> files = {};  // bytes of files next to the page, by name
  bool in_all_languages = true;                   // false: only in the source language's tree
  LazyFiles lazy = {};                            // likewise, made when they are written
  std::string data = {};  // address of the data of its questions from the page, or empty
};

// No value if there is nothing to show.
std::optional<CollectionPage> figures_page(const CollectContext& book);
std::optional<CollectionPage> references_page(const CollectContext& book);
std::optional<CollectionPage> machines_page(const CollectContext& book);
// Needs a history or errata.
std::optional<CollectionPage> changes_page(const CollectContext& book);

// All of them, in the order in which the home page lists them.
std::vector<CollectionPage> collection_pages(const CollectContext& book);

// A page per chapter that has questions, with all of them, grouped by section. The questions are the
// HTML of the chapter with the same ids, and the page uses the chapter's data. So an answer counts
// on both pages.
std::vector<CollectionPage> problem_pages(const CollectContext& book);

// HTML of the home page's list: a card per chapter with its figure, takeaway and reading time, then
// the pages, then the collections.
std::string home_list(const CollectContext& book, const std::vector<CollectionPage>& collections);

}  // namespace primer
