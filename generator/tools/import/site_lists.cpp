// Hugo, Jekyll and folders of Markdown, which have no list of contents: the order of their pages
// comes from front matter and names.
#include <algorithm>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/foreign_book.hpp"

namespace primer {
namespace {

bool ends_with_any(std::string_view path, Names endings) {
  return std::ranges::any_of(endings, [&](auto ending) { return path.ends_with(ending); });
}

bool is_page(std::string_view path) {
  return ends_with_any(path, {".md", ".markdown", ".html", ".htm"});
}

// Formats of pages that Hugo or Jekyll know and we do not read.
bool is_foreign_page(std::string_view path) {
  return ends_with_any(path, {".org", ".adoc", ".asciidoc", ".rst", ".pandoc", ".textile", ".mdx"});
}

std::string without_ends(std::string address, Names names) {
  for (const std::string_view name : names) {
    if (address == name || address.ends_with('/' + std::string(name)))
      address.resize(address.size() - name.size());
  }
  while (address.ends_with('/')) address.pop_back();
  while (address.starts_with('/')) address.erase(0, 1);
  return address;
}

std::string without_ending(const std::string& path) { return path.substr(0, path.rfind('.')); }

// Below a folder: its own page first, then pages and folders by weight, then by name.
class FolderOrder {
 public:
  FolderOrder(const FileSystem& files, ForeignBook& book, ImportReport& report)
      : files_(files), book_(book), report_(report) {
    const std::string& content = book.content;
    all_ = files.list(content.empty() ? "." : content.substr(0, content.size() - 1));
    std::erase_if(all_, [&](const std::string& path) { return is_hidden(path); });
  }

  void collect(const std::string& folder) {
    struct Item {
      double weight;
      std::string path;
    };
    std::vector<Item> items;
    std::set<std::string> names;
    std::vector<std::string> own;
    for (const auto& path : all_) {
      if (!path.starts_with(folder)) continue;
      const auto slash = path.find('/', folder.size());
      const bool below = slash != path.npos;
      // A format that Pandoc reads, in a folder without a list of contents.
      const bool document =
          book_.tool == Tool::folder && !pandoc_format(book_, ForeignChapter{path, "", ""}).empty();
      if (!below && is_foreign_page(path) && !document)
        report_.not_taken(path, "its format is not read; convert it to Markdown", folder, 0);
      if (!is_page(path) && !document) continue;
      const std::string name = below ? path.substr(0, slash + 1) : path;
      const std::string base = without_ending(path.substr(folder.size()));
      if (!below && is_one_of(base, {"_index", "index", "README", "readme"})) {
        own.push_back(path);
      } else if (names.insert(name).second) {
        items.push_back({weight(name), name});
      }
    }
    std::ranges::stable_sort(
        items, {}, [](const Item& item) { return std::pair(item.weight == 0, item.weight); });
    for (const auto& path : own) add(path);
    for (const auto& item : items) {
      if (item.path.ends_with('/')) collect(item.path);
      else add(item.path);
    }
  }

 private:
  // Files and folders whose names begin with a dot or, except for _index, an underscore.
  static bool is_hidden(const std::string& path) {
    for (const auto name : split(path, '/')) {
      if (name.starts_with('.') || name == "node_modules") return true;
      if (name.starts_with('_') && !name.starts_with("_index.")) return true;
    }
    return false;
  }

  nlohmann::json front(const std::string& path) const {
    ImportReport ignored;  // the chapter's own reading reports it
    return old_front_matter(files_.read(path).value_or(""), path, ignored).keys;
  }

  double weight(const std::string& path) const {
    const auto keys = front(path.ends_with('/') ? path + "_index.md" : path);
    for (const char* key : {"weight", "nav_order", "order", "sidebar_position"}) {
      const std::string text = text_at(keys, key);
      double value = 0;
      if (!text.empty() &&
          read_real(text.data(), text.data() + text.size(), value).ec == std::errc())
        return value;
    }
    return 0;
  }

  void add(const std::string& path) {
    if (!files_.read(path))
      return report_.not_taken(path, "the file is too large or cannot be read", path, 0);
    const auto keys = front(path);
    ForeignChapter chapter{path, text_at(keys, "title"),
                           without_ends(without_ending(path.substr(book_.content.size())),
                                        {"_index", "index", "README"})};
    chapter.draft = text_at(keys, "draft") == "true";
    if (const auto slug = text_at(keys, "slug"); !slug.empty() && book_.tool == Tool::hugo) {
      const auto slash = chapter.address.rfind('/') + 1;
      chapter.aliases.push_back(chapter.address.substr(0, slash) + slug);
    }
    if (const auto url = text_at(keys, "url"); url.starts_with('/')) chapter.aliases.push_back(url);
    chapter.aliases.push_back(chapter.address);
    book_.chapters.push_back(std::move(chapter));
  }

  const FileSystem& files_;
  ForeignBook& book_;
  ImportReport& report_;
  std::vector<std::string> all_;
};

std::string language_tag(std::string text) {
  for (char& c : text) c = c == '_' ? '-' : c;
  return text;
}

// The folder of the pages in the site's own language: contentDir, or what is mounted as "content".
std::string content_of(const nlohmann::json& settings) {
  const std::string language = text_at(settings, "defaultContentLanguage");
  for (const auto& key : {"languages." + (language.empty() ? "en" : language) + ".contentDir",
                          std::string("contentDir")}) {
    if (const auto folder = text_at(settings, key); !folder.empty()) return folder + '/';
  }
  const auto mounts = value_at(settings, "module.mounts");
  for (std::size_t i = 0; mounts.is_array() && i < mounts.size(); ++i) {
    if (text_at(mounts[i], "target") == "content" && !text_at(mounts[i], "source").empty())
      return text_at(mounts[i], "source") + '/';
  }
  return "content/";
}

}  // namespace

std::optional<ForeignBook> hugo_book(const FileSystem& files, ImportReport& report) {
  for (const std::string folder : {"", "config/_default/"}) {
    for (const std::string base : {"hugo", "config"}) {
      for (const char* ending : {".toml", ".yaml", ".yml", ".json"}) {
        const std::string name = folder + base + ending;
        const auto text = files.read(name);
        if (!text) continue;
        const auto settings = read_settings(*text, name, report).value_or(nlohmann::json());
        ForeignBook book{Tool::hugo, text_at(settings, "title")};
        book.subtitle = text_at(settings, "params.description");
        book.language = language_tag(text_at(settings, "languageCode"));
        if (book.language.empty()) book.language = text_at(settings, "defaultContentLanguage");
        book.license = text_at(settings, "copyright");
        book.base_url = text_at(settings, "baseURL");
        book.authors = texts_at(settings, "params.author");
        book.content = content_of(settings);
        FolderOrder(files, book, report).collect(book.content);
        if (!book.chapters.empty()) return book;
      }
    }
  }
  return std::nullopt;
}

namespace {

// Whether Jekyll leaves a file out: an entry of exclude, or below one.
bool is_excluded(const std::string& path, const std::vector<std::string>& excluded) {
  return std::ranges::any_of(excluded, [&](std::string one) {
    while (one.starts_with("./") || one.starts_with('/')) one.erase(0, one.find('/') + 1);
    while (one.ends_with('/') || one.ends_with('*')) one.pop_back();
    return !one.empty() && (path == one || path.starts_with(one + '/'));
  });
}

// Folders with an underscore that have pages: posts, and the collections of the settings.
bool is_jekyll_page(const std::string& path, const nlohmann::json& settings) {
  if (path.starts_with('.')) return false;
  for (const auto name : split(path, '/')) {
    if (!name.starts_with('_')) continue;
    const std::string collection(name.substr(1));
    const auto collections = value_at(settings, "collections");
    if (collection != "posts" && collection != "pages" &&
        !(collections.is_object() && collections.contains(collection)))
      return false;
  }
  return is_page(path) || is_foreign_page(path);
}

// "2024-01-05-name" gives "name".
std::string without_date(const std::string& address) {
  const auto slash = address.rfind('/') + 1;
  const std::string_view name = std::string_view(address).substr(slash);
  const bool dated = name.size() > 11 && name.find_first_not_of("0123456789-") >= 11 &&
                     name[4] == '-' && name[7] == '-' && name[10] == '-';
  return dated ? address.substr(0, slash) + std::string(name.substr(11)) : address;
}

}  // namespace

std::optional<ForeignBook> jekyll_book(const FileSystem& files, ImportReport& report) {
  const auto text = files.read("_config.yml");
  if (!text) return std::nullopt;
  const auto settings = read_settings(*text, "_config.yml", report).value_or(nlohmann::json());
  ForeignBook book{Tool::jekyll, text_at(settings, "title")};
  book.subtitle = text_at(settings, "tagline");
  book.language = language_tag(text_at(settings, "lang"));
  book.authors = texts_at(settings, "author");
  book.license = text_at(settings, "license");
  const std::string url = text_at(settings, "url"), base = text_at(settings, "baseurl");
  book.base_url = url.empty() ? "" : url + base;
  if (const auto name = text_at(settings, "repository"); !name.empty())
    book.repository = name.starts_with("http") ? name : "https://github.com/" + name;
  const auto excluded = texts_at(settings, "exclude");
  struct Page {
    double order;
    ForeignChapter chapter;
  };
  std::vector<Page> pages;
  for (const auto& path : files.list(".")) {
    if (!is_jekyll_page(path, settings) || is_excluded(path, excluded)) continue;
    ImportReport ignored;
    const auto front = old_front_matter(files.read(path).value_or(""), path, ignored);
    if (front.end == 0) continue;  // Jekyll copies such files
    if (is_foreign_page(path)) {
      report.not_taken(path, "its format is not read; convert it to Markdown", path, 0);
      continue;
    }
    ForeignChapter chapter{path, text_at(front.keys, "title"),
                           without_date(without_ends(without_ending(path), {"index"}))};
    if (const auto link = text_at(front.keys, "permalink"); !link.empty())
      chapter.aliases.push_back(link);
    chapter.draft = text_at(front.keys, "published") == "false";
    chapter.aliases.push_back(chapter.address);
    if (!chapter.address.empty()) chapter.aliases.push_back(chapter.address + ".html");
    double order = 1e9;
    for (const char* key : {"section_number", "nav_order", "order", "weight"}) {
      const std::string number = text_at(front.keys, key);
      if (!number.empty()) read_real(number.data(), number.data() + number.size(), order);
    }
    pages.push_back({order, std::move(chapter)});
  }
  std::ranges::stable_sort(pages, {}, &Page::order);
  for (auto& page : pages) book.chapters.push_back(std::move(page.chapter));
  for (const auto& path : files.list("."))
    if (path.ends_with(".bib") && !is_excluded(path, excluded)) book.bibliographies.push_back(path);
  return book.chapters.empty() ? std::nullopt : std::optional(book);
}

std::optional<ForeignBook> folder_book(const FileSystem& files, ImportReport& report) {
  ForeignBook book{Tool::folder, ""};
  FolderOrder(files, book, report).collect("");
  std::erase_if(book.chapters,
                [](const ForeignChapter& one) { return one.file.ends_with(".html"); });
  return book.chapters.empty() ? std::nullopt : std::optional(book);
}

}  // namespace primer
