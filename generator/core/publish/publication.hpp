// Part of stage "publish": what a site with a public address has in addition to its pages. Feeds
// and site map announce pages; the e-book and the print page contain the whole book.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/core/assemble/addresses.hpp"
#include "generator/core/assemble/page_record.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/base/lazy_file.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/history.hpp"
#include "generator/core/load/messages.hpp"

namespace primer {

// Reserves the addresses that every site has, or may have once it is published, measured or
// searched. Otherwise, a chapter's address could be free in one build and silently overwritten in
// the next. `roots` are those of the languages: "" and "es/".
void claim_usual(const std::vector<std::string>& roots, Addresses& addresses,
                 Diagnostics& diagnostics);

// Atom feed, JSON feed and site map. Feeds contain the whole text without drawings, and all
// addresses are absolute. Specifications: RFC 4287, JSON Feed 1.1, sitemaps.org protocol 0.9.

// A chapter in the feeds.
struct FeedItem {
  std::string url;  // relative to the language's root
  std::string title, summary;
  const PageText* text = nullptr;
  FileHistory dates;
  // The entry in either format, set by write_items().
  std::string atom = {}, json = {};
};

// Sorts items by date of change, newest first, and keeps the first longest_feed. Feed readers poll
// every hour and need only new items.
inline constexpr std::size_t longest_feed = 20;
void keep_newest(std::vector<FeedItem>& items);

// Digest of everything the feeds depend on.
Digest version_of(const Book& book, const std::vector<FeedItem>& items);

// Sets `atom` and `json` of each item: its body without scripts and with absolute addresses.
// `cache` may be null.
void write_items(const Book& book, std::vector<FeedItem>& items, Cache* cache, const Tasks& tasks);

// `book.base_url` and `items` must not be empty, and write_items() must have been called.
std::string atom_feed(const Book& book, const std::vector<FeedItem>& items);
std::string json_feed(const Book& book, const std::vector<FeedItem>& items);

struct SiteMapEntry {
  std::string url;      // relative to the language's root
  std::string changed;  // time of the last change, or empty
};
std::string site_map(const Book& book, const std::vector<SiteMapEntry>& entries);

// The Markdown of a page, next to it.
inline std::string markdown_of(const Book& book, const Entry& entry) {
  return book.root + entry.url + "index.md";
}

struct PublishedPage {
  const ChapterIndex* index = nullptr;
  const RenderedPage* page = nullptr;
};

// One language of a site with a public address (`book.base_url` is not empty).
struct Publication {
  const Book& book;
  const Messages& words;
  const History& history;
  const FileSystem& files;
  Cache* cache = nullptr;  // may be null
  const Tasks& tasks;
  std::vector<PublishedPage> pages;  // in the order of the book
};

// Adds the site map, llms.txt with the Markdown of each page and, if a history is known, the feeds.
// Feeds and Markdown are made lazily and refer to `publication`, which must outlive them.
void publish_files(const Publication& publication, std::map<std::string, std::string>& site,
                   LazyFiles& lazy);

// Adds the print page and, if a history is known, the e-book. Both contain only pages that exist in
// this language. `assets` is the directory of shared files ("_/1a2b3c4d/"). Reports what is not
// well-formed.
void add_renditions(const Publication& publication, const std::string& assets,
                    std::map<std::string, std::string>& site, Diagnostics& diagnostics);

}  // namespace primer
