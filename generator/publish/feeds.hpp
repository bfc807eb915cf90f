// What the book tells those who follow it, with whole addresses: Atom and JSON feeds with the
// whole text but no drawings, and the site map. Sources: RFC 4287, JSON Feed 1.1, sitemaps.org protocol 0.9.
#pragma once

#include <string>
#include <vector>

#include "generator/assemble/page_text.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/tasks.hpp"
#include "generator/load/book.hpp"
#include "generator/load/history.hpp"

namespace primer {

// A chapter as a feed tells of it.
struct FeedItem {
  std::string url;  // from the site's root
  std::string title, summary;
  LateText text;  // rendered, as on the page
  FileHistory dates;
  // As the feeds have it; write_items() fills them in.
  std::string atom = {}, json = {};
};

// Newest change first, for readers that show the order of the file, and no more than a feed holds: who
// follows a book wants what is new, and asks for it every hour.
inline constexpr std::size_t longest_feed = 20;
void keep_newest(std::vector<FeedItem>& items);

// Of everything that decides about the feeds.
Digest version_of(const Book& book, const std::vector<FeedItem>& items);

// Writes each item once for both feeds: its body as it is shown without the book's scripts, with whole
// addresses. `cache` may be null.
void write_items(const Book& book, std::vector<FeedItem>& items, Cache* cache, const Tasks& tasks);

// `book.base_url` is not empty, and there is an item at least; write_items() has seen them.
std::string atom_feed(const Book& book, const std::vector<FeedItem>& items);
std::string json_feed(const Book& book, const std::vector<FeedItem>& items);

struct SiteMapEntry {
  std::string url;      // from the site's root
  std::string changed;  // or empty
};
std::string site_map(const Book& book, const std::vector<SiteMapEntry>& entries);

}  // namespace primer
