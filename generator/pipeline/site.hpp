// The pipeline: a book's directory → every file of its site, in memory.
//
//   load      book.yaml, facts, glossary, references, the reference profile    loaded.hpp
//   index     every chapter: parse, collect ids and numbers, free the tree     indexed.hpp
//   render    every chapter: parse again, resolve, write HTML                  rendered.hpp, page_job.hpp
//   typeset   all formulas of the book in one batch                            rendered.hpp
//   assemble  templates, navigation, shared files, who has which address       assembled.hpp
//   publish   feeds, renditions, collections, images                           published.hpp
//   write     every file to the sink, as soon as it is whole                   published.hpp
//
// A stage takes values and gives values; what it found wrong comes with them (made.hpp) and is put together in the
// order of the calls. Only "write" has effects, and nothing is written of a book with errors.
//
// With a cache, a chapter whose text is known is not parsed for its index, and a page whose inputs
// are all known is neither rendered nor typeset (page_cache.hpp).
//
// Within a stage chapters are worked on at the same time, each in a place of its own, and the site is a sorted map:
// its bytes do not depend on the number of threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/assemble/assets.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/file_system.hpp"
#include "generator/base/tasks.hpp"
#include "generator/diagnostic/diagnostic.hpp"
#include "generator/load/history.hpp"
#include "generator/load/tracked_files.hpp"
#include "generator/markdown/formula.hpp"
#include "generator/pipeline/build_stats.hpp"

namespace primer {

// TeX → MathML, in the order asked.
using Typesetter =
    std::function<std::vector<figures::Result<std::string>>(const std::vector<Formula>&)>;

struct Loaded;
struct PublishedSite;

struct SiteInputs {
  const FileSystem* book = nullptr;
  AssetDirectories assets;
  Typesetter typeset;
  std::string typesetter = {};                    // its version: what may change its results
  std::function<void()> expect_formulas = [] {};  // called once, early, when there will be some
  Cache* cache = nullptr;
  // Pages' texts are not in memory but in the cache until something is made of them. What makes a site throws LostValue
  // then, where the cache has lost one.
  bool late_texts = false;
  const Tasks* tasks = &sequential;
  Digest program = {};  // what the program itself may change
  // Shared files and modules are then not read, and pages not made anew (SiteOptions::only) are taken from there.
  const PublishedSite* published = nullptr;
  // Called once, for a site with a public address: its feeds and its map have dates.
  std::function<History()> history = [] { return History(); };
  // Called at most once, for a site with a public address that shows files: nothing where it is not known.
  std::function<std::optional<TrackedFiles>()> tracked = [] {
    return std::optional<TrackedFiles>();
  };
};

// For SiteOptions::base_url: a site without a public address, whatever book.yaml says.
inline constexpr const char* no_base_url = "none";

struct SiteOptions {
  std::string base_url;     // overrides book.yaml's when not empty
  std::string repository;   // likewise
  bool unmeasured = false;  // see Values::unmeasured
  bool prose = false;  // also hold the text against prose.hpp, translations against wording.hpp
  // With an address also what the whole book makes again after each change: the e-book and the print page. Pages
  // name cards/<slug>.png and the home page book.pdf, which scripts/publish makes afterwards.
  bool renditions = false;
  Drafts drafts = Drafts::left_out;
  std::set<std::string> first;  // files whose mistakes are kept before those of others
  std::optional<std::set<std::string>> only =
      {};                             // files of pages to make, the others stay as published
  bool review = false;                // also the pages of review_page.hpp, if the book wants them
  Unbuilt unbuilt = Unbuilt::refuse;  // about modules and fonts
};

// Takes the site's files, each once, by their paths from the site's root. Called from several threads.
struct SiteSink {
  std::function<void(const std::string& path, const std::string& bytes)> add;
  // Of a file, what it would be made of. True: the site has it, made of the same, and keeps it. False: it is to be
  // made and added.
  std::function<bool(const std::string& path, const Digest& inputs_digest)> keep =
      [](const auto&, const auto&) { return false; };
};
// Without errors among the diagnostics the sink gets or keeps every file; else none, or not all.
void make_site(const SiteInputs& inputs, const SiteOptions& options, const SiteSink& sink,
               Diagnostics& diagnostics, BuildReport* report = nullptr);

// The same of what load() gave, of which nothing has changed since.
void make_site(const Loaded& loaded, const SiteSink& sink, Diagnostics& diagnostics,
               BuildReport& report);

// The same in memory.
using SiteFiles = std::map<std::string, std::string>;
SiteFiles make_site(const SiteInputs& inputs, const SiteOptions& options, Diagnostics& diagnostics,
                    BuildReport* report = nullptr);

}  // namespace primer
