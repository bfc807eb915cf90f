// What the facts directory holds besides numbers: references and the glossary.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"
#include "generator/base/html.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/book.hpp"

namespace primer {

struct Reference {
  std::string title, venue, url, accessed;
  std::vector<std::string> authors;
  int year = 0;          // 0: none
  bool compared = true;  // with the work itself: only such a one is printed
};

struct Term {
  std::string term, definition, language;
  std::string from =
      {};              // of a translation: source_hash() of the entry that it translates, or empty
  bool stale = false;  // that entry has changed since
};

// Eight digits of the hash of an entry's text.
std::string source_hash(const Term& term);

using Terms = std::map<std::string, Term>;

struct References {
  std::map<std::string, Reference> references;
  Terms terms;  // of the original: glossary.json
};

// What the pages of one language cite and explain. The references and terms must outlive it.
class Library {
 public:
  Library(const References& library, const Terms& terms)
      : references_(&library.references), terms_(&terms) {}

  const Reference* reference(const std::string& id) const;  // null: none
  const Term* term(const std::string& id) const;            // null: none
  const std::map<std::string, Reference>& references() const;
  const Terms& terms() const;

  // The same entries for one thread, which record every lookup.
  Library watched() const;
  // The same references with the terms of another language, for a part of a page that is shown in
  // the original's words. Both leave their record in the same place.
  Library with_terms_of(const Library& original) const;
  Dependencies reads() const { return reads_ ? *reads_ : Dependencies(); }
  // Of one reference or term, or of all of them; absent: none.
  Digest digest_of(const Dependency& asked) const;

 private:
  void note(Dependency::Kind kind, const std::string& id) const;

  const std::map<std::string, Reference>* references_;
  const Terms* terms_;
  Dependency::Kind terms_kind_ = Dependency::Kind::term;  // under which terms are recorded
  std::shared_ptr<Dependencies> reads_;                   // null: not watched
};

inline constexpr const char* facts_directory = "chapters/facts/";
// What is said of a reference that is used before it was compared.
std::string not_compared(std::string_view id);
inline constexpr const char* how_to_compare =
    "read it, correct the entry in chapters/facts/references.json, and say \"checked\": true there";

// A file that is not there is an empty one: a small book needs none of them. Members of the wrong
// type and broken JSON are reported.
References load_references(const FileSystem& files, Diagnostics& diagnostics,
                           Cache* cache = nullptr);

// The glossary in a language of the book: the entries of chapters/<language>/glossary.json, and where it has
// none the original's. Reports an entry whose term the original does not have, and warns of those that are stale
// or missing, if the file says of any what it was translated from.
Terms terms_in(const Book& book, const Terms& original, const FileSystem& files,
               Diagnostics& diagnostics, Cache* cache);

// The text of chapters/<language>/glossary.json whose entries say that they translate the original's as they are now.
// Nothing after a diagnostic.
std::optional<std::string> stamped_terms(const FileSystem& files, const std::string& path,
                                         Diagnostics& diagnostics);

// "Williams et al.", "Dao and Fu", "".
std::string short_authors(const Reference& reference);

// "Williams et al. Roofline. CACM, 2009. Read 2026-11-01.", its title linked.
void write_reference(Html& out, const Reference& reference);

}  // namespace primer
