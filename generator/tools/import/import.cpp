#include "generator/tools/import/import.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/bibliography.hpp"
#include "generator/tools/import/chapter.hpp"
#include "generator/tools/import/links.hpp"
#include "generator/tools/import/loss.hpp"
#include "generator/tools/import/old_names.hpp"
#include "generator/tools/import/repair.hpp"

namespace primer {
namespace {

constexpr std::string_view report_head =
    "# What the import changed\n\n"
    "Check whether the license of this text lets you publish it. `primer check` lists what\n"
    "`severity` in book.yaml makes a warning. Remove a rule there once it has no more.\n\n";

constexpr std::size_t longest_title = 300, longest_summary = 900, longest_slug = 80;
constexpr int most_checks = 6;

// Names that no chapter's address can have.
bool is_reserved(const std::string& slug) {
  return is_one_of(
      slug, {"text",        "report",  "errata", "rules",  "figures", "machines", "references",
             "changes",     "schemas", "images", "search", "print",   "cards",    "profiles",
             "constructor", "feed",    "atom",   "book",   "facts",   "wasm",     "home"});
}

// A JSON string is a YAML one too.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string cut(std::string text, std::size_t most) {
  if (text.size() <= most) return text;
  text.resize(most);
  while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0xC0) == 0x80) text.pop_back();
  if (!text.empty() && static_cast<unsigned char>(text.back()) >= 0xC0) text.pop_back();
  return text;
}

std::string slug_for(const ForeignChapter& chapter, std::set<std::string>& used) {
  const std::string path =
      chapter.address.empty() ? chapter.file.substr(0, chapter.file.rfind('.')) : chapter.address;
  auto names = split(path, '/');
  std::erase(names, "index");
  std::string slug = names.empty() ? "index" : slug_of_name(names.back());
  // Names of folders tell equal names apart.
  for (std::size_t i = names.size(); i > 1 && (is_reserved(slug) || used.contains(slug)); --i)
    slug = slug_of_name(names[i - 2]) + '-' + slug;
  if (slug.size() > longest_slug) slug.resize(longest_slug);
  while (slug.ends_with('-')) slug.pop_back();
  const std::string base = slug;
  for (int i = 2; is_reserved(slug) || used.contains(slug); ++i)
    slug = base + '-' + std::to_string(i);
  used.insert(slug);
  return slug;
}

class Importer {
 public:
  Importer(const FileSystem& files, ForeignBook book, const Pandoc& pandoc, ImportReport& report)
      : files_(files), book_(std::move(book)), pandoc_(pandoc), report_(report) {
    language_ = lower_case(book_.language);
    const bool tag =
        !language_.empty() && language_.size() < 20 &&
        language_.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == language_.npos;
    if (!tag) language_ = "en";
  }

  ImportedBook import(const std::string& name, const CheckBook& check) {
    read_drafts();
    write_chapters();
    for (const auto& [path, old] : places_.copies) {
      const auto bytes = files_.read(old);
      if (bytes) made_.files[path] = *bytes;
    }
    made_.files["chapters/facts/chips.json"] = "{}\n";
    made_.files["chapters/facts/references.json"] = references();
    title_ = book_.title.empty() ? title_of_slug(name) : book_.title;
    settle(check);
    made_.chapters = drafts_.size();
    made_.files["IMPORTED.md"] = std::string(report_head) + report_.markdown();
    made_.changed = report_.changes();
    made_.lost = report_.losses();
    made_.not_taken = report_.files_not_taken();
    return std::move(made_);
  }

 private:
  void read_drafts() {
    std::set<std::string> used;
    for (const auto& chapter : book_.chapters) {
      auto draft = draft_chapter(files_, book_, chapter, pandoc_, made_.files, report_);
      if (!draft) continue;
      const std::string slug = slug_for(chapter, used);
      places_.files[chapter.file] = slug + ".md";
      std::string address = chapter.address;
      if (address == "index") address.clear();
      if (address.ends_with("/index")) address.resize(address.size() - 6);
      places_.addresses[address] = chapter.file;
      for (const auto& alias : draft->aliases)
        places_.addresses.emplace(plain_address(alias), chapter.file);
      places_.ids[chapter.file] = draft->ids;
      places_.titles[slug + ".md"] = draft->titles;
      places_.titles[slug + ".md"][""] = draft->title;
      addresses_.insert(slug);
      drafts_.push_back(std::move(*draft));
    }
  }

  void write_chapters() {
    bool below = false;
    for (auto& draft : drafts_) {
      const ForeignChapter& chapter = *draft.chapter;
      Links links(files_, places_, book_, chapter, report_);
      const std::string& file = places_.files.at(chapter.file);
      const std::string text = finished_text(draft, links, report_);
      const std::string title = "## " + draft.title + "\n\n" + chapter.part + "\n\n";
      report_losses(chapter.file, draft.source, pandoc_format(book_, chapter), book_.tool,
                    title + text, report_);
      made_.files["chapters/" + language_ + '/' + file] = front_matter(draft) + text;
      list_ += entry_of(chapter, file.substr(0, file.size() - 3), below);
    }
  }

  static std::string plain_address(std::string address) {
    while (address.starts_with('/')) address.erase(0, 1);
    while (address.ends_with('/')) address.pop_back();
    return address;
  }

  // Whether an alias can be written and is nobody else's.
  bool is_alias(const std::string& address) {
    std::string_view plain = address;
    if (plain.ends_with(".html")) plain.remove_suffix(5);
    const bool valid =
        !plain.empty() && address.size() <= 200 && plain.find("//") == plain.npos &&
        plain.find("/-") == plain.npos && plain.find("/_") == plain.npos && plain[0] != '-' &&
        plain[0] != '_' &&
        plain.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-_/") == plain.npos;
    return valid && address != "index.html" && addresses_.insert(address).second;
  }

  std::string front_matter(const ChapterDraft& draft) {
    std::string out = "---\ntitle: " + quoted(cut(draft.title, longest_title)) + '\n';
    if (!draft.summary.empty() && draft.summary.size() <= longest_summary)
      out += "summary: " + quoted(draft.summary) + '\n';
    std::vector<std::string> aliases;
    for (const auto& alias : draft.aliases) {
      const std::string address = plain_address(alias);
      if (is_alias(address)) aliases.push_back(address);
      else if (!addresses_.contains(address) && address != "index.html" && !address.empty())
        report_.changed("former address " + address, "ends; redirect it on the web server",
                        draft.chapter->file, 0);
    }
    if (!aliases.empty()) out += "aliases: [" + join(aliases, ", ") + "]\n";
    std::string sections;
    for (const auto& [section, ids] : draft.former_ids) {
      if (ids.empty() || section.empty()) continue;
      std::vector<std::string> names;
      for (const auto& id : ids) names.push_back(quoted(id));
      sections += "  " + quoted(section) + ": {former: [" + join(names, ", ") + "]}\n";
    }
    if (!sections.empty()) out += "sections:\n" + sections;
    return out + "---\n\n";
  }

  // What the new list says of a chapter. `below`: whether the last one has begun a list of
  // sub-pages.
  static std::string entry_of(const ForeignChapter& chapter, const std::string& slug, bool& below) {
    if (chapter.depth > 0) {
      const std::string begin = std::exchange(below, true) ? "" : "    chapters:\n";
      return begin + "      - " + (chapter.draft ? "{slug: " + slug + ", draft: true}" : slug) +
             '\n';
    }
    below = false;
    std::string lines;
    if (!chapter.part.empty())
      lines = "  - part: " + quoted(cut(chapter.part, longest_title)) + '\n';
    if (!chapter.part.empty() && chapter.appendix) lines += "    appendices: true\n";
    lines += "  - slug: " + slug + '\n';
    if (chapter.draft) lines += "    draft: true\n";
    return lines +
           (chapter.number > 0 ? "    number: " + std::to_string(chapter.number) + '\n' : "");
  }

  // Works of the old bibliographies. They are not marked as checked, because nobody has compared
  // them with the works themselves.
  std::string references() {
    std::string text = "{}\n";
    for (const auto& path : book_.bibliographies) {
      const auto bytes = files_.read(path);
      if (!bytes) {
        report_.not_taken(path, "the bibliography is missing or too large", path, 0);
        continue;
      }
      Diagnostics diagnostics;
      const auto works = with_references(Source(path, *bytes), text, false, diagnostics);
      for (const auto& one : diagnostics.sorted())
        report_.lost("bibliography: " + one.message, path, one.line);
      if (!works) continue;
      text = works->text;
      for (const auto& losses : {works->left_out, works->changed})
        for (const auto& one : losses) report_.lost("work " + one.text, path, one.line);
    }
    return text;
  }

  std::string book_yaml() const {
    std::string out = "title: " + quoted(cut(title_, longest_title)) + '\n';
    const auto line = [&](const char* key, const std::string& value) {
      if (!value.empty() && !refused_.contains(key))
        out += std::string(key) + ": " + quoted(value) + '\n';
    };
    line("subtitle", cut(book_.subtitle, longest_title));
    out += "language: " + language_ + '\n';
    if (book_.repository.starts_with("https://")) line("repository", book_.repository);
    line("license", cut(book_.license, longest_title));
    if (!book_.authors.empty() && !refused_.contains("authors")) {
      std::vector<std::string> names;
      for (const auto& author : book_.authors) names.push_back(quoted(author));
      out += "authors: [" + join(names, ", ") + "]\n";
    }
    if (book_.base_url.starts_with("https://"))
      line("base_url", book_.base_url + (book_.base_url.ends_with('/') ? "" : "/"));
    if (!lowered_.empty()) out += "severity:\n";
    for (const auto rule : lowered_) out += "  " + std::string(info(rule).id) + ": warning\n";
    return out + "chapters:\n" + list_;
  }

  // Checks the new book and changes it until it builds.
  void settle(const CheckBook& check) {
    for (int i = 0; i < most_checks; ++i) {
      made_.files["chapters/book.yaml"] = book_yaml();
      if (!check) return;
      const Diagnostics diagnostics = check(made_.files);
      made_.builds = !diagnostics.has_errors();
      if (made_.builds) return;
      const std::size_t before = lowered_.size();
      for (const auto& [rule, tally] : diagnostics.by_rule())
        if (tally.errors > 0 && can_be_lowered(rule)) lowered_.insert(rule);
      const bool repaired = repair(diagnostics.sorted());
      if (lowered_.size() == before && !repaired) break;
    }
    made_.files["chapters/book.yaml"] = book_yaml();
  }

  bool repair(const std::vector<Diagnostic>& diagnostics) {
    std::map<std::string, std::vector<Diagnostic>> by_file;
    for (const auto& one : diagnostics) {
      if (one.severity == Severity::error && !can_be_lowered(one.rule) &&
          one.rule != Rule::more_errors)
        by_file[one.file].push_back(one);
    }
    bool changed = false;
    for (const auto& [file, errors] : by_file) {
      const auto found = made_.files.find(file);
      if (found == made_.files.end()) continue;
      if (file == "chapters/book.yaml") {
        changed = refuse_settings(found->second, errors) || changed;
      } else if (file.ends_with(".md")) {
        Repaired repaired = repaired_chapter(file, found->second, errors);
        for (const auto& [what, now, line] : repaired.changes)
          report_.changed(what, now, file, line);
        changed = changed || repaired.text != found->second;
        found->second = std::move(repaired.text);
      } else {
        for (const auto& one : errors) report_.lost(file + ": " + one.message, file, one.line);
        changed = made_.files.erase(file) > 0;
      }
    }
    return changed;
  }

  bool refuse_settings(const std::string& text, const std::vector<Diagnostic>& errors) {
    const Source source("chapters/book.yaml", text);
    bool changed = false;
    for (const auto& error : errors) {
      const std::string_view line = source.line(error.line);
      const std::string key(line.substr(0, line.find(':')));
      if (!is_one_of(key, {"subtitle", "repository", "license", "authors", "base_url"})) continue;
      if (!refused_.insert(key).second) continue;
      report_.lost("setting " + std::string(line) + ": " + error.message, "book.yaml", 0);
      changed = true;
    }
    return changed;
  }

  const FileSystem& files_;
  const ForeignBook book_;
  const Pandoc& pandoc_;
  ImportReport& report_;
  std::string language_, title_, list_;
  std::vector<ChapterDraft> drafts_;
  NewPlaces places_;
  std::set<std::string> addresses_;  // of pages and aliases
  std::set<std::string> refused_;    // keys of book.yaml
  std::set<Rule> lowered_;
  ImportedBook made_;
};

}  // namespace

std::optional<ImportedBook> import_book(const FileSystem& files, const std::string& name,
                                        const CheckBook& check, const Pandoc& pandoc,
                                        Diagnostics& diagnostics) {
  ImportReport report;
  auto book = find_foreign_book(files, report);
  if (!book || (book->chapters.empty() && report.files_not_taken() == 0)) {
    diagnostics.error(
        Rule::file_unreadable, name,
        "no book of mdBook, Hugo, Quarto, bookdown, MyST, Sphinx, Jekyll or LaTeX found here");
    diagnostics.hint(
        "expected book.toml, hugo.toml, config.yaml, _quarto.yml, _bookdown.yml, myst.yml, conf.py, "
        "_config.yml, a .tex file that begins a document, or Markdown or Word files");
    return std::nullopt;
  }
  const auto foreign = std::ranges::find_if(book->chapters, [&](const ForeignChapter& chapter) {
    return !pandoc_format(*book, chapter).empty();
  });
  if (!pandoc && foreign != book->chapters.end()) {
    diagnostics.error(Rule::file_unreadable, foreign->file,
                      "Pandoc must read this file, but it is not installed");
    diagnostics.hint("install the package pandoc: sudo apt-get install pandoc");
    return std::nullopt;
  }
  return Importer(files, std::move(*book), pandoc, report).import(name, check);
}

}  // namespace primer
