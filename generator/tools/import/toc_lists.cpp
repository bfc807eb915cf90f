// Quarto, MyST and Jupyter Book: lists of contents in YAML, with parts, sub-pages and appendices.
#include <algorithm>
#include <array>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/foreign_book.hpp"

namespace primer {
namespace {

using nlohmann::json;

class ContentsList {
 public:
  ContentsList(const FileSystem& files, ForeignBook& book, std::string list, ImportReport& report)
      : files_(files), book_(book), list_(std::move(list)), report_(report) {}

  void part(const std::string& title, bool appendix) {
    part_ = title;
    appendix_ = appendix;
  }

  void entries(const json& list, int depth) {
    if (list.is_string()) return file(list.get<std::string>(), depth, "");
    if (!list.is_array()) return;
    for (const auto& entry : list) {
      if (entry.is_string()) file(entry.get<std::string>(), depth, "");
      else if (entry.is_object()) group(entry, depth);
    }
  }

 private:
  // An entry with keys: a file, a part, or a group with children.
  void group(const json& entry, int depth) {
    if (const auto name = text_at(entry, "glob"); !name.empty())
      return report_.not_taken(name, "patterns are not expanded; list the files", list_, 0);
    for (const char* key : {"caption", "part", "title"}) {
      const std::string title = text_at(entry, key);
      if (title.empty() || entry.contains("file")) continue;
      // A part may be a file, which is its first chapter.
      if (std::string_view(key) == "part" && exists(title)) file(title, depth, "");
      else part(title, appendix_);
      break;
    }
    for (const char* key : {"file", "root", "href"}) {
      const std::string name = text_at(entry, key);
      const bool web = name.starts_with("http://") || name.starts_with("https://");
      if (web) report_.lost("link in the list of contents: " + name, list_, 0);
      else if (!name.empty()) file(name, depth, text_at(entry, "title"));
    }
    const bool below = entry.contains("file");
    for (const char* key : {"chapters", "sections", "children", "contents"}) {
      if (entry.contains(key)) entries(entry[key], depth + (below ? 1 : 0));
    }
    if (entry.contains("parts")) entries(entry["parts"], depth);
  }

  bool exists(const std::string& name) const { return !found(name).empty(); }

  std::string found(const std::string& name) const {
    for (const char* ending : {"", ".md", ".ipynb", ".qmd", ".Rmd", ".rst"}) {
      const auto path = normal_path(name + ending);
      if (path && path->find('.') != path->npos && files_.read(*path)) return *path;
    }
    return {};
  }

  void file(const std::string& name, int depth, const std::string& title) {
    const std::string path = found(name);
    constexpr std::array known = {".md", ".qmd", ".Rmd", ".ipynb"};
    const bool readable =
        std::ranges::any_of(known, [&](const char* ending) { return path.ends_with(ending); });
    if (path.empty()) return report_.not_taken(name, "the file is missing or too large", list_, 0);
    if (!readable) return report_.not_taken(path, "its format is not read", list_, 0);
    if (std::ranges::find(book_.chapters, path, &ForeignChapter::file) != book_.chapters.end())
      return;
    ForeignChapter chapter{path, title, path.substr(0, path.rfind('.'))};
    chapter.depth = depth > 0 && !book_.chapters.empty() && part_.empty() ? 1 : 0;
    chapter.part = std::exchange(part_, {});
    chapter.appendix = appendix_ && !chapter.part.empty();
    chapter.aliases.push_back(chapter.address + ".html");
    book_.chapters.push_back(std::move(chapter));
  }

  const FileSystem& files_;
  ForeignBook& book_;
  const std::string list_;
  ImportReport& report_;
  std::string part_;
  bool appendix_ = false;
};

json settings_of(const FileSystem& files, const char* name, ImportReport& report) {
  const auto text = files.read(name);
  return text ? read_settings(*text, name, report).value_or(json()) : json();
}

}  // namespace

std::optional<ForeignBook> quarto_book(const FileSystem& files, ImportReport& report) {
  const json settings = settings_of(files, "_quarto.yml", report);
  if (!settings.is_object()) return std::nullopt;
  ForeignBook book{Tool::quarto, text_at(settings, "book.title")};
  book.subtitle = text_at(settings, "book.subtitle");
  book.language = text_at(settings, "lang");
  book.authors = texts_at(settings, "book.author");
  book.repository = text_at(settings, "book.repo-url");
  book.base_url = text_at(settings, "book.site-url");
  book.license = text_at(settings, "book.license");
  book.bibliographies = texts_at(settings, "bibliography");
  ContentsList list(files, book, "_quarto.yml", report);
  list.entries(value_at(settings, "book.chapters"), 0);
  if (const auto appendices = value_at(settings, "book.appendices"); !appendices.is_null()) {
    list.part("Appendices", true);
    list.entries(appendices, 0);
  }
  return book;
}

std::optional<ForeignBook> myst_book(const FileSystem& files, ImportReport& report) {
  const json myst = settings_of(files, "myst.yml", report),
             contents = settings_of(files, "_toc.yml", report);
  if (!myst.is_object() && contents.is_null()) return std::nullopt;
  const json config = settings_of(files, "_config.yml", report);
  ForeignBook book{Tool::myst, text_at(myst, "project.title")};
  if (book.title.empty()) book.title = text_at(myst, "site.title");
  if (book.title.empty()) book.title = text_at(config, "title");
  book.authors = texts_at(myst, "project.authors");
  if (book.authors.empty()) book.authors = texts_at(config, "author");
  book.license = text_at(myst, "project.license");
  book.repository = text_at(myst, "project.github");
  if (book.repository.empty()) book.repository = text_at(config, "repository.url");
  book.language = text_at(config, "sphinx.config.language");
  book.bibliographies = texts_at(myst, "project.bibliography");
  for (const auto& one : texts_at(config, "bibtex_bibfiles")) book.bibliographies.push_back(one);
  ContentsList list(files, book, contents.is_null() ? "myst.yml" : "_toc.yml", report);
  list.entries(value_at(myst, "project.toc"), 0);
  if (book.chapters.empty() && contents.is_array()) list.entries(contents, 0);
  if (book.chapters.empty() && contents.is_object()) list.entries(json::array({contents}), 0);
  return book;
}

}  // namespace primer
