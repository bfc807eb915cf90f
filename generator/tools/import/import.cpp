#include "generator/tools/import/import.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "generator/core/base/text.hpp"
#include "generator/tools/import/chapter.hpp"

namespace primer {
namespace {

constexpr std::string_view report_head =
    "# What the import changed\n\n"
    "Check whether the license of this text lets you publish it.\n"
    "What book.yaml lowers to warnings is listed by `primer check`, counted by `primer check --counts`; a rule that has\n"
    "none any more can leave its `severity`.\n\n";

constexpr std::string_view severity =
    "severity:\n  raw-html: warning\n  foreign-syntax: warning\n  bad-image: warning\n"
    "  dead-link: warning\n  empty-reference: warning\n  bad-heading: warning\n"
    "  bad-callout: warning\n  bad-table: warning\n  bad-code-block: warning\n"
    "  unknown-note: warning\n  unused-note: warning\n  unknown-citation: warning\n"
    "  bad-maths: warning\n";

// What no chapter's address can be.
bool is_taken(const std::string& slug) {
  return is_one_of(
      slug, {"text",        "report",  "errata", "rules",  "figures", "machines", "references",
             "changes",     "schemas", "images", "search", "print",   "cards",    "profiles",
             "constructor", "feed",    "atom",   "book",   "facts",   "wasm",     "home"});
}

// A JSON string is a YAML one too.
std::string quoted(const std::string& text) {
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string slug_for(const ForeignChapter& chapter, std::set<std::string>& used) {
  std::string path =
      chapter.address.empty() ? chapter.file.substr(0, chapter.file.rfind('.')) : chapter.address;
  std::string slug = as_id(path.substr(path.rfind('/') + 1));
  if (is_taken(slug) || used.contains(slug)) {
    const auto before = path.rfind('/') == path.npos ? "" : path.substr(0, path.rfind('/'));
    slug = as_id(before.substr(before.rfind('/') + 1) + '-' + slug);
  }
  slug.resize(std::min<std::size_t>(slug.size(), 80));
  for (int i = 2; is_taken(slug) || used.contains(slug); ++i) slug += '-' + std::to_string(i);
  used.insert(slug);
  return slug;
}

NewPlaces places_of(const FileSystem& files, const ForeignBook& book) {
  NewPlaces places;
  std::set<std::string> used;
  for (const auto& chapter : book.chapters) {
    places.files[chapter.file] = slug_for(chapter, used) + ".md";
    places.addresses[chapter.address.empty() ? chapter.file : chapter.address] = chapter.file;
    places.ids[chapter.file] = given_ids(files.read(chapter.file).value_or(""));
  }
  return places;
}

// A former address that can be written as one and is no other page's.
bool is_alias(const std::string& address, std::set<std::string>& addresses) {
  const bool plain = std::ranges::all_of(address, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-' || c == '/';
  });
  return plain && !address.empty() && address.find("//") == address.npos &&
         address.front() != '-' && address.find("/-") == address.npos && address.size() <= 200 &&
         addresses.insert(address).second;
}

std::string aliases_of(const ForeignChapter& chapter, const NewChapter& text,
                       std::set<std::string>& addresses) {
  std::vector<std::string> all{chapter.address};
  all.insert(all.end(), text.aliases.begin(), text.aliases.end());
  std::vector<std::string> good;
  for (std::string& address : all) {
    while (address.starts_with('/')) address.erase(0, 1);
    while (address.ends_with('/')) address.pop_back();
    if (is_alias(address, addresses)) good.push_back(address);
  }
  return good.empty() ? "" : "aliases: [" + join(good, ", ") + "]\n";
}

// What the new book's list says of a chapter. `below`: whether the last one has begun a list of sub-pages.
std::string entry_of(const ForeignChapter& chapter, const std::string& slug, bool& below) {
  if (chapter.depth > 0) {
    const std::string begin = std::exchange(below, true) ? "" : "    chapters:\n";
    return begin + "      - " + (chapter.draft ? "{slug: " + slug + ", draft: true}" : slug) + '\n';
  }
  below = false;
  std::string lines;
  if (!chapter.part.empty()) lines = "  - part: " + quoted(chapter.part) + '\n';
  if (!chapter.part.empty() && chapter.appendix) lines += "    appendices: true\n";
  if (chapter.draft) return lines + "  - {slug: " + slug + ", draft: true}\n";
  lines += "  - slug: " + slug + '\n';
  return lines + (chapter.number > 0 ? "    number: " + std::to_string(chapter.number) + '\n' : "");
}

}  // namespace

std::optional<ImportedBook> import_book(const FileSystem& files, const std::string& name,
                                        Diagnostics& diagnostics) {
  Lowered lowered;
  auto book = find_foreign_book(files, lowered);
  if (!book || book->chapters.empty()) {
    diagnostics.error(Rule::file_unreadable, name,
                      "no book of mdBook, Hugo, Quarto, MyST or Jekyll found here");
    diagnostics.hint(
        "expected book.toml, hugo.toml, config.yaml, _quarto.yml, myst.yml or _config.yml");
    return std::nullopt;
  }
  std::set<std::string> once;
  std::erase_if(book->chapters,
                [&](const auto& chapter) { return !once.insert(chapter.file).second; });
  const NewPlaces places = places_of(files, *book);
  ImportedBook made;
  made.chapters = book->chapters.size();
  std::map<std::string, std::string> copies;
  std::string list;
  bool below = false;
  std::set<std::string> addresses;
  for (const auto& [old, file] : places.files) addresses.insert(file.substr(0, file.size() - 3));
  for (const auto& chapter : book->chapters) {
    const std::string file = places.files.at(chapter.file);
    const std::string slug = file.substr(0, file.size() - 3);
    const NewChapter text = new_chapter_of(files, places, *book, chapter, copies, lowered);
    made.files["chapters/en/" + file] = "---\ntitle: " + quoted(text.title.substr(0, 300)) + '\n' +
                                        aliases_of(chapter, text, addresses) + "---\n\n" +
                                        text.text;
    list += entry_of(chapter, slug, below);
  }
  for (const auto& [path, old] : copies) made.files[path] = files.read(old).value_or("");
  const std::string title = book->title.empty() ? title_of_slug(as_id(name)) : book->title;
  made.files["chapters/book.yaml"] =
      "title: " + quoted(title) + "\nlanguage: en\n" + std::string(severity) + "chapters:\n" + list;
  made.files["chapters/facts/chips.json"] = made.files["chapters/facts/references.json"] = "{}\n";
  made.files["IMPORTED.md"] = std::string(report_head) + lowered.table();
  made.changed = lowered.count();
  return made;
}

}  // namespace primer
