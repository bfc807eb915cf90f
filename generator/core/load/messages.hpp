// UI strings: labels, buttons and notices in the language of a page.
//
// The key of a string is its English text, so code and templates stay readable and English needs no
// file. Other languages have site/locales/<language>.json, with these sections:
//
//   (top level)               scripts of the page (site/runtime/base/language.js) and the generator
//   "said by pages alone"     only the generator; not sent to browsers
//   "said at first"           scripts that every page loads at once (first_words.js)
//   "said by drawings"        patterns of labels in figures          \  figures/draw/words.hpp;
//   "said beside drawings"    patterns of sentences and controls     /  loaded to redraw a figure
//
// A placeholder is written {n}, and a translation has the placeholders of its English. An empty
// string is not translated yet, so the page shows the English. Strings are plain text: whoever puts
// one into HTML escapes it.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/front_matter.hpp"

namespace primer {

inline constexpr std::string_view language_of_messages = "en";

class Messages {
 public:
  Messages() = default;  // English
  // Returns nothing if the language has no file, or after a diagnostic about the file.
  static std::optional<Messages> load(const FileSystem& site, const std::string& language,
                                      Diagnostics& diagnostics);

  // Adds the labels of the book's own figures, from figures/locales/<language>.json if it exists.
  // They take precedence.
  void add_drawings(const FileSystem& files, const std::string& language, Diagnostics& diagnostics);
  // Does both. `files` may be null.
  static std::optional<Messages> load_with_drawings(const FileSystem& site, const FileSystem* files,
                                                    const std::string& language,
                                                    Diagnostics& diagnostics);

  // The translation of an English string; the English if there is none.
  std::string operator()(std::string_view english) const;
  // The translation with the value of its placeholders {n}.
  std::string operator()(std::string_view english, const std::string& n) const;

  // Translated patterns of labels in figures, and of text next to figures; both null in English.
  const nlohmann::json& drawings() const { return drawings_; }
  const nlohmann::json& beside() const { return beside_; }
  const Digest& drawings_version() const { return drawings_version_; }

  // The number of strings without those of figures, and how many strings of `other` are not
  // translated here.
  std::size_t strings() const { return words_.size() + of_pages_.size(); }
  std::size_t lacks(const Messages& other) const;

  const Digest& version() const { return version_; }
  // A JavaScript module that exports the strings of scripts.
  std::string script() const;
  // A module with the few strings that pages need at load time.
  std::string first_script() const;
  // A module with the patterns of figures and `beside`.
  std::string drawings_script() const;

 private:
  std::map<std::string, std::string, std::less<>> words_, first_,
      of_pages_;         // words_ includes the strings of first_
  void note_drawings();  // call after either has changed

  nlohmann::json drawings_, beside_;
  Digest drawings_version_, version_;
};

// The label of a section's mark ("lab", "deep").
std::string word_of_mark(const SectionNote& section, const Messages& words);

// The strings of every language of the book, the original's first. Warns about a language with no
// file or missing strings.
std::vector<Messages> messages_of_all(const FileSystem& files, const FileSystem& site,
                                      const Book& book, Diagnostics& diagnostics);

// A locale file with all strings; those that are not translated are empty. Existing translations
// are preserved.
struct StringList {
  std::string path;
  std::string text = {};
  std::size_t strings = 0, translated = 0;
};
// For `primer translate begin`. `site` is the program's own site/. Returns nothing after a
// diagnostic.
std::optional<StringList> begin_strings(const FileSystem& site, const FileSystem& files,
                                        const std::string& language, Diagnostics& diagnostics);

// Languages with a locale file: "de" and "es" for locales/de.json, locales/es.json and
// locales/es.terms.json.
std::vector<std::string> languages_with_words(const FileSystem& site);

}  // namespace primer
