// The stages between a book's files and its site, in the order in which make_site() calls them
// (site.hpp). Each is defined in the file of its name: loaded.cpp, indexed.cpp and so on.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "generator/core/assemble/addresses.hpp"
#include "generator/core/assemble/assets.hpp"
#include "generator/core/assemble/page.hpp"
#include "generator/core/assemble/page_record.hpp"
#include "generator/core/base/lazy_file.hpp"
#include "generator/core/base/tasks.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"
#include "generator/core/index/index.hpp"
#include "generator/core/load/book.hpp"
#include "generator/core/load/errata.hpp"
#include "generator/core/load/gallery.hpp"
#include "generator/core/load/messages.hpp"
#include "generator/core/load/modules.hpp"
#include "generator/core/load/references.hpp"
#include "generator/core/load/values.hpp"
#include "generator/core/pipeline/page_job.hpp"
#include "generator/core/pipeline/site.hpp"
#include "generator/core/publish/publication.hpp"

namespace primer {

// Stage "load": reads and checks everything that is not a chapter.

// Pages and tasks point into this object, so it cannot be copied or moved. `history` and `assets`
// may still be running when the stage ends; a later stage waits for them.
struct Loaded {
  Loaded(const SiteInputs& given, const SiteOptions& chosen) : inputs(given), options(chosen) {}
  Loaded(const Loaded&) = delete;
  Loaded& operator=(const Loaded&) = delete;

  const SiteInputs& inputs;
  const SiteOptions& options;
  std::unique_ptr<const Book> book;
  std::vector<Erratum> errata;
  std::unique_ptr<const Values> values;
  References library;
  Modules modules;
  Gallery gallery;
  std::optional<GallerySummary> gallery_summary;
  std::vector<Messages> words;  // of each language, the source language first
  std::vector<Terms> terms;     // likewise
  std::vector<std::vector<AvoidedWord>>
      avoided;                      // likewise; empty lists without SiteOptions::prose
  std::vector<CommonInputs> known;  // inputs of all pages of each language
  // Last, so that they end before the members they use are destroyed.
  mutable Task<History> history;
  mutable Task<Made<Assets>> assets;

  const FileSystem& files() const { return *inputs.book; }
  bool is_public() const { return !book->base_url.empty(); }
  // The book in each language, the source language first.
  std::vector<const Book*> locales() const;
};

// No value after an error that every chapter would report again. `inputs` and `options` must
// outlive the result.
Made<std::unique_ptr<const Loaded>> load(const SiteInputs& inputs, const SiteOptions& options);

// Stage "index": identifies every page by the digest of its text, parses new texts and collects
// what the pages of each language can refer to.

// The pages of one language in the order of the book. An untranslated page is the original's.
struct LanguageTree {
  const Book& book;
  const Messages& words;
  std::vector<std::size_t> pages;  // indexes into Indexed::jobs
  Index index;                     // chapter i belongs to pages[i]
};

struct Indexed {
  // Originals in the order of the book, then the translations per language.
  std::vector<PageJob> jobs;
  std::vector<LanguageTree> trees;  // the source language first
};

// `loaded` must outlive the result.
Made<Indexed> index(const Loaded& loaded);

// Stages "render", "typeset" and "keep": every page's HTML, from the cache or rendered.

// Renders each page or takes it from the cache. Formulas of rendered pages are still marks.
std::vector<PageJob> render(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                            std::vector<PageJob> jobs);

// Replaces the marks by MathML. Reports formulas that cannot be converted.
std::vector<PageJob> typeset(const Typesetter& typesetter, std::vector<PageJob> jobs);

struct RenderedBook {
  std::vector<RenderedPage> pages;  // page i comes from job i
  std::vector<PageReport> reports;  // likewise; empty reports for pages that stay as published
};

// Moves the pages out of the jobs and stores those without diagnostics for the next build.
Made<RenderedBook> keep(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                        std::vector<PageJob> jobs);

// Stage "assemble": loads the page templates and decides which file owns which address.

// Addresses (assemble/addresses.hpp). All are claimed before any page is put together.

// Path of a page's file from the site's root: "en/roofline/index.html".
std::string file_of(const LanguageTree& tree, const Entry& entry);

// Claims the addresses that every site has or reserves, then those of this book's files and pages.
Made<Addresses> claim_addresses(const std::vector<LanguageTree>& trees,
                                const RenderedBook& rendered, const Assets& assets);

// Reports files that nobody claimed an address for and files at the address of a page. `files`:
// every file of the site that is not a page of the book.
void check_owners(const std::vector<std::string>& files, const std::vector<LanguageTree>& trees,
                  const Addresses& addresses, Diagnostics& diagnostics);

// The files of a site other than its pages, by path from its root.
struct SiteContent {
  SiteFiles files;  // complete
  LazyFiles lazy;   // made when they are written
  // HTML of each language's home page; set by publish().
  std::vector<std::string> chapter_lists = {};

  bool contains(const std::string& path) const {
    return files.contains(path) || lazy.contains(path);
  }
};

// Pages and publications point into this object, so it must not be moved.
struct Assembled {
  std::string assets;  // the directory of shared files: "_/1a2b3c4d/"
  History history;
  std::vector<Pages> pages;               // the templates of each language
  std::vector<Publication> publications;  // one per language; empty without a public address
  Addresses addresses;
  SiteContent content;  // shared files, redirects and 404.html
};

// No value after an error in the templates. The arguments must outlive the result.
Made<std::unique_ptr<Assembled>> assemble(const Loaded& loaded,
                                          const std::vector<LanguageTree>& trees,
                                          const RenderedBook& rendered);

// Stages "publish" and "write": makes the files around the pages, then hands all files to the sink.

// A site of the same book that another build made. The browser editor makes one page again and
// takes its neighbors from here (tools/workshop/).
struct PublishedSite {
  Assets assets;    // names without bytes
  Modules modules;  // likewise
  Gallery gallery;
  std::map<std::string, RenderedPage> pages;  // by file of the page, without their text
};

// Reports files that pages of a public site show and that are not committed or have uncommitted
// changes. Does nothing if SiteInputs::tracked does not know.
void check_committed(const Loaded& loaded, const RenderedBook& rendered, Diagnostics& diagnostics);

// Adds feeds, renditions, collections, images and the pages for contributors to `content`.
Made<SiteContent> publish(const Loaded& loaded, const std::vector<LanguageTree>& trees,
                          const RenderedBook& rendered, const Assembled& site, SiteContent content);

// Hands every file to the sink, in parallel. No other stage has effects.
void write(const Loaded& loaded, const std::vector<LanguageTree>& trees,
           const RenderedBook& rendered, const Assembled& site, const SiteContent& content,
           const SiteSink& sink);

}  // namespace primer
