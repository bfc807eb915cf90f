#include "generator/publish/publication.hpp"

#include <algorithm>
#include <memory>
#include <mutex>

#include "generator/pictures/image.hpp"
#include "generator/publish/epub.hpp"
#include "generator/publish/feeds.hpp"
#include "generator/publish/print_page.hpp"
#include "generator/render/directive.hpp"

namespace primer {
namespace {

// Null for a page that is not a chapter, or of which no date is known.
const FileHistory* chapter_dates(const Publication& publication, const Entry& entry) {
  const auto dates = publication.history.find(entry.file);
  const bool known = entry.kind == PageKind::chapter && dates != publication.history.end();
  return known ? &dates->second : nullptr;
}

std::vector<EpubChapter> epub_chapters(const Publication& publication) {
  std::vector<EpubChapter> chapters;
  for (const auto& [index, page] : publication.pages) {
    const bool is_here = index->entry->language == publication.book.language;
    if (!is_here || !chapter_dates(publication, *index->entry)) continue;
    std::map<std::string, std::string> images;
    for (const auto& name : page->images) {
      auto image = clean_image(name, publication.files.read(name).value_or(""), publication.cache);
      if (image) images[published_image(name)] = std::move(image->bytes);
    }
    chapters.push_back({index->entry, index->front.title, index->front.summary,
                        page->text.read()->body, std::move(images)});
  }
  return chapters;
}

std::string last_change(const Publication& publication) {
  std::string changed;
  for (const auto& one : publication.pages) {
    const FileHistory* dates = chapter_dates(publication, *one.index->entry);
    if (dates) changed = std::max(changed, dates->changed);
  }
  return changed;
}

}  // namespace

void publish_files(const Publication& publication, std::map<std::string, std::string>& site,
                   LazyFiles& feeds) {
  const Book& book = publication.book;
  std::vector<FeedItem> items;
  std::vector<SiteMapEntry> map;
  for (const auto& [index, page] : publication.pages) {
    const Entry& entry = *index->entry;
    if (entry.language != book.language) continue;  // told of by the locale that has it
    const auto dates = publication.history.find(entry.file);
    map.push_back({entry.url, dates == publication.history.end() ? "" : dates->second.changed});
    if (!chapter_dates(publication, entry)) continue;
    items.push_back(
        {entry.url, index->front.title, index->front.summary, page->text, dates->second});
  }
  site[book.root + "sitemap.xml"] = site_map(book, map);
  if (items.empty()) return;
  keep_newest(items);
  const Digest inputs_digest = version_of(book, items);
  struct Written {
    std::once_flag once;  // for both feeds
    std::vector<FeedItem> items;
  };
  const auto written = std::make_shared<Written>();
  written->items = std::move(items);
  const auto feed = [&](std::string (*write)(const Book&, const std::vector<FeedItem>&)) {
    return LazyFile{inputs_digest, [&publication, written, write] {
                      std::call_once(written->once, [&] {
                        write_items(publication.book, written->items, publication.cache,
                                    publication.tasks);
                      });
                      return write(publication.book, written->items);
                    }};
  };
  feeds[book.root + "feed.xml"] = feed(atom_feed);
  feeds[book.root + "feed.json"] = feed(json_feed);
}

void add_renditions(const Publication& publication, const std::string& assets,
                    std::map<std::string, std::string>& site, Diagnostics& diagnostics) {
  const Book& book = publication.book;
  const auto chapters = epub_chapters(publication);
  if (!chapters.empty()) {
    const std::string name = book.root + "book.epub";
    auto epub = make_epub(book, publication.words, chapters, last_change(publication));
    if (epub) {
      site[name] = std::move(epub.value());
    } else {
      diagnostics.error(Rule::output_error, name, epub.error().message);
    }
  }
  // All but the home page, whose links lead out of the book.
  std::vector<const RenderedPage*> parts;
  for (const auto& [index, page] : publication.pages) {
    const bool is_here = index->entry->language == book.language;
    if (is_here && !index->entry->url.empty()) parts.push_back(page);
  }
  site[book.root + print_url + "index.html"] =
      print_page(book, publication.words, parts, assets, publication.cache);
}

}  // namespace primer
