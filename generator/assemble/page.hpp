// Stage "assemble": a rendered body, the book's navigation and a template → a page's file.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/assemble/assets.hpp"
#include "generator/assemble/page_text.hpp"
#include "generator/assemble/template.hpp"
#include "generator/base/lazy_file.hpp"
#include "generator/load/history.hpp"
#include "generator/render/emitter.hpp"

namespace primer {

// Every page carries the contents, so a list that grew with the book would make the site grow with
// the square of the chapters.
inline constexpr std::size_t longest_contents = 150;

// The page of what changed; a chapter's part of it has the chapter's slug as its id.
inline constexpr const char* changes_url = "changes/";

// One of the languages that a site has: the book in it, and what the language calls itself.
struct Locale {
  const Book* book = nullptr;
  std::string name;
};

// An item of the contents, HTML; empty for the home page, to which the book's title links.
struct ListItem {
  std::string before;  // up to where its address begins
  std::string after;   // the address from the root, and the rest

  bool empty() const { return after.empty(); }
};

// Builds pages of one locale of a book. Const methods are safe to call from several threads. Pages are made
// of their values while this object is there.
class Pages {
 public:
  // Nothing after a diagnostic about the templates. Pages name the dates that `history` knows and,
  // when it knows any, the feeds.
  // `locales` are all of the site, the original first; `book` is one of them.
  static std::optional<Pages> load(const FileSystem& site, const Book& book, const Index& index,
                                   const History& history, const Assets& assets,
                                   const Messages& words, std::vector<Locale> locales,
                                   bool renditions, Diagnostics& diagnostics);
  // How long each page of the index takes to read, in minutes: what the book's strip is drawn from.
  void set_minutes(std::vector<std::uint64_t> minutes);
  // Whether the book is also made as an e-book and on one page (SiteOptions).
  bool renditions() const { return renditions_; }
  // `chapter` is one of the index's, `data_name` is "page.1a2b3c4d.json", or empty; `chapter_list` is for the home
  // page. A chapter that is not in the locale's language says so; its text is marked as the original's. All that is
  // given outlives what comes.
  LazyFile page(const ChapterIndex& chapter, const LateText& text, const std::string& data_name,
                const std::string& chapter_list) const;
  // Found at any depth, so its addresses begin with the base path. `all` are the locales' pages, this one's too.
  // Outlived by `all`.
  LazyFile not_found(const std::vector<Pages>& all) const;
  // A page that is not a chapter, one level below the root: its address, its heading, what it is for,
  // and whether every locale has it.
  LazyFile plain(const std::string& url, const std::string& heading, const std::string& summary,
                 std::string body, bool in_all_languages = false) const;
  // A page for those who make the book, at any depth: search engines are asked to leave it out.
  LazyFile review(const std::string& url, const std::string& heading, const std::string& summary,
                  std::string body) const;
  // For a book without a home page of its own.
  LazyFile home(std::string chapter_list) const;

 private:
  Pages(const Book& book, const Index& index, const History& history, const Assets& assets,
        const Messages& words, std::vector<Locale> locales, bool renditions, Template page,
        Template untranslated, Template not_found);
  Digest digest_of_shared() const;
  Digest digest_of_page(const ChapterIndex& chapter, const LateText& text,
                        const std::string& data_name, const std::string& chapter_list) const;
  TemplateValues page_values(const ChapterIndex& chapter, const PageText& text,
                             const std::string& data_name, const std::string& chapter_list) const;
  TemplateValues home_values(const std::string& chapter_list) const;
  TemplateValues not_found_values(const std::vector<Pages>& all) const;
  std::size_t number_of(const ChapterIndex& chapter) const;  // in the index
  // The first of the items that the contents of page number `at` show, and how many.
  std::pair<std::size_t, std::size_t> shown_contents(std::size_t at) const;
  // Links to the page in the other languages.
  std::string language_switch(const std::string& root, const std::string& url) const;
  // What tells search engines of the page number `at` in other languages.
  std::string alternates(const std::string& url, std::size_t at) const;
  // What is said of a missing page in the other languages.
  std::string elsewhere(const std::vector<Pages>& all) const;
  std::string policy(const std::string& inlined = "") const;
  TemplateValues common(const std::string& root) const;
  // The body, and links that fetch its fonts beside the style sheet instead of after the first layout.
  void set_body(std::string body, TemplateValues& values) const;
  void set_sheets(const Entry& entry, TemplateValues& values) const;
  void set_dates(const Entry& entry, const std::string& root, TemplateValues& values) const;
  // Links to the chapters before and after number `at` of the index.
  void set_neighbours(std::size_t at, const std::string& root, TemplateValues& values) const;
  // The list of chapters, links beginning with `root`. In a book of more than longest_contents
  // chapters it is those nearest to number `at` of the index, and a link to all. That one is marked if it is
  // the `current` one.
  std::string contents(const std::string& root, std::size_t at, bool current) const;
  std::string edit_url(const Entry& entry, const std::string& root) const;
  std::string report_url(const Entry& entry) const;
  std::string all_contents(const std::string& root) const;

  const Book& book_;
  const Index& index_;
  const History& history_;
  std::string assets_;
  bool has_fonts_;                // else pages are set in the reader's own
  std::set<std::string> sheets_;  // pages with a style sheet of their own, by slug
  bool searchable_;
  bool has_workshop_;         // what /write/ loads is there, and that page
  std::string frame_script_;  // see Assets
  std::string reference_;     // the reference machine's name
  std::string machine_url_;   // of the page that measures, from the root
  std::string wordless_;      // languages without strings for scripts, with spaces between
  std::vector<std::uint64_t> minutes_;  // by the index's numbers
  const Messages& words_;
  std::vector<Locale> locales_;
  bool renditions_;
  Template page_, untranslated_, not_found_;
  std::vector<ListItem> items_;  // of the contents
  std::vector<Digest> places_;   // of each item what it shows
  Digest shared_;                // what the frames of all pages have in common
  Digest strip_;                 // what the strip shows; absent: there is none
};

}  // namespace primer
