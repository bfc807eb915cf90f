// Pages that come from all chapters together: the home page's cards, the figures, the references.
//
// Each is made of the index and the excerpts, which the cache keeps, so it costs little after an
// edit. A page of the book with the same address takes its place.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/lazy_file.hpp"
#include "generator/index/index.hpp"
#include "generator/load/book.hpp"
#include "generator/load/errata.hpp"
#include "generator/load/gallery.hpp"
#include "generator/load/gallery_summary.hpp"
#include "generator/load/history.hpp"
#include "generator/load/messages.hpp"
#include "generator/load/references.hpp"
#include "generator/load/values.hpp"
#include "generator/render/excerpt.hpp"

namespace primer {

// A chapter or page, as the others see it.
struct PageView {
  const ChapterIndex* index = nullptr;
  const Excerpt* excerpt = nullptr;

  // The language of what is taken over from it, where it is not the book's; else empty.
  std::string foreign(const Book& book) const {
    return index->entry->language == book.language ? "" : index->entry->language;
  }
  bool is_chapter() const { return index->entry->kind == PageKind::chapter; }
  std::string title() const;  // "1 The roofline": the number only where there is one
};

struct CollectContext {
  const Book& book;
  const References& library;
  const Values& values;
  const History& history;
  const FileSystem& files;
  const Messages& words;
  const Gallery& gallery;
  const GallerySummary* summary;  // of more machines; or null
  Cache* cache;                   // or null
  const std::vector<Erratum>& errata;
  std::vector<PageView> parts;  // chapters in the book's order, then pages
};

struct CollectionPage {
  std::string url;  // from the site's root, one level deep: "figures/"
  std::string heading, summary;
  std::string body;                               // HTML
  std::map<std::string, std::string> files = {};  // beside it
  bool in_all_languages = true;                   // or once, in the original's tree
  LazyFiles lazy = {};                            // beside it, too
};

// Nothing where there is nothing to show.
std::optional<CollectionPage> figures_page(const CollectContext& book);
std::optional<CollectionPage> references_page(const CollectContext& book);
std::optional<CollectionPage> machines_page(const CollectContext& book);
std::optional<CollectionPage> changes_page(const CollectContext& book);  // with a history or errata

// All that the book has, in the order in which the home page names them.
std::vector<CollectionPage> collection_pages(const CollectContext& book);

// The home page's list: a card for each chapter with its figure and takeaway, reading time and date
// of change, then the pages, and the collections.
std::string home_list(const CollectContext& book, const std::vector<CollectionPage>& collections);

}  // namespace primer
