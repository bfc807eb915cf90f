// mdBook: book.toml, and SUMMARY.md read as the Markdown that it is. Chapters of its lists are
// numbered, and those before and after are not. A heading begins a part.
#include <algorithm>

#include "generator/core/base/text.hpp"
#include "generator/core/markdown/markdown.hpp"
#include "generator/tools/import/foreign_book.hpp"
#include "generator/tools/import/markdown_writer.hpp"
#include "generator/tools/import/old_names.hpp"

namespace primer {
namespace {

class Summary {
 public:
  Summary(const FileSystem& files, ForeignBook& book, ImportReport& report)
      : files_(files), book_(book), report_(report), path_(book.content + "SUMMARY.md") {}

  void read() {
    const auto text = files_.read(path_);
    if (!text) return report_.not_taken(path_, "the file is missing", "book.toml", 0);
    const Source source(path_, *text);
    source_ = &source;
    Diagnostics ignored;
    const auto tree = parse_markdown(extract_lines(source, 1, source.line_count()), ignored);
    if (!tree) return report_.not_taken(path_, "the list is too large", path_, 0);
    bool titled = false;
    for (const auto& node : tree->children) {
      if (node.kind == NodeKind::heading && node.level == 1) {
        // The first heading above all chapters is the title of the list itself.
        if (titled || seen_ || plain_text(node) != "Summary") part_ = plain_text(node);
        titled = true;
      } else if (node.kind == NodeKind::list) {
        list(node, 0);
      } else {
        links(node, 0, false);
      }
    }
  }

 private:
  void list(const Node& node, int depth) {
    for (const auto& item : node.children) {
      for (const auto& child : item.children) {
        if (child.kind == NodeKind::list) list(child, depth + 1);
        else links(child, depth, true);
      }
    }
  }

  void links(const Node& node, int depth, bool numbered) {
    if (node.kind == NodeKind::link) return chapter(node, depth, numbered);
    for (const auto& child : node.children) links(child, depth, numbered);
  }

  void chapter(const Node& link, int depth, bool numbered) {
    seen_ = true;
    const int line = source_->line_at(link.offset);
    const std::string title = plain_text(link);
    if (link.url.empty())
      return report_.changed("draft without a file in SUMMARY.md: " + title, "left out", path_,
                             line);
    const std::string target = percent_decoded(link.url.substr(0, link.url.find_first_of("#?")));
    const auto file = resolve_path(path_, target);
    if (!file || !files_.read(*file))
      return report_.not_taken(target, "the file is missing or too large", path_, line);
    if (std::ranges::find(book_.chapters, *file, &ForeignChapter::file) != book_.chapters.end())
      return report_.changed("chapter listed twice: " + title, "listed once", path_, line);
    ForeignChapter chapter{*file, write_inlines(link), ""};
    if (depth > 1)
      report_.changed("chapter on level " + std::to_string(depth + 1) + ": " + title,
                      "on level 2, because books have two", path_, line);
    chapter.depth = numbered && depth > 0 && !book_.chapters.empty() && part_.empty() ? 1 : 0;
    chapter.number = numbered && chapter.depth == 0 ? ++chapters_ : 0;
    chapter.part = std::exchange(part_, {});
    const auto inner =
        file->starts_with(book_.content) ? file->substr(book_.content.size()) : *file;
    chapter.address = inner.substr(0, inner.rfind('.'));
    if (const auto slash = inner.rfind('/') + 1; inner.substr(slash) == "README.md")
      chapter.address = inner.substr(0, slash) + "index";
    chapter.aliases.push_back(chapter.address + ".html");
    book_.chapters.push_back(std::move(chapter));
  }

  const FileSystem& files_;
  ForeignBook& book_;
  ImportReport& report_;
  const std::string path_;
  const Source* source_ = nullptr;
  std::string part_;
  int chapters_ = 0;
  bool seen_ = false;  // whether a chapter was listed
};

// [output.html.redirect]: "/old.html" = "new.html" gives the chapter at new.html a former address.
void add_redirects(const nlohmann::json& settings, ForeignBook& book, ImportReport& report) {
  const auto redirects = value_at(settings, "output.html.redirect");
  if (!redirects.is_object()) return;
  for (const auto& [from, value] : redirects.items()) {
    const std::string to = value.is_string() ? value.get<std::string>() : "";
    const auto path = to.substr(0, to.find('#'));
    const auto target = path.starts_with('/')
                            ? normal_path(path.substr(1))
                            : resolve_path(from.substr(from.find_first_not_of('/')), path);
    const auto chapter = std::ranges::find_if(book.chapters, [&](const ForeignChapter& one) {
      return target && one.address + ".html" == *target;
    });
    if (chapter == book.chapters.end())
      report.lost("redirect from " + from + " to " + to, "book.toml", 0);
    else chapter->aliases.push_back(from);
  }
}

}  // namespace

std::optional<ForeignBook> mdbook_book(const FileSystem& files, ImportReport& report) {
  const auto text = files.read("book.toml");
  if (!text) return std::nullopt;
  const auto settings =
      read_settings(*text, "book.toml", report).value_or(nlohmann::json::object());
  ForeignBook book;
  book.title = text_at(settings, "book.title");
  book.subtitle = text_at(settings, "book.description");
  book.language = text_at(settings, "book.language");
  book.authors = texts_at(settings, "book.authors");
  book.repository = text_at(settings, "output.html.git-repository-url");
  book.base_url = text_at(settings, "output.html.site-url");
  book.maths_brackets = text_at(settings, "output.html.mathjax-support") == "true";
  const std::string source = text_at(settings, "book.src");
  const auto content = normal_path(source.empty() ? "src" : source);
  book.content = content && !content->empty() && *content != "." ? *content + '/' : "";
  const auto preprocessors = value_at(settings, "preprocessor");
  for (const auto& [name, value] : preprocessors.items()) {
    if (!is_one_of(name, {"links", "index"}))
      report.changed("preprocessor " + name, "not run; its syntax stays as text", "book.toml", 0);
  }
  Summary(files, book, report).read();
  add_redirects(settings, book, report);
  return book;
}

}  // namespace primer
