// Part of stage "assemble": puts a rendered body and the book's navigation into a template.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "generator/core/assemble/assets.hpp"
#include "generator/core/assemble/page_record.hpp"
#include "generator/core/assemble/template.hpp"
#include "generator/core/base/lazy_file.hpp"
#include "generator/core/load/history.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {

// Longest list of contents on a page. Without a limit, the size of the site would grow with the
// square of the number of chapters.
inline constexpr std::size_t longest_contents = 150;

// The list of changes. A chapter's part of it has the chapter's slug as its id.
inline constexpr const char* changes_url = "changes/";

// The questions of a chapter, below the chapter's address.
inline constexpr const char* problems_url = "problems/";

struct Embed;  // embed.hpp

// For example "1 The roofline". Only the title if the chapter has no number.
std::string numbered_title(const ChapterIndex& chapter);

// The root from a page at this address: "../../" from "roofline/problems/".
std::string root_from(const std::string& url);

// One language of the site: the book in it and the language's name for itself.
struct Locale {
  const Book* book = nullptr;
  std::string name;
};

// HTML of one item of the contents in two halves. Empty for the home page, because the title of the
// book links to that.
struct ListItem {
  std::string before;  // up to the address
  std::string after;   // from the address on, relative to the root
  Digest version;      // of both

  bool empty() const { return after.empty(); }
};

// Builds the pages of one language. Const methods are safe to call from several threads. The
// LazyFiles refer to this object, so it must outlive them and must not move.
class Pages {
 public:
  // No value after an error in the templates. Pages show the dates that `history` contains and link
  // to feeds if there are any. `locales` are all languages of the site, the source language first;
  // `book` is one of them.
  static std::optional<Pages> load(const FileSystem& site, const Book& book, const Index& index,
                                   const History& history, const Assets& assets,
                                   const Messages& words, std::vector<Locale> locales,
                                   bool renditions, Diagnostics& diagnostics);
  // Sets the reading time in minutes of each page of the index, for the strip of chapters.
  void set_minutes(std::vector<std::uint64_t> minutes) { minutes_ = std::move(minutes); }
  // Whether the site has an e-book and a print page (SiteOptions).
  bool renditions() const { return renditions_; }
  // `chapter` is one of the index, `data_name` the file of its data ("page.1a2b3c4d.json") or
  // empty. `chapter_list` is used by the home page. An untranslated chapter shows a notice and
  // marks its text as the original's language. The arguments must outlive the result.
  LazyFile page(const ChapterIndex& chapter, const PageText& text, const std::string& data_name,
                const std::string& chapter_list) const;
  // The page for missing addresses. It is served at any depth, so its links begin with the base
  // path. `all` are the pages of every language, including these.
  LazyFile not_found(const std::vector<Pages>& all) const;
  // A page that is neither chapter nor page of the book, at any depth. `in_all_languages`: every
  // language has one at this address. `data_page`: address of its data from the page, or empty.
  LazyFile plain(const std::string& url, const std::string& heading, const std::string& summary,
                 std::string body, bool in_all_languages = false,
                 const std::string& data_page = "") const;
  // A page for contributors, at any depth, with "noindex" for search engines.
  LazyFile review(const std::string& url, const std::string& heading, const std::string& summary,
                  std::string body) const;
  // One figure, model or measurement of a page. `text` is the version of the page's
  // text, `data_name` the name of its data or empty.
  LazyFile embed(const ChapterIndex& chapter, const Embed& embed, const Digest& text,
                 const std::string& data_name) const;
  // The home page of a book that has no page for it.
  LazyFile home(const std::string& chapter_list) const;

 private:
  Pages(const Book& book, const Index& index, const History& history, const Assets& assets,
        const Messages& words, std::vector<Locale> locales, bool renditions, Template page,
        Template untranslated, Template not_found);
  // All values except those that come from PageText, and the contents.
  TemplateValues page_values(const ChapterIndex& chapter, const std::string& data_name,
                             const std::string& chapter_list) const;
  TemplateValues home_values(const std::string& chapter_list) const;
  std::string embed_page(TemplateValues values, const Embed& embed, const std::string& url) const;
  TemplateValues not_found_values(const std::vector<Pages>& all) const;
  std::size_t number_of(const ChapterIndex& chapter) const;  // position in the index
  // The items that the contents of page `at` show: the first one and how many.
  std::pair<std::size_t, std::size_t> shown_contents(std::size_t at) const;
  // HTML links to the same page in the other languages.
  std::string language_switch(const std::string& root, const std::string& url) const;
  // The <link> elements that name page `at` in other languages for search engines.
  std::string alternates(const std::string& url, std::size_t at) const;
  // The message about a missing page in every other language.
  std::string elsewhere(const std::vector<Pages>& all) const;
  std::string policy(const std::string& inlined = "") const;
  TemplateValues common(const std::string& root) const;
  void set_text_of(const PageText& text, TemplateValues& values) const;
  // Sets the body and preloads its fonts, which the browser would otherwise fetch after the first
  // layout.
  void set_body(std::string body, TemplateValues& values) const;
  void set_sheets(const Entry& entry, TemplateValues& values) const;
  void set_dates(const Entry& entry, const std::string& root, TemplateValues& values) const;
  // Sets the links to the problems of the chapter at position `at` and to the chapters around it.
  void set_neighbours(std::size_t at, const std::string& root, TemplateValues& values) const;
  // HTML list of chapters with links relative to `root`. A book with more than longest_contents
  // chapters gets the ones nearest to position `at` and a link to all of them. `current`: mark item
  // `at` as the current page.
  std::string contents(const std::string& root, std::size_t at, bool current) const;
  // Digest of contents(). In a long book it is much cheaper to compute than the contents.
  Digest contents_version(std::size_t at) const;
  std::string edit_url(const Entry& entry, const std::string& root) const;
  std::string report_url(const Entry& entry) const;
  std::string all_contents(const std::string& root) const;

  const Book& book_;
  const Index& index_;
  const History& history_;
  std::string assets_;
  bool has_fonts_;                // false: pages use the reader's fonts
  std::set<std::string> sheets_;  // slugs of pages with their own style sheet
  bool searchable_;
  bool has_workshop_;         // the site has the browser editor and its page
  std::string frame_script_;  // Assets::frame_script
  std::string reference_;     // name of the reference machine's processor
  std::string machine_url_;   // page that measures the whole machine, from the root
  std::string wordless_;      // languages without strings for scripts, separated by spaces
  std::vector<std::uint64_t> minutes_;  // per page of the index
  const Messages& words_;
  std::vector<Locale> locales_;
  bool renditions_;
  Template page_, untranslated_, not_found_;
  std::vector<ListItem> items_;  // of the contents, per page of the index
};

}  // namespace primer
