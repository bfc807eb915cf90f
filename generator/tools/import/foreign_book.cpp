#include "generator/tools/import/foreign_book.hpp"

#include <algorithm>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {

using Book = std::optional<ForeignBook>;

// The value of "key: value" or "key = value" on a separate line.
std::string setting(std::string_view text, std::string_view key) {
  for (const auto line : split_lines(text)) {
    std::string_view rest = trim(line);
    if (!rest.starts_with(key)) continue;
    rest = trim(rest.substr(key.size()));
    if (!rest.starts_with(':') && !rest.starts_with('=')) continue;
    const std::string value(trim(rest.substr(1)));
    if (value.size() > 1 && (value[0] == '"' || value[0] == '\''))
      return value.substr(1, value.find(value[0], 1) - 1);
    return value;
  }
  return {};
}

// A title of SUMMARY.md that is none of the list's own.
std::string part_in(std::string_view line) {
  const std::string title(line.starts_with("# ") ? trim(line.substr(2)) : "");
  return title == "Summary" ? "" : title;
}

// "[Title](file.md)" on each line of SUMMARY.md: of a list its chapters and what is below them, numbered; before and after
// it what has no number.
Book mdbook(const FileSystem& files, Lowered& lowered) {
  const auto settings = files.read("book.toml");
  if (!settings) return std::nullopt;
  std::string source = setting(*settings, "src");
  source = source.empty() ? "src/" : source + '/';
  ForeignBook book{Tool::mdbook, setting(*settings, "title"), source};
  const std::string summary = source + "SUMMARY.md";
  const std::string list = files.read(summary).value_or("");
  std::string part;
  int number = 0, chapters = 0;
  for (const auto line : split_lines(list)) {
    ++number;
    const auto middle = line.find("](");
    const auto open = line.find('['), close = line.find(')', middle);
    if (middle == line.npos || open == line.npos || close == line.npos) {
      if (const std::string title = part_in(line); !title.empty()) part = title;
      continue;
    }
    const std::string title(line.substr(open + 1, middle - open - 1));
    const auto file = resolve_path(summary, line.substr(middle + 2, close - middle - 2));
    if (file && files.read(*file)) {
      const auto mark = line.find_first_not_of(" \t");
      const bool listed = mark < open;
      ForeignChapter chapter{*file, title, ""};
      chapter.depth = listed && mark > 0 && !book.chapters.empty() && part.empty() ? 1 : 0;
      chapter.number = listed && chapter.depth == 0 ? ++chapters : 0;
      chapter.part = std::exchange(part, {});
      book.chapters.push_back(std::move(chapter));
    } else {
      lowered.add("chapter without a file", "left out", summary, number);
    }
  }
  return book;
}

// Below content/: sections with _index.md first, then pages and sections by weight, then by name.
class HugoOrder {
 public:
  HugoOrder(const FileSystem& files, std::string content)
      : files_(files),
        content_(std::move(content)),
        all_(files.list(content_.substr(0, content_.size() - 1))) {}

  void collect(const std::string& folder, std::vector<ForeignChapter>& into) const {
    struct Item {
      int weight;
      std::string path;
    };
    std::vector<Item> items;
    for (const auto& path : all_) {
      if (!path.starts_with(folder) || !path.ends_with(".md")) continue;
      const auto slash = path.find('/', folder.size());
      const std::string name = slash == path.npos ? path : path.substr(0, slash + 1);
      if (name == folder + "_index.md") continue;
      if (items.empty() || items.back().path != name) items.push_back({weight(name), name});
    }
    std::ranges::stable_sort(
        items, {}, [](const Item& item) { return std::pair(item.weight == 0, item.weight); });
    add(folder + "_index.md", into);
    for (const auto& item : items) {
      if (!item.path.ends_with('/')) add(item.path, into);
      else if (files_.read(item.path + "index.md")) add(item.path + "index.md", into);
      else collect(item.path, into);
    }
  }

 private:
  OldFrontMatter front(const std::string& path) const {
    return old_front_matter(files_.read(path).value_or(""));
  }

  int weight(const std::string& path) const {
    const std::string text = front(path.ends_with('/') ? path + "_index.md" : path).first("weight");
    return std::atoi(text.c_str());
  }

  void add(const std::string& path, std::vector<ForeignChapter>& into) const {
    if (!files_.read(path)) return;
    std::string address = path.substr(content_.size());
    address.resize(address.size() - 3);
    for (const std::string_view end : {"_index", "index"}) {
      if (address == end || address.ends_with('/' + std::string(end)))
        address.resize(address.size() - end.size());
    }
    while (address.ends_with('/')) address.pop_back();
    into.push_back(
        {path, front(path).first("title"), address, front(path).first("draft") == "true"});
  }

  const FileSystem& files_;
  const std::string content_;
  const std::vector<std::string> all_;
};

Book hugo(const FileSystem& files, Lowered&) {
  for (const char* name :
       {"hugo.toml", "hugo.yaml", "hugo.yml", "config.toml", "config.yaml", "config.yml"}) {
    const auto settings = files.read(name);
    if (!settings) continue;
    ForeignBook book{Tool::hugo, setting(*settings, "title"), setting(*settings, "contentDir")};
    if (book.content.empty()) book.content = "content";
    book.content += '/';
    HugoOrder(files, book.content).collect(book.content, book.chapters);
    if (!book.chapters.empty()) return book;
  }
  return std::nullopt;
}

std::string unquoted_title(std::string_view text) {
  const bool quoted = text.size() > 1 && (text[0] == '"' || text[0] == '\'');
  return std::string(quoted ? text.substr(1, text.find(text[0], 1) - 1) : text);
}

// Every name of a Markdown file in a list of contents, in its order: `chapters:` of _quarto.yml, `file:` of MyST.
void add_named(const FileSystem& files, std::string_view list, std::vector<ForeignChapter>& into) {
  std::string part;
  bool appendix = false;
  for (const auto line : split_lines(list)) {
    std::string_view name = trim(line);
    if (name == "appendices:") part = "Appendices", appendix = true;
    const auto begins = name.find("part:");
    for (const std::string_view key : {"- ", "file:", "part:", "root:", "href:"}) {
      if (name.starts_with(key)) name = trim(name.substr(key.size()));
    }
    for (const char* ending : {"", ".md", ".qmd", ".Rmd"}) {
      const auto file = normal_path(std::string(name) + ending);
      const bool text = file && (file->ends_with("md"));
      if (!text || !files.read(*file)) continue;
      ForeignChapter chapter{*file, "", ""};
      chapter.part = std::exchange(part, {});
      chapter.appendix = appendix;
      into.push_back(std::move(chapter));
      name = {};
    }
    const bool titled = begins != name.npos && begins <= 2 && !name.empty();
    if (titled) part = unquoted_title(name);
  }
}

Book listed(const FileSystem& files, Tool tool, std::initializer_list<const char*> names) {
  ForeignBook book{tool, "", ""};
  for (const char* name : names) {
    const auto list = files.read(name);
    if (!list) continue;
    if (book.title.empty()) book.title = setting(*list, "title");
    if (book.chapters.empty()) add_named(files, *list, book.chapters);
  }
  return book.chapters.empty() ? std::nullopt : Book(book);
}

// Pages and posts by their names.
Book jekyll(const FileSystem& files) {
  const auto settings = files.read("_config.yml");
  if (!settings) return std::nullopt;
  ForeignBook book{Tool::jekyll, setting(*settings, "title"), ""};
  for (const auto& path : files.list(".")) {
    const bool text = path.ends_with(".md") || path.ends_with(".markdown");
    if (!text || old_front_matter(files.read(path).value_or("")).end == 0) continue;
    if (path.starts_with("_includes/") || path.starts_with("_layouts/")) continue;
    std::string address = path.substr(0, path.rfind('.'));
    if (address.ends_with("index")) address.resize(address.size() - 5);
    while (address.ends_with('/')) address.pop_back();
    book.chapters.push_back({path, "", address});
  }
  return book.chapters.empty() ? std::nullopt : Book(book);
}

}  // namespace

std::optional<ForeignBook> find_foreign_book(const FileSystem& files, Lowered& lowered) {
  if (auto book = mdbook(files, lowered)) return book;
  if (auto book = hugo(files, lowered)) return book;
  if (auto book = listed(files, Tool::quarto, {"_quarto.yml"})) return book;
  if (auto book = listed(files, Tool::myst, {"myst.yml", "_toc.yml", "_config.yml"})) return book;
  return jekyll(files);
}

}  // namespace primer
