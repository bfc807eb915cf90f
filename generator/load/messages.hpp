// What the program itself says on a page, in the page's language: labels, buttons, notices.
//
// The key of a word is its English, so that code and templates can be read and English needs no
// file. Another language has one, site/locales/<language>.json; the same file speaks in the page's
// scripts (site/runtime/base/language.js), apart from the words under "said by pages alone", which only the
// generator says: no reader's browser loads those twice. Under "said at first" stand the words of scripts that pages load at
// once (site/runtime/base/first_words.js). Under "said by drawings" stand the forms of drawings' labels,
// under "said beside drawings" those of sentences and controls (figures/draw/words.hpp), which a page loads when it redraws one. A placeholder is written {n}, and a word has those of its English.
// An empty word is not translated yet: the pages have the English.
// A word is text wherever it is shown: whoever writes it into HTML escapes it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"
#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"
#include "generator/load/front_matter.hpp"

namespace primer {

inline constexpr std::string_view language_of_messages = "en";

class Messages {
 public:
  Messages() = default;  // English
  // Nothing when the language has no file, or after a diagnostic about that file.
  static std::optional<Messages> load(const FileSystem& site, const std::string& language,
                                      Diagnostics& diagnostics);

  // Takes the labels of the book's own specs too, figures/locales/<language>.json, where it has that file; they come first.
  void add_drawings(const FileSystem& files, const std::string& language, Diagnostics& diagnostics);
  // Both, found in the cache while the files are what they were. `files` and `cache` may be null.
  static std::optional<Messages> load_with_drawings(const FileSystem& site, const FileSystem* files,
                                                    const std::string& language, Cache* cache,
                                                    Diagnostics& diagnostics);

  // The language's word for an English one; the English where it has none.
  std::string operator()(std::string_view english) const;
  // The same with the value of its placeholders {n}.
  std::string operator()(std::string_view english, const std::string& n) const;

  // Forms of drawings' labels, and of what stands beside drawings, with their translations; both null in English.
  const nlohmann::json& drawings() const { return drawings_; }
  const nlohmann::json& beside() const { return beside_; }
  const Digest& drawings_version() const { return drawings_version_; }

  // How many strings there are, without those of drawings, and how many of another language's have none here.
  std::size_t strings() const { return words_.size() + of_pages_.size(); }
  std::size_t lacks(const Messages& other) const;

  const Digest& version() const { return version_; }
  // A module of the page's scripts that exports those that scripts say.
  std::string script() const;
  // The same with the few that pages say at once.
  std::string first_script() const;
  // The same with the forms of drawings, and `beside`.
  std::string drawings_script() const;

 private:
  std::map<std::string, std::string, std::less<>> words_, first_,
      of_pages_;         // words_ has the first, too
  void note_drawings();  // once either has changed
  std::string packed() const;
  static std::optional<Messages> unpacked(std::string_view bytes);

  nlohmann::json drawings_, beside_;
  Digest drawings_version_, version_;
};

// "lab", "deep": how far a section is from the way of every reader.
std::string word_of_mark(const SectionNote& section, const Messages& words);

// Words of every language of the book, the original's first. Warns of a language that has none or not all.
std::vector<Messages> messages_of_all(const FileSystem& files, const FileSystem& site,
                                      const Book& book, Diagnostics& diagnostics,
                                      Cache* cache = nullptr);

// A language's file with all strings, those that are not translated empty. What it has already stays.
struct StringList {
  std::string path;
  std::string text = {};
  std::size_t strings = 0, translated = 0;
};
// For `primer translate begin`. `site` is the program's own. Nothing after a diagnostic.
std::optional<StringList> begin_strings(const FileSystem& site, const FileSystem& files,
                                        const std::string& language, Diagnostics& diagnostics);

// "site/locales/es.json", "site/locales/es.terms.json", "site/locales/de.json" → "de", "es".
std::vector<std::string> languages_with_words(const FileSystem& site);

}  // namespace primer
