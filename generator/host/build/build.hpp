// `primer build`: builds a site from a book and does no more than necessary.
//
// Each build stores a record of everything it read and wrote in the cache. If nothing of that has
// changed, the next build only reads every file once and stops. Otherwise the stages run
// (site.hpp), take each page from the cache if possible, and the files that differ are written
// (output.hpp).
#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/pipeline/build_stats.hpp"
#include "generator/core/pipeline/site.hpp"
#include "generator/host/disk_cache.hpp"
#include "generator/host/write/output.hpp"
#include "generator/tools/workshop/book_pack.hpp"

namespace primer {

struct BuildOptions {
  std::string book = ".";
  std::string out = "build/site";
  std::string assets;          // templates, styles and scripts
  std::string own_site;        // the book's site/, whose files override those; empty: none
  std::string modules;         // built WebAssembly; empty: none
  std::string fonts;           // built fonts; empty: none
  std::string minified;        // minified styles and scripts; empty: none
  std::string search;          // a search index; empty: none
  std::string workshop;        // files of the browser editor at /write/; empty: none
  std::filesystem::path home;  // the source tree, for the formula converter
  std::filesystem::path node;  // the program; empty: use find_program()
  std::filesystem::path git;   // the program; empty: there is none
  bool strict = false;         // look for warnings even if nothing has changed
  bool trusted = false;        // the book's .git may be read for dates
  // Overrides the book's files on disk with what an editor has not saved; null otherwise. Only
  // make_site() uses it.
  const FileSystem* unsaved = nullptr;
  SiteOptions site;
  int threads = 1;                 // number of threads
  std::filesystem::path own = {};  // private directory of the user for git; empty: none
  std::function<void(const std::string&)> note = [](const std::string&) {
  };  // told immediately why a build waits
};

// Makes the site in memory and writes nothing. Does not run git, so there are no dates. Uses the
// cache.
SiteFiles make_site(const BuildOptions& options, Cache& cache, Diagnostics& diagnostics,
                    BuildReport* report = nullptr);

// Makes what the browser editor needs from the book (tools/workshop/book_pack.hpp). Uses the cache
// and does not run git.
Made<BookPack> pack_book(const BuildOptions& options, Cache& cache);

// Builds and writes the site. `diagnostics` must be empty. After an error, the old site is
// unchanged and there is no value.
std::optional<Written> build_site(const BuildOptions& options, DiskCache& cache,
                                  Diagnostics& diagnostics, BuildReport& report);

}  // namespace primer
