// chapters/book.yaml: what the book is called, which chapters it has and in which order.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"
#include "generator/base/word_language.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/diagnostic/source.hpp"
#include "generator/load/repository_links.hpp"

namespace primer {

enum class PageKind { chapter, page };

// Which numbers chapters have: those that their entries say, each the next one, or none.
enum class Numbering { given, all, none };

struct Entry {
  PageKind kind = PageKind::chapter;
  std::string slug;
  std::string number;         // chapters only: "4", "4.1" below it, "A"; an interlude has none
  std::string file;           // "chapters/en/01-roofline.md"
  std::string url;            // from the locale's root: "roofline/", "" for the home page
  std::string language = {};  // that the file is written in
  std::string original = {};  // of a translation: the file that it translates
  std::vector<std::string> pending =
      {};                   // translations that are to be made again (front_matter.hpp)
  bool translated = false;  // a locale has a translation of it
  // Begins the numbers of its figures, tables and questions: "1.", "I." for the unnumbered
  // "interlude". Empty: no chapter of the book has a number, so numbers run through the book.
  std::string label = {};
  std::string part = {};      // the title of the part that begins with it, or empty
  int depth = 0;              // 1: a sub-page of the last chapter before it that has none
  bool has_subpages = false;  // whose numbers its sections would have
  bool appendix = false;      // its number is a letter
  // Before its title: "4.1 ", or nothing.
  std::string before_title() const { return number.empty() ? number : number + ' '; }
};

struct Book {
  std::string title;
  std::string subtitle;
  std::string language = "en";
  std::string root = {};               // of a locale, from the site's root: "es/"; else empty
  std::string source_language = "en";  // of facts and figures, which all locales share
  std::string reference;               // name of the reference profile, or empty
  std::string reference_gpu;  // of the profile that stands in where that one has no GPU, or empty
  std::string as_of;          // the month up to which its news is read, "2026-11", or empty
  RepositoryLinks repository;
  Numbering numbering = Numbering::given;
  // Under what its text and figures may be used, as it stands at the foot of pages; empty: nothing is said.
  std::string license;
  std::vector<std::string> authors;  // as feeds and the e-book name them; none: "The authors of …"
  std::string base_url;  // "https://name.github.io/repo/", or empty; ends with a slash. An
                         // locale's ends with its root
  // Profiles, besides the reference, with which figures are reviewed; paths. Not given: no review.
  std::optional<std::vector<std::string>> review;
  // Directories below which listings show files (shown_source.hpp).
  std::vector<std::string> sources = {};
  std::vector<std::string> public_files =
      {};                               // files that they show although they are named like secrets
  std::vector<WordLanguage> code = {};  // languages of code that it describes
  std::shared_ptr<const Severities> severities = {};  // of its mistakes; null: the usual ones
  std::vector<std::string> drafts = {};               // files of chapters that the site leaves out
  std::vector<Entry> chapters;
  std::vector<Entry> pages;
  // The same book in its other languages: the same chapters and pages in the same order. An entry
  // whose language is not the locale's is not translated, or its translation is pending, and is the original's own.
  std::vector<Book> locales = {};

  // That name, or the name of a file, in `code`; null: it describes none.
  const WordLanguage* code_language(std::string_view name) const;
  const WordLanguage* code_language_of(std::string_view file) const;
  // The title of the part that a chapter begins, in the book's language whatever the chapter's is; or empty.
  std::string part_of(const Entry& chapter) const;
  std::string author() const;            // all in one line
  std::string license_sentence() const;  // with a full stop
  // Gives the book and its locales a public address: "" or one with or without a slash at its end.
  void publish_at(const std::string& url);
};

// What becomes of chapters that book.yaml calls drafts.
enum class Drafts { left_out, shown };

inline constexpr const char* book_file = "chapters/book.yaml";

// Reads book.yaml and finds each entry's file. Nothing, after a diagnostic, when there is none or
// it has no usable shape.
std::optional<Book> load_book(const FileSystem& files, Diagnostics& diagnostics,
                              Cache* cache = nullptr, Drafts drafts = Drafts::left_out);

}  // namespace primer
