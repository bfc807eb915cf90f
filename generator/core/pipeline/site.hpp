// The pipeline: from a book's directory to every file of its site, in memory.
//
//   load      reads book.yaml, facts, references, the reference profile
//   index     parses each chapter, collects ids and numbers, frees trees
//   render    parses again, resolves links and numbers, writes HTML
//   typeset   converts all formulas of the book in one batch
//   keep      turns jobs into pages and caches them
//   assemble  templates, navigation, shared files, addresses
//   publish   feeds, renditions, collections, images
//   write     hands every file to the sink
//
// A stage takes values and returns values. Its diagnostics come with its result (Made), and the
// caller appends them in the order of the calls. Only "write" has effects, and it does not run if
// the book has errors.
//
// With a cache, a chapter whose text is known is not parsed to index it, and a page whose inputs
// are all known is neither rendered nor typeset (page_job.hpp).
//
// Within a stage, chapters are processed in parallel. Each writes only to its own job and the site
// is a sorted map, so its bytes do not depend on the number of threads.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/assemble/assets.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/load/history.hpp"
#include "generator/core/markdown/formula.hpp"
#include "generator/core/pipeline/build_stats.hpp"

namespace primer {

// Converts TeX to MathML; result i belongs to formula i.
using Typesetter =
    std::function<std::vector<figures::Result<std::string>>(const std::vector<Formula>&)>;

struct Loaded;
struct PublishedSite;

struct SiteInputs {
  const FileSystem* book = nullptr;
  AssetDirectories assets;
  Typesetter typeset;
  std::string typesetter = {};  // its version, which is part of a page's cache key
  std::function<void()> expect_formulas = [] {
  };  // called at most once, after indexing, if the book has formulas
  Cache* cache = nullptr;
  const Tasks* tasks = &sequential;
  Digest program = {};  // identity of the program; part of a page's cache key
  // If set, shared files and modules are not read from disk but taken from this site, and so are
  // the pages that SiteOptions::only leaves out.
  const PublishedSite* published = nullptr;
  // Called once if the site has a public address, because its feeds and site map contain dates.
  std::function<History()> history = [] { return History(); };
  // Called at most once, if the site has a public address and shows files. nullopt: unknown.
  std::function<std::optional<TrackedFiles>()> tracked = [] {
    return std::optional<TrackedFiles>();
  };
};

// A value of SiteOptions::base_url: no public address, whatever book.yaml says.
inline constexpr const char* no_base_url = "none";

struct SiteOptions {
  std::string base_url;     // replaces the one in book.yaml; empty: keep that one
  std::string repository;   // likewise
  bool unmeasured = false;  // see Values::unmeasured
  bool prose = false;       // also check the prose of originals and the wording of translations
  // If the site has a public address, also make the e-book and the print page, which every change
  // makes again as a whole. Pages then name cards/<slug>.png and the home page names book.pdf;
  // scripts/publish makes these files afterwards.
  bool renditions = false;
  bool flat = false;  // for opening from a disk (flat_page.hpp)
  Drafts drafts = Drafts::left_out;
  // Files whose diagnostics are appended first, because the lists are limited.
  std::set<std::string> first;
  // Files of the pages to make; other pages stay as published. nullopt: make all.
  std::optional<std::set<std::string>> only = {};
  bool review = false;  // also make the pages of review_page.hpp, if the book has them
  Unbuilt unbuilt = Unbuilt::refuse;  // what to do about missing modules and fonts
};

// Receives each file of the site once, by its path from the root. Called from several threads.
struct SiteSink {
  std::function<void(const std::string& path, const std::string& bytes)> add;
  // Offers to reuse a file whose inputs have this digest. True: the site already has the file, made
  // from the same inputs, and keeps it. False: the caller makes the file and calls add().
  std::function<bool(const std::string& path, const Digest& inputs_digest)> keep =
      [](const auto&, const auto&) { return false; };
};
// If `diagnostics` has no errors afterwards, every file was added or kept. Otherwise the sink
// received no file or only some of them.
void make_site(const SiteInputs& inputs, const SiteOptions& options, const SiteSink& sink,
               Diagnostics& diagnostics, BuildReport* report = nullptr);

// The same from the result of load(). Nothing that load() read may have changed since.
void make_site(const Loaded& loaded, const SiteSink& sink, Diagnostics& diagnostics,
               BuildReport& report);

// The same, but returns the files.
using SiteFiles = std::map<std::string, std::string>;
SiteFiles make_site(const SiteInputs& inputs, const SiteOptions& options, Diagnostics& diagnostics,
                    BuildReport* report = nullptr);

}  // namespace primer
