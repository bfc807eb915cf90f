// One page on its way from a Markdown file to a RenderedPage. The stages of site.hpp fill in a job
// one after another. A job belongs to one task at a time, so it has no lock.
//
//   created --> identified --> indexed --> known --+--> found in the cache -----> finished
//   entry       text_digest    index,      known   |    page, asked                  ^
//   locale                     visible             |                                 |
//                                                  +--> rendered ------> settled ----+
//                                                       made, formulas,  page
//                                                       asked
//
// A page without formulas is settled as soon as it is rendered. Otherwise typeset() first replaces
// the marks in `made`, and finish() settles the page. A job without a page (an unreadable file, a
// parse error) has diagnostics instead. A page that SiteOptions::only leaves out stops after
// `known`.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/core/assemble/page_record.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/pipeline/build_stats.hpp"
#include "generator/core/render/emitter.hpp"

namespace primer {

// The cache of rendered pages. A page is stored under the inputs that are known before it is
// rendered: its text, its place in the book, the formula converter and so on. The inputs that
// rendering asks for (files, anchors of other chapters, facts, references, terms) are recorded and
// stored with the page. find() returns a page only if all of these still have the same digests. A
// page with a diagnostic is never stored.

// Inputs of every page of one language.
struct CommonInputs {
  explicit CommonInputs(Dependencies inputs);
  Dependencies all;
  Digest version;  // digest of `all`
};

// Inputs of one page that are known before it is rendered.
struct KnownInputs {
  const CommonInputs* common = nullptr;  // owned by Loaded::known
  Dependencies own = {};                 // without those in `common`
};

// Digest of all inputs of a page.
Digest version_of(const KnownInputs& known, const Dependencies& asked);

class PageCache {
 public:
  // Without a cache, find() finds nothing. Everything `shared` refers to must outlive this object.
  explicit PageCache(const RenderContext& shared) : shared_(shared) {}

  const RenderContext& shared() const { return shared_; }

  struct Found {
    RenderedPage page;
    Dependencies asked;  // inputs that rendering asked for, without the known ones
  };
  // Safe to call from several threads, like store().
  std::optional<Found> find(const KnownInputs& known) const;
  void store(const KnownInputs& known, const Dependencies& asked, const RenderedPage& page) const;

  // Sentences that say which inputs of the page of `file` changed since the last call, for example
  // "the fact h100-sxm.power changed". Records the present inputs for the next call. Empty without
  // a cache.
  std::vector<std::string> changes(const std::string& file, const KnownInputs& known,
                                   const Dependencies& asked) const;

 private:
  Digest digest_of(const Dependency& asked) const;

  RenderContext shared_;
};

struct PageJob {
  // Set by make_jobs() in indexed.cpp.
  const Entry* entry = nullptr;  // the page in book.yaml; never null, owned by Loaded::book
  std::size_t locale = 0;        // index into Loaded::locales(); 0 is the source language
  // Set by identify(), again by index_page(). `absent`: the file is unusable, and a diagnostic says
  // why.
  Digest text_digest = absent;
  // Set by index_page() unless the cache has the index, or by read_text(). Empty again after
  // rendering, or after finish() if the page has formulas.
  std::string text;
  // Set by index_page() or while rendering: lines and columns of `text`, for diagnostics.
  std::unique_ptr<Source> source;  // null: not needed now
  // Set by index_page() for originals while KeptTrees has room; rendering takes it.
  std::optional<Node> document;
  // Set by index_page(), or from the cache for a translation that is up to date. Numbers may change
  // until index() ends.
  ChapterIndex index;
  Digest visible;  // digest of what other pages can see of `index`
  // Set at the end of index(): the key of the page in the cache. Reset by finish().
  KnownInputs known;
  // Set by render_or_find().
  Dependencies asked;                // other inputs that rendering read; reset by finish()
  bool rendered = false;             // false: the page came from the cache
  std::vector<FormulaUse> formulas;  // formula i is formula_mark(i) in `made` until typeset()
  std::optional<PageText> made;      // HTML and page data until the page is settled
  RenderedPage page;        // complete once finished, except `chapter`; keep() moves it out
  Diagnostics diagnostics;  // of every stage
};

// A budget for syntax trees that stay in memory between indexing and rendering, so that these
// chapters are parsed only once. A tree needs about thirty times the memory of its text.
class KeptTrees {
 public:
  // Reserves room for the tree of a text of this many bytes. False: drop the tree.
  bool take(std::size_t text) { return bytes_.fetch_add(text) + text <= most; }

 private:
  static constexpr std::size_t most = std::size_t{3} << 19;  // bytes of text: 1.5 MiB
  std::atomic<std::size_t> bytes_ = 0;
};

// Sets the digest of the job's text. Returns the text if it had to be read for that.
std::optional<std::string> identify(const FileSystem& files, const Cache* cache, PageJob& job);

// Sets the index of an identified job, from the cache if it is there. `text` is what identify()
// returned. Reports a file that cannot be read, is too large or is not valid text.
void index_page(const FileSystem& files, Cache* cache, KeptTrees& kept, PageJob& job,
                std::optional<std::string> text, Blocks wanted = Blocks::taken);

// Makes sure that the job has its text and reads the file if necessary. False: there is no usable
// text, or the file has changed since it was indexed (reported).
bool read_text(const FileSystem& files, PageJob& job);

// Takes the page from the cache. Otherwise renders it, records its inputs and, if it has no
// formulas, stores it. With SiteOptions::prose, `prose` lists the words that translations avoid,
// and the text is checked: a translation against these words, an original against prose.hpp.
// Otherwise null.
void render_or_find(const PageCache& pages, const std::vector<AvoidedWord>* prose, PageJob& job);

// Digest of all inputs of each page, by file.
using InputVersions = std::map<std::string, Digest>;

// Settles the page if rendering did not, and reports how it came about. `before`: the versions of
// the last build.
PageReport finish(const PageCache& pages, const InputVersions& before, PageJob& job);

}  // namespace primer
