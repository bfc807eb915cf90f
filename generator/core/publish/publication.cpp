#include "generator/core/publish/publication.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <memory>
#include <mutex>
#include <utility>

#include "generator/core/assemble/embed.hpp"
#include "generator/core/assemble/page.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/core/collect/collection.hpp"
#include "generator/core/pictures/image.hpp"
#include "generator/core/publish/epub.hpp"
#include "generator/core/publish/plain_content.hpp"
#include "generator/core/render/directive.hpp"

namespace primer {
void claim_usual(const std::vector<std::string>& roots, Addresses& addresses,
                 Diagnostics& diagnostics) {
  const std::pair<const char*, const char*> once[] = {
      {"_/", "the site's scripts, styles and fonts"},
      {"search/", "the search"},
      {embed_url, "the figures for other sites"},
      {rules_url, "the page of rules"},
      {changes_url, "the list of changes"}};
  const std::pair<const char*, const char*> in_each_language[] = {
      {"cards/", "the pictures for shared links"},
      {print_url, "the book on one page"},
      {"figures/", "the figures"},
      {"references/", "the list of references"},
      {"machines/", "the list of machines"},
      {"images/", "the images of chapters"},
      {"files/", "the files of chapters"}};
  for (const auto& [directory, name] : once) addresses.reserve(directory, {name}, diagnostics);
  for (const char* file : {"404.html", ".nojekyll"}) {
    addresses.claim(file, {"every book's " + std::string(file)}, diagnostics);
  }
  for (const auto& root : roots) {
    for (const auto& [directory, name] : in_each_language) {
      addresses.reserve(root + directory, {name}, diagnostics);
    }
    for (const char* file :
         {"sitemap.xml", "feed.xml", "feed.json", "llms.txt", "book.epub", "book.pdf"}) {
      addresses.claim(root + file, {"every book's " + std::string(file)}, diagnostics);
    }
  }
}

namespace {
constexpr const char* feed_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

// Identifies the content of a feed item, whatever the format of the feed.
std::string content_key(const Book& book, const FeedItem& item) {
  return pack(book.base_url + item.url, item.title, item.summary, item.dates.created,
              item.dates.changed, version_of(*item.text));
}

// Drawings and their tables are most of a chapter, and feed readers drop SVG. Captions and links to
// the figures remain.
std::string without_drawings(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> left_out[] = {
      {"<svg", "</svg>"}, {"<details class=\"plot-data\"", "</details>"}};
  for (const auto& [begin, end] : left_out) {
    for (auto at = text.find(begin); at != text.npos; at = text.find(begin, at)) {
      const auto last = text.find(end, at);
      if (last == text.npos) break;
      text.erase(at, last + end.size() - at);
    }
  }
  return text;
}

std::string content_of(const std::string& url, const FeedItem& item) {
  return plain_content(without_drawings(item.text->body), figures::Theme::light, Markup::html,
                       [&](const std::string& to) { return absolute_url(url, to); });
}

std::string atom_entry(const std::string& url, const FeedItem& item, const std::string& content) {
  Html out;
  out.open("entry").line().element("id", {}, url).line().element("title", {}, item.title).line();
  out.empty("link", {{"rel", "alternate"}, {"href", url}}).line();
  out.element("published", {}, item.dates.created).line();
  out.element("updated", {}, item.dates.changed).line();
  out.element("summary", {}, item.summary).line();
  // HTML as text instead of XML: feed readers support it better, and it cannot break the feed.
  return out.element("content", {{"type", "html"}}, content).line().close().line().take();
}

// Indented like the members of the feed's list.
std::string json_item(const std::string& url, const FeedItem& item, const std::string& content) {
  const nlohmann::ordered_json members = {{"id", url},
                                          {"url", url},
                                          {"title", item.title},
                                          {"summary", item.summary},
                                          {"content_html", content},
                                          {"date_published", item.dates.created},
                                          {"date_modified", item.dates.changed}};
  return "  " + replace_all(members.dump(1), "\n", "\n  ");
}

}  // namespace

void keep_newest(std::vector<FeedItem>& items) {
  std::ranges::stable_sort(items, [](const FeedItem& a, const FeedItem& b) {
    return a.dates.changed > b.dates.changed;
  });
  if (items.size() > longest_feed) items.resize(longest_feed);
}

Digest version_of(const Book& book, const std::vector<FeedItem>& items) {
  std::string all = pack(book.base_url, book.language, book.title, book.subtitle);
  for (const auto& item : items) all += content_key(book, item);
  return digest(all);
}

void write_items(const Book& book, std::vector<FeedItem>& items, Cache* cache, const Tasks& tasks) {
  tasks.each(items.size(), [&](std::size_t i) {
    FeedItem& item = items[i];
    const std::string url = book.base_url + item.url;
    const std::string key = content_key(book, item);
    const std::string both = kept_or_made(cache, Cache::Kind::feed_item, key, [&] {
      const std::string content = content_of(url, item);
      return pack(atom_entry(url, item, content), json_item(url, item, content));
    });
    unpack(both, item.atom, item.json);
  });
}

std::string atom_feed(const Book& book, const std::vector<FeedItem>& items) {
  Html out;
  out.raw(feed_head).open("feed",
                          {{"xmlns", "http://www.w3.org/2005/Atom"}, {"xml:lang", book.language}});
  out.line().element("id", {}, book.base_url).line();
  out.element("title", {}, book.title).line().element("subtitle", {}, book.subtitle).line();
  out.element("updated", {}, items.front().dates.changed).line();
  out.open("author").element("name", {}, book.author()).close().line();
  if (!book.license.empty()) out.element("rights", {}, book.license).line();
  out.empty("link", {{"rel", "alternate"}, {"href", book.base_url}}).line();
  out.empty("link", {{"rel", "self"}, {"href", book.base_url + "feed.xml"}}).line();
  for (const auto& item : items) out.raw(item.atom);
  return out.close().line().take();
}

std::string json_feed(const Book& book, const std::vector<FeedItem>& items) {
  const nlohmann::ordered_json head = {{"version", "https://jsonfeed.org/version/1.1"},
                                       {"title", book.title},
                                       {"description", book.subtitle},
                                       {"home_page_url", book.base_url},
                                       {"feed_url", book.base_url + "feed.json"},
                                       {"language", book.language}};
  std::string text = head.dump(1);
  text.resize(text.size() - 2);  // the closing "\n}"
  const char* before = ",\n \"items\": [\n";
  for (const auto& item : items) {
    text += before + item.json;
    before = ",\n";
  }
  return text + "\n ]\n}\n";
}

std::string site_map(const Book& book, const std::vector<SiteMapEntry>& entries) {
  Html out;
  out.raw(feed_head)
      .open("urlset", {{"xmlns", "http://www.sitemaps.org/schemas/sitemap/0.9"}})
      .line();
  for (const auto& entry : entries) {
    out.open("url").element("loc", {}, book.base_url + entry.url);
    if (!entry.changed.empty()) out.element("lastmod", {}, entry.changed);
    out.close().line();
  }
  return out.close().line().take();
}

// The files of a publication.

namespace {
// Null if the page is not a chapter or has no known dates.
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
    chapters.push_back({index->entry, index->front.title, index->front.summary, page->text.body,
                        std::move(images)});
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

// The pages as a list for programs that read text, and next to each page its Markdown
// (llmstxt.org).
void publish_markdown(const Publication& publication, std::map<std::string, std::string>& site,
                      LazyFiles& lazy) {
  const Book& book = publication.book;
  std::string list = "# " + book.title + "\n\n> " + book.subtitle + "\n\n## " +
                     publication.words("Contents") + "\n\n";
  for (const auto& [index, page] : publication.pages) {
    const Entry& entry = *index->entry;
    if (entry.language != book.language) continue;
    lazy[markdown_of(book, entry)] = {
        publication.files.digest_of(Dependency::file(entry.file)),
        [&files = publication.files, file = entry.file] { return files.read(file).value_or(""); }};
    list += "- [" + index->front.title + "](" + book.base_url + entry.url + "index.md)";
    list += (index->front.summary.empty() ? "" : ": " + index->front.summary) + "\n";
  }
  site[book.root + "llms.txt"] = std::move(list);
}

}  // namespace

void publish_files(const Publication& publication, std::map<std::string, std::string>& site,
                   LazyFiles& lazy) {
  publish_markdown(publication, site, lazy);
  const Book& book = publication.book;
  std::vector<FeedItem> items;
  std::vector<SiteMapEntry> map;
  for (const auto& [index, page] : publication.pages) {
    const Entry& entry = *index->entry;
    if (entry.language != book.language) continue;  // the original's feed has it
    const auto dates = publication.history.find(entry.file);
    map.push_back({entry.url, dates == publication.history.end() ? "" : dates->second.changed});
    if (entry.kind == PageKind::chapter && !page->excerpt.questions.empty())
      map.push_back({entry.url + problems_url, map.back().changed});
    if (!chapter_dates(publication, entry)) continue;
    items.push_back(
        {entry.url, index->front.title, index->front.summary, &page->text, dates->second});
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
  lazy[book.root + "feed.xml"] = feed(atom_feed);
  lazy[book.root + "feed.json"] = feed(json_feed);
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
  // Without the home page, whose links leave the book.
  std::vector<const RenderedPage*> parts;
  for (const auto& [index, page] : publication.pages) {
    const bool is_here = index->entry->language == book.language;
    if (is_here && !index->entry->url.empty()) parts.push_back(page);
  }
  site[book.root + print_url + "index.html"] = print_page(book, publication.words, parts, assets);
}

}  // namespace primer
