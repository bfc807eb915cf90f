// `primer build`: from a book's directory to a site's, no more than is needed.
//
// After a build, a record of everything that was read and written stays in the cache. When all of it
// is as it was, there is nothing to do, and finding that out costs one read of every file. Else the
// stages run (site.hpp), each page from the cache if it can be, and what differs is written
// (output.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "generator/diagnostic/diagnostic.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/pipeline/build_stats.hpp"
#include "generator/pipeline/site.hpp"
#include "generator/workshop/book_pack.hpp"
#include "generator/write/output.hpp"

namespace primer {

struct BuildOptions {
  std::string book = ".";
  std::string out = "build/site";
  std::string assets;          // directory of templates, styles and scripts
  std::string own_site;        // the book's own, whose files replace those; empty: none
  std::string modules;         // of built WebAssembly; empty: none
  std::string fonts;           // of built fonts; empty: none
  std::string minified;        // minified styles and scripts; empty: as they are written
  std::string search;          // of a search index; empty: none
  std::string workshop;        // of what the page /write/ loads; empty: none
  std::filesystem::path home;  // the source tree with the converter of formulas
  std::filesystem::path node;  // the program; empty: find_program()'s
  std::filesystem::path git;   // the program; empty: there is none
  bool trusted = false;        // the book's .git may be read, for dates
  // The book's files where they are not those on disk: what an editor has not saved; null otherwise. Only make_site()
  // looks at it.
  const FileSystem* unsaved = nullptr;
  SiteOptions site;
  int threads = 1;  // on how many it works at the same time
  std::filesystem::path own =
      {};  // a directory that is the user's alone, for what git needs; empty: there is none
  std::function<void(const std::string&)> note = [](const std::string&) {
  };  // hears at once why a build waits
};

// The site's files, nothing written, without dates: git is not asked. Uses the cache.
SiteFiles make_site(const BuildOptions& options, Cache& cache, Diagnostics& diagnostics,
                    BuildReport* report = nullptr);

// What the page /write/ needs of the book (workshop/book_pack.hpp). Uses the cache; git is not asked.
Made<BookPack> pack_book(const BuildOptions& options, Cache& cache);

// Errors are in `diagnostics`, which is empty before; with any, the site is what it was and nothing is returned.
std::optional<Written> build_site(const BuildOptions& options, DiskCache& cache,
                                  Diagnostics& diagnostics, BuildReport& report);

}  // namespace primer
