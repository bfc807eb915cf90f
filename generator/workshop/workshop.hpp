// A book that is worked on: a page is made anew after each edit, with the diagnostics of `primer check` and the bytes of
// `primer build`.
//
// What an edit cannot have changed is kept: the facts, the words and all that the book's other files say, the pages that
// were not touched as they are published. So a mistake that an edit makes on another page, a link to a heading that is gone,
// is only found by check().
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/names/book_names.hpp"
#include "generator/pipeline/loaded.hpp"
#include "generator/typeset/typesetting.hpp"
#include "generator/workshop/book_pack.hpp"
#include "generator/workshop/edited_files.hpp"
#include "generator/workshop/memory_cache.hpp"

namespace primer {

struct WorkshopPage {
  std::string html;  // as published; empty after errors, or where the file is no page
  std::string data;  // the JSON beside it; empty: none
};

class Workshop {
 public:
  // `convert` sets formulas. The pack is a whole one of this program.
  Workshop(BookPack pack, Typesetting::Convert convert);
  Workshop(const Workshop&) = delete;
  Workshop& operator=(const Workshop&) = delete;

  // What it is asked throws TextsNeeded where the book has texts that are not here yet.
  EditedFiles& files() { return files_; }
  // Those that are published, then what was begun here: chapters, and profiles of machines, which have no language.
  std::vector<PackedPage> pages();

  // The page of this file, with what is wrong with the files that were edited and with it.
  Made<WorkshopPage> make(const std::string& file);
  // What is wrong with the whole book. Takes long.
  Diagnostics check();
  // The names of the book as it stands now.
  const BookNames& names();

 private:
  bool is_current() const;
  void load_what_changed();
  void run(const SiteSink& sink, Diagnostics& diagnostics);
  // Where the page of a file is published, from the site's root.
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
  std::unique_ptr<const Loaded> loaded_;  // null: after errors, which are here
  Diagnostics load_diagnostics_;
  BookNames names_;
  Dependencies load_reads_;  // what has to be the same, or all is loaded anew
};

}  // namespace primer
