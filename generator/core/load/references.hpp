// Loads references and glossaries, and gives pages a view that records what they use.
//
//   chapters/facts/references.json       --> References::references  --+--> Library --> watched():
//   chapters/facts/glossary.json         --> References::terms       --+    one page's record
//   chapters/<language>/glossary.json    --> terms_in(): the language's terms
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/digest.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/base/html.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/book.hpp"

namespace primer {

struct Reference {
  std::string title, venue, url, accessed;  // `accessed`: the day on which somebody read it
  std::vector<std::string> authors;
  int year = 0;  // 0: unknown
  // whether somebody compared it with the work itself; only these are printed
  bool compared = true;
};

struct Term {
  std::string term, definition, language;
  std::string from =
      {};              // in a translation: source_hash() of the entry that it translates, or empty
  bool stale = false;  // the translated entry has changed since
  // Other names of the term, which readers may search for. Only the glossary shows them.
  std::vector<std::string> also = {};
};

// Eight digits of the hash of an entry's text.
std::string source_hash(const Term& term);

using Terms = std::map<std::string, Term>;

struct References {
  std::map<std::string, Reference> references;
  Terms terms;  // of the source language: glossary.json
};

// The references and terms for pages of one language. Both must outlive the library.
class Library {
 public:
  Library(const References& library, const Terms& terms)
      : references_(&library.references), terms_(&terms) {}

  const Reference* reference(const std::string& id) const;  // null: unknown
  const Term* term(const std::string& id) const;            // null: unknown
  const std::map<std::string, Reference>& references() const;
  const Terms& terms() const;

  // A view for one thread that records every lookup.
  Library watched() const;
  // A view with the terms of another language, for parts of a page that show the original's text.
  // It shares its record with this view.
  Library with_terms_of(const Library& original) const;
  Dependencies reads() const { return reads_ ? *reads_ : Dependencies(); }
  // The digest of one reference or term, or of all; `absent` if there is none.
  Digest digest_of(const Dependency& asked) const;

 private:
  void note(Dependency::Kind kind, const std::string& id) const;

  const std::map<std::string, Reference>* references_;
  const Terms* terms_;
  // the kind under which term lookups are recorded
  Dependency::Kind terms_kind_ = Dependency::Kind::term;
  std::shared_ptr<Dependencies> reads_;  // null: not watched
};

inline constexpr const char* facts_directory = "chapters/facts/";
// The message for a reference that is used but has not been compared.
std::string not_compared(std::string_view id);
inline constexpr const char* how_to_compare =
    "read it, correct the entry in chapters/facts/references.json, and set \"checked\": true there";

// Loads both files. A missing file counts as empty, because a small book needs neither. Reports
// broken JSON and members of the wrong type.
References load_references(const FileSystem& files, Diagnostics& diagnostics,
                           Cache* cache = nullptr);

// The glossary in a language of the book: entries of chapters/<language>/glossary.json, and the
// original's where it has none. Reports entries whose term the original lacks. If any entry says
// what it was translated from, also warns about stale and missing entries.
Terms terms_in(const Book& book, const Terms& original, const FileSystem& files,
               Diagnostics& diagnostics, Cache* cache);

// The text of chapters/<language>/glossary.json with every entry marked as a translation of the
// current original. Returns nothing after a diagnostic.
std::optional<std::string> stamped_terms(const FileSystem& files, const std::string& path,
                                         Diagnostics& diagnostics);

// "Williams et al.", "Dao and Fu", "".
std::string short_authors(const Reference& reference);

// Writes "Williams et al. Roofline. CACM, 2009. Read 2026-11-01.", with a link on the title.
void write_reference(Html& out, const Reference& reference);

// A word that pages of a language must not use for a term. site/locales/<language>.terms.json
// gives each term one word (docs/reference/translations.md).
struct AvoidedWord {
  // `word` must not be used for the English term `english`; use `instead`. `why` may be empty.
  std::string word, english, instead, why;
};

// All words of the table; empty if the language has none. Reports a file that is not a valid table.
std::vector<AvoidedWord> avoided_words(const FileSystem& site, const std::string& language,
                                       Diagnostics& diagnostics);

Digest version_of(const std::vector<AvoidedWord>& words);

}  // namespace primer
