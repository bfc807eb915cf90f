// Lists of contents with parts, sub-pages and appendices: those in YAML of Quarto, bookdown, MyST
// and Jupyter Book, the toctrees of Sphinx and the \\include commands of LaTeX. The last two become
// the same JSON as the lists in YAML.
#include <algorithm>
#include <array>
#include <cctype>
#include <set>

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
      else part(title, appendix_ || entry.contains("appendix"));
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
    for (const char* ending : {"", ".md", ".ipynb", ".qmd", ".Rmd", ".rst", ".tex"}) {
      const auto path = normal_path(name + ending);
      if (path && path->find('.') != path->npos && files_.read(*path)) return *path;
    }
    return {};
  }

  void file(const std::string& name, int depth, const std::string& title) {
    const std::string path = found(name);
    constexpr std::array known = {".md", ".qmd", ".Rmd", ".ipynb", ".rst", ".tex"};
    const bool readable =
        std::ranges::any_of(known, [&](const char* ending) { return path.ends_with(ending); });
    if (path.empty()) return report_.not_taken(name, "the file is missing or too large", list_, 0);
    if (!readable) return report_.not_taken(path, "its format is not read", list_, 0);
    if (std::ranges::find(book_.chapters, path, &ForeignChapter::file) != book_.chapters.end())
      return;
    ForeignChapter chapter{path, title, path.substr(0, path.rfind('.'))};
    chapter.depth = depth > 0 && !book_.chapters.empty() && part_.empty() ? 1 : 0;
    if (path.ends_with(".Rmd")) part_in(path);
    chapter.part = std::exchange(part_, {});
    chapter.appendix = appendix_ && !chapter.part.empty();
    chapter.aliases.push_back(chapter.address + ".html");
    book_.chapters.push_back(std::move(chapter));
  }

  // "# (PART) Title {-}" of bookdown, above the chapter's own heading.
  void part_in(const std::string& path) {
    const std::string text = files_.read(path).value_or("");
    constexpr std::string_view mark = "# (PART) ";
    const auto at = text.starts_with(mark) ? 0 : text.find("\n" + std::string(mark));
    if (at == text.npos) return;
    const auto from = text.find(mark, at) + mark.size();
    part(std::string(trim(text.substr(from, text.find_first_of("{\n", from) - from))), false);
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

// bookdown: the files that _bookdown.yml names, or all of R Markdown by name, the index first.
std::optional<ForeignBook> bookdown_book(const FileSystem& files, ImportReport& report) {
  const json settings = settings_of(files, "_bookdown.yml", report);
  const auto index = files.read("index.Rmd");
  if (!settings.is_object() && !index) return std::nullopt;
  const json front = old_front_matter(index.value_or(""), "index.Rmd", report).keys;
  ForeignBook book{Tool::quarto, text_at(front, "title")};
  book.subtitle = text_at(front, "subtitle");
  book.language = text_at(front, "lang");
  book.authors = texts_at(front, "author");
  book.base_url = text_at(front, "url");
  book.bibliographies = texts_at(front, "bibliography");
  json list = value_at(settings, "rmd_files");
  if (list.is_object()) list = value_at(list, "html");
  if (!list.is_array()) {
    list = json::array();
    if (index) list.push_back("index.Rmd");
    for (const auto& path : files.list("."))
      if (path.ends_with(".Rmd") && path.find('/') == path.npos && path[0] != '_')
        list.push_back(path);
  }
  ContentsList(files, book, "_bookdown.yml", report).entries(list, 0);
  return book;
}

namespace {

// The documents that the toctrees of a document list, as the list of a MyST book.
class Toctrees {
 public:
  Toctrees(const FileSystem& files, std::string root) : files_(files), root_(std::move(root)) {}

  json below(const std::string& document) {
    json list = json::array();
    const auto text = files_.read(document + ".rst");
    if (!text || !seen_.insert(document).second) return list;
    json* into = &list;
    std::size_t indent = text->npos;  // of the toctree that is open
    for (const auto line : split_lines(*text)) {
      const std::string_view words = trim(line);
      const auto at = line.find_first_not_of(' ');
      if (words == ".. toctree::") {
        indent = at;
        into = &list;
      } else if (!words.empty() && indent != text->npos && at > indent) {
        if (words.starts_with(":caption:")) {
          list.push_back(
              {{"part", std::string(trim(words.substr(9)))}, {"chapters", json::array()}});
          into = &list.back()["chapters"];
        } else if (words[0] != ':') {
          entry(document, std::string(words), *into);
        }
      } else if (!words.empty()) {
        indent = text->npos;
      }
    }
    return list;
  }

 private:
  void entry(const std::string& document, const std::string& words, json& into) {
    const auto open = words.rfind('<');
    const bool titled = open != words.npos && words.ends_with('>');
    const std::string target = titled ? words.substr(open + 1, words.size() - open - 2) : words;
    if (target == "self") return;
    if (target.find("://") != target.npos) return into.push_back({{"href", target}});
    const auto path = target.starts_with('/') ? normal_path(root_ + target.substr(1))
                                              : resolve_path(document, target);
    if (!path) return into.push_back(target);
    std::vector<std::string> found{*path};
    if (const auto star = path->find('*'); star != path->npos) {
      found.clear();
      for (auto file : files_.list(root_.empty() ? "." : root_.substr(0, root_.size() - 1))) {
        if (!file.ends_with(".rst")) continue;
        file.resize(file.size() - 4);
        if (file.starts_with(path->substr(0, star)) && file.ends_with(path->substr(star + 1)) &&
            file.find('/', star) == file.npos && !seen_.contains(file))
          found.push_back(file);
      }
    }
    for (auto one : found) {
      if (one.ends_with(".rst")) one.resize(one.size() - 4);
      json entry{{"file", one}};
      if (titled) entry["title"] = std::string(trim(words.substr(0, open)));
      entry["chapters"] = below(one);
      into.push_back(std::move(entry));
    }
  }

  const FileSystem& files_;
  const std::string root_;
  std::set<std::string> seen_;
};

// A text that a line of Python assigns: project = "Name".
std::string assigned(std::string_view python, std::string_view name) {
  for (const auto line : split_lines(python)) {
    if (!line.starts_with(name)) continue;
    const std::string_view value = trim(line.substr(name.size()));
    const auto open = value.find_first_of("\"'");
    if (value.starts_with('=') && open != value.npos)
      return std::string(value.substr(open + 1, value.find(value[open], open + 1) - open - 1));
  }
  return {};
}

}  // namespace

std::optional<ForeignBook> sphinx_book(const FileSystem& files, ImportReport& report) {
  for (const std::string root : {"", "source/", "docs/", "doc/", "docs/source/", "doc/source/"}) {
    const auto config = files.read(root + "conf.py");
    if (!config || !files.read(root + "index.rst")) continue;
    ForeignBook book{Tool::sphinx, assigned(*config, "project")};
    book.content = root;
    book.language = assigned(*config, "language");
    if (const auto author = assigned(*config, "author"); !author.empty()) book.authors = {author};
    ContentsList list(files, book, root + "index.rst", report);
    list.entries(json::array({root + "index.rst"}), 0);
    list.entries(Toctrees(files, root).below(root + "index"), 0);
    for (auto& chapter : book.chapters) chapter.address.erase(0, root.size());
    for (auto& chapter : book.chapters) chapter.aliases = {chapter.address + ".html"};
    return book;
  }
  return std::nullopt;
}

std::vector<TexCommand> tex_commands(std::string_view text) {
  constexpr std::size_t longest_argument = 1000;  // in bytes; a longer one counts as none
  std::vector<TexCommand> found;
  for (std::size_t at = 0; at < text.size(); ++at) {
    if (text[at] == '%') at = std::min(text.find('\n', at), text.size());
    if (at + 1 >= text.size() || text[at] != '\\') continue;
    const auto begin = at++;
    while (at < text.size() && std::isalpha(static_cast<unsigned char>(text[at])) != 0) ++at;
    TexCommand command{std::string(text.substr(begin + 1, at - begin - 1)), "", begin};
    auto open = at;
    if (open < text.size() && text[open] == '*') ++open;
    if (open < text.size() && text[open] == '[')
      open = std::min(text.find(']', open), text.size() - 1) + 1;
    if (open < text.size() && text[open] == '{') {
      int depth = 0;
      for (auto end = open; end < text.size() && end - open <= longest_argument; ++end) {
        if (text[end] == '{') ++depth;
        if (text[end] != '}' || --depth > 0) continue;
        command.argument = text.substr(open + 1, end - open - 1);
        break;
      }
    }
    found.push_back(std::move(command));
    if (at > begin + 1) --at;
  }
  return found;
}

namespace {

// Without commands and braces.
std::string plain_tex(std::string_view tex) {
  std::string out;
  for (std::size_t at = 0; at < tex.size(); ++at) {
    if (tex[at] == '\\')
      while (at + 1 < tex.size() && std::isalpha(static_cast<unsigned char>(tex[at + 1])) != 0)
        ++at;
    else if (tex[at] == '~' || tex[at] == '\n') out += ' ';
    else if (tex[at] != '{' && tex[at] != '}') out += tex[at];
  }
  return std::string(trim(out));
}

// The .tex file with most commands that include others, of those that begin a document.
std::string main_file(const FileSystem& files) {
  std::string best;
  std::ptrdiff_t most = -1;
  for (const auto& path : files.list(".")) {
    const auto text = path.ends_with(".tex") ? files.read(path) : std::nullopt;
    if (!text || text->find("\\begin{document}") == text->npos) continue;
    const auto commands = tex_commands(*text);
    const auto count = std::ranges::count_if(commands, [](const TexCommand& one) {
      return is_one_of(one.name, {"include", "input", "subfile"});
    });
    if (count <= most) continue;
    most = count;
    best = path;
  }
  return best;
}

}  // namespace

std::optional<ForeignBook> latex_book(const FileSystem& files, ImportReport& report) {
  const std::string path = main_file(files);
  if (path.empty()) return std::nullopt;
  const std::string text = *files.read(path);
  ForeignBook book{Tool::latex, ""};
  book.content = path.substr(0, path.rfind('/') + 1);
  json list = json::array();
  bool in_document = false, has_text = false;
  for (const auto& [name, argument, at] : tex_commands(text)) {
    if (name == "title") book.title = plain_tex(argument);
    if (name == "author") book.authors = {plain_tex(argument)};
    if (name == "begin" && argument == "document") {
      in_document = true;
      book.preamble = text.substr(0, at);
    }
    if (is_one_of(name, {"addbibresource", "bibliography"})) {
      for (const auto one : split(argument, ','))
        book.bibliographies.push_back(book.content + std::string(trim(one)) +
                                      (one.ends_with(".bib") ? "" : ".bib"));
    }
    if (!in_document) continue;
    if (is_one_of(name, {"chapter", "section"})) has_text = true;
    if (name == "part") list.push_back({{"part", plain_tex(argument)}});
    if (name == "appendix") list.push_back({{"part", "Appendices"}, {"appendix", true}});
    if (is_one_of(name, {"include", "input", "subfile"}))
      list.push_back(normal_path(book.content + argument).value_or(argument));
  }
  // Pandoc's sandbox cannot read the files that the preamble includes.
  std::string preamble;
  for (const auto& line : with_pasted_files(files, book, path, old_lines(book.preamble, 1), report))
    preamble += line.text + '\n';
  book.preamble = std::move(preamble);
  if (has_text) list.insert(list.begin(), path);
  ContentsList(files, book, path, report).entries(list, 0);
  return book;
}

}  // namespace primer
