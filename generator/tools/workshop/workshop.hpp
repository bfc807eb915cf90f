// The core of the browser editor: makes one page again after each edit, with the diagnostics of
// `primer check` and the bytes of `primer build`.
//
// It keeps what an edit cannot have changed: facts, UI strings and everything else that other files
// define, and the published version of pages that were not edited. A mistake that an edit causes on
// another page, such as a link to a removed heading, is therefore found only by check().
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/pipeline/stages.hpp"
#include "generator/core/typeset/typesetting.hpp"
#include "generator/tools/names/book_names.hpp"
#include "generator/tools/workshop/book_pack.hpp"

namespace primer {

// An in-memory cache for one session. It has two generations of at most half the size each. When
// the young one is full, it replaces the old one, which drops whatever was not used since.

class MemoryCache final : public Cache {
 public:
  explicit MemoryCache(std::size_t most_bytes) : most_(most_bytes) {}

  bool was_empty() const override { return true; }
  std::optional<std::string> find(Kind kind, std::string_view key) const override;
  void store(Kind kind, std::string_view key, std::string value) override;
  std::map<Kind, Tally> tallies() const override { return tallies_; }

 private:
  using Entries = std::unordered_map<std::string, std::string>;
  void keep(std::string name, std::string value) const;

  std::size_t most_;
  // Two generations; a hit in old_ moves the entry to young_.
  mutable Entries young_, old_;
  mutable std::size_t young_bytes_ = 0;
  mutable std::map<Kind, Tally> tallies_;
};

// Thrown when texts are needed that are not in memory yet, so that nothing is made without them.
// The caller passes them to EditedFiles::bring() and repeats the call.
struct TextsNeeded {
  std::map<std::string, Digest> files;
};

// The files of a book in memory, which an author edits.
class EditedFiles final : public FileSystem {
 public:
  // `apart` are the digests of files whose texts come later (bring()). `named` are files that can
  // be listed but not read.
  EditedFiles(std::map<std::string, std::string> files, std::map<std::string, Digest> apart,
              std::set<std::string> named);

  // False: this is not the text that the book has there.
  bool bring(const std::string& path, std::string text);
  // Throws TextsNeeded unless all texts are in memory.
  void need_all() const;

  // False: the path is not normal or the text is too large for such a file.
  bool write(const std::string& path, std::string text);
  // Restores the original content, which may be no file. Ignores files that were not written.
  void revert(const std::string& path);
  // The original content.
  std::optional<std::string> published(const std::string& path) const;
  // Whether the file is not in the original book.
  bool is_new(const std::string& path) const {
    return edited_.contains(path) && !originals_.contains(path);
  }
  const std::set<std::string>& edited() const { return edited_; }

  std::optional<Digest> known_digest_of(const Dependency& asked) const override;

 private:
  std::optional<std::string> load(const std::string& path) const override;
  std::vector<std::string> walk(const std::string& directory) const override;
  void need(const std::string& path) const;

  // files_: present texts; originals_: published texts of edited files; apart_: not brought yet;
  // names_: everything that list() returns.
  std::map<std::string, std::string> files_, originals_;
  std::map<std::string, Digest> apart_;
  std::set<std::string> names_, edited_;
};

struct WorkshopPage {
  std::string html;  // as published; empty after errors or if the file is no page
  std::string data;  // JSON next to it; empty: none
};

class Workshop {
 public:
  // `convert` converts formulas. The pack must be complete and made by this version of primer.
  Workshop(BookPack pack, Typesetting::Convert convert);
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  // All functions below throw TextsNeeded if a text is missing.
  EditedFiles& files() { return files_; }
  // The published pages, then what was begun here: chapters, and machine profiles, which have no
  // language.
  std::vector<PackedPage> pages();

  // Makes the page of this file. Reports what is wrong with it and with the edited files.
  Made<WorkshopPage> make(const std::string& file);
  // Reports what is wrong with the whole book. Takes long.
  Diagnostics check();
  // Applies the fixes of such a check as long as that reduces the errors, as `primer facts set` does,
  // and returns what is still wrong.
  Diagnostics fix();
  // The present names in the book.
  const BookNames& names();

 private:
  bool is_current() const;
  void load_what_changed();
  void run(const SiteSink& sink, Diagnostics& diagnostics);
  // Address of a file's page, from the site's root.
  std::optional<std::string> address_of(const std::string& file) const;

  const std::vector<PackedPage> pages_;
  const PublishedSite published_;
  const std::unique_ptr<FileSystem> site_;
  EditedFiles files_;
  MemoryCache cache_;
  Typesetting::Convert convert_;
  Typesetting maths_;
  SiteInputs inputs_;
  SiteOptions options_;
  std::unique_ptr<const Loaded> loaded_;  // null: loading failed, see load_diagnostics_
  Diagnostics load_diagnostics_;
  BookNames names_;
  Dependencies load_reads_;  // if one of these changes, everything is loaded again
};

}  // namespace primer
