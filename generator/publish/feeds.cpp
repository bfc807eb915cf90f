#include "generator/publish/feeds.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "generator/base/html.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/text.hpp"
#include "generator/publish/plain_content.hpp"

namespace primer {
namespace {

constexpr const char* feed_head = "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n";

void pack(Packer& packer, const Book& book, const FeedItem& item) {
  const std::string url = book.base_url + item.url;
  for (const auto& text : {url, item.title, item.summary, item.dates.created, item.dates.changed})
    packer.add(text);
  packer.add(item.text.version());
}

// Drawings and their tables are most of a chapter, and readers of feeds drop SVG: captions and links to them stay.
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
  return plain_content(without_drawings(item.text.read()->body), figures::Theme::light,
                       Markup::html, [&](const std::string& to) { return absolute_url(url, to); });
}

std::string atom_entry(const std::string& url, const FeedItem& item, const std::string& content) {
  Html out;
  out.open("entry").line().element("id", {}, url).line().element("title", {}, item.title).line();
  out.empty("link", {{"rel", "alternate"}, {"href", url}}).line();
  out.element("published", {}, item.dates.created).line();
  out.element("updated", {}, item.dates.changed).line();
  out.element("summary", {}, item.summary).line();
  // HTML as text rather than as XML: readers know it better, and it cannot break the feed.
  return out.element("content", {{"type", "html"}}, content).line().close().line().take();
}

// Indented as a member of the feed's list.
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
  Packer packer;
  for (const auto& text : {book.base_url, book.language, book.title, book.subtitle})
    packer.add(text);
  for (const auto& item : items) pack(packer, book, item);
  return digest(packer.bytes);
}

void write_items(const Book& book, std::vector<FeedItem>& items, Cache* cache, const Tasks& tasks) {
  tasks.each(items.size(), [&](std::size_t i) {
    FeedItem& item = items[i];
    const std::string url = book.base_url + item.url;
    Packer key;
    key.add(std::string("an item of the feeds"));
    pack(key, book, item);
    const std::string both = kept_or_made(cache, Cache::Kind::feed_item, key.bytes, [&] {
      const std::string content = content_of(url, item);
      Packer written;
      written.add(atom_entry(url, item, content));
      written.add(json_item(url, item, content));
      return std::move(written.bytes);
    });
    Unpacker unpacker(both);
    unpacker.take(item.atom);
    unpacker.take(item.json);
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
  text.resize(text.size() - 2);  // its end, "\n}"
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

}  // namespace primer
