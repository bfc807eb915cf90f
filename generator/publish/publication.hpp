// Stage "publish": what a site with a public address has besides its pages. Feeds and the site map tell
// readers and search engines of it; the e-book and the print page are all of it once more.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/assemble/page_record.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/lazy_file.hpp"
#include "generator/base/tasks.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"
#include "generator/load/history.hpp"
#include "generator/load/messages.hpp"

namespace primer {

struct PublishedPage {
  const ChapterIndex* index = nullptr;
  const RenderedPage* page = nullptr;
};

// One language of the book; `book.base_url` is not empty.
struct Publication {
  const Book& book;
  const Messages& words;
  const History& history;
  const FileSystem& files;
  Cache* cache = nullptr;  // or null
  const Tasks& tasks;
  std::vector<PublishedPage> pages;  // in the book's order
};

// Adds feeds, which are made while the publication's pages are there, and the site map. Feeds need dates:
// without a history there are none.
void publish_files(const Publication& publication, std::map<std::string, std::string>& site,
                   LazyFiles& feeds);

// Adds the e-book, which needs dates too, and the print page, of the chapters that the language has. `assets` is the directory of shared files
// ("_/1a2b3c4d/"). What is not well-formed is reported.
void add_renditions(const Publication& publication, const std::string& assets,
                    std::map<std::string, std::string>& site, Diagnostics& diagnostics);

}  // namespace primer
