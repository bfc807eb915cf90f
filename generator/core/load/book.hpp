// Reads chapters/book.yaml: the title and settings of the book, and its chapters and pages in
// order.
//
//   book.yaml --> Book in the source language: chapters, pages   one Entry per Markdown file
//                  |
//                  +--> locales[]: one Book per other language with the same entries in the same
//                       order; an entry that is not translated names the original's file
//
// load_book() also finds each entry's file, assigns numbers and reports chapters that no entry
// lists.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/base/word_language.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/diagnostic/source.hpp"
#include "generator/core/load/repository_links.hpp"

namespace primer {

enum class PageKind { chapter, page };

// Where chapter numbers come from: given: the entries; all: consecutive; none: no numbers.
enum class Numbering { given, all, none };

struct Entry {
  PageKind kind = PageKind::chapter;
  std::string slug;
  // "4", "4.1" for a sub-page, "A" for an appendix; empty: an interlude or a page
  std::string number;
  std::string file;           // "chapters/en/01-roofline.md"
  std::string url;            // relative to the locale's root: "roofline/"; "" for the home page
  std::string language = {};  // of the file's text
  std::string original = {};  // in a translation: the file that it translates
  std::vector<std::string> pending =
      {};                   // files of translations that are pending (FrontMatter::is_pending)
  bool translated = false;  // whether any locale has a translation
  // Prefix of the numbers of its figures, tables and questions: "1.", or "I." for an unnumbered
  // "interlude". Empty if no chapter of the book has a number, because then the numbers run through
  // the book.
  std::string label = {};
  std::string part = {};      // title of the part that starts with it, or empty
  int depth = 0;              // 1: a sub-page of the last chapter before it with depth 0
  bool has_subpages = false;  // its sections then have no numbers, because the sub-pages use them
  bool appendix = false;      // numbered with a letter
  bool is_listed = true;      // false: a page that the contents leave out
  // The prefix of its title: "4.1 ", or empty.
  std::string before_title() const { return number.empty() ? number : number + ' '; }
};

struct Book {
  std::string title;
  std::string subtitle;
  std::string language = "en";
  std::string root = {};  // of a locale, from the site's root: "es/"; empty for the source language
  std::string source_language = "en";  // of facts and figures, which all locales share
  std::string reference;               // name of the reference profile, or empty
  // name of the profile for GPU results if `reference` has no GPU, or empty
  std::string reference_gpu;
  std::string as_of;  // last month whose news the book covers, "2026-11", or empty
  RepositoryLinks repository;
  Numbering numbering = Numbering::given;
  // License of text and figures, shown at the foot of each page; empty: not shown.
  std::string license;
  std::vector<std::string> authors;  // as in feeds and the e-book; empty: "The authors of …"
  // "https://name.github.io/repo/", or empty; ends with a slash. A locale's includes its root
  std::string base_url;
  // Paths of further profiles that figures are reviewed with. Not set: no review.
  std::optional<std::vector<std::string>> review;
  // Directories from which listings may show files (shown_source.hpp).
  std::vector<std::string> sources = {};
  // Directories of kernels (book_kernels.hpp); listings may show their files, too.
  std::vector<std::string> kernels = {};
  std::vector<std::string> public_files =
      {};  // files that listings may show although their names look like secrets
  std::vector<WordLanguage> code = {};                // languages of code that book.yaml describes
  std::shared_ptr<const Severities> severities = {};  // overrides of severities; null: the defaults
  std::vector<std::string> drafts = {};  // files of draft chapters that are not in the site
  std::vector<Entry> chapters;
  std::vector<Entry> pages;
  // The book in its other languages, with the same chapters and pages in the same order. If an
  // entry is not translated, or its translation is pending, it is the original's entry, whose
  // language differs from the locale's.
  std::vector<Book> locales = {};

  // The entry of `code` with this name, or for a file with this name; null if there is none.
  const WordLanguage* code_language(std::string_view name) const;
  const WordLanguage* code_language_of(std::string_view file) const;
  // The title of the part that starts with the chapter, in this book's language even if the chapter
  // is in another; or empty.
  std::string part_of(const Entry& chapter) const;
  std::string author() const;            // all authors on one line
  std::string license_sentence() const;  // ends with a period
  // Sets the public address of the book and its locales: "" or a URL, with or without a trailing
  // slash.
  void publish_at(const std::string& url);
};

// Whether the site includes chapters that book.yaml marks as drafts.
enum class Drafts { left_out, shown };

inline constexpr const char* book_file = "chapters/book.yaml";

// Reads book.yaml and finds each entry's file. Returns nothing, after a diagnostic, if the file is
// missing or unusable.
std::optional<Book> load_book(const FileSystem& files, Diagnostics& diagnostics,
                              Cache* cache = nullptr, Drafts drafts = Drafts::left_out);

}  // namespace primer
