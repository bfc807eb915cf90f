// One chapter's or page's way through the stages: read, indexed, rendered or found, typeset, kept.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/pipeline/build_stats.hpp"
#include "generator/pipeline/page_cache.hpp"
#include "generator/render/emitter.hpp"

namespace primer {

struct PageJob {
  const Entry* entry = nullptr;
  std::size_t locale = 0;
  Digest text_digest = absent;     // of the text; absent: it is not readable, which was reported
  std::string text;                // read only where something must be made of it
  std::unique_ptr<Source> source;  // of a chapter that must be parsed
  std::optional<Node> document;    // if it was parsed for its index and the tree was kept
  ChapterIndex index;
  Digest visible;  // visible_part() of the index
  KnownInputs known;
  Dependencies asked;  // for what, while it was rendered, apart from these
  bool rendered = false;
  std::vector<FormulaUse> formulas;
  std::optional<PageText> made;  // rendered; not part of the page yet
  RenderedPage page;
  Diagnostics diagnostics;
};

// What is indexed will be rendered, so the trees of the first chapters are kept for that. A tree
// takes some thirty times its text.
class KeptTrees {
 public:
  bool take(std::size_t text) { return bytes_.fetch_add(text) + text <= most; }

 private:
  static constexpr std::size_t most = std::size_t{3} << 19;  // bytes of text
  std::atomic<std::size_t> bytes_ = 0;
};

// Sets the digest of the job's text, and gives the text where it had to be read for that.
std::optional<std::string> identify(const FileSystem& files, const Cache* cache, PageJob& job);

// Sets the index of a job that has been identified; from the cache, without reading the text, if it is known.
void index_page(const FileSystem& files, Cache* cache, KeptTrees& kept, PageJob& job,
                std::optional<std::string> text, Blocks wanted = Blocks::taken);

// Whether the job has its text, which is read if it was not. Reported: it is not the indexed one any more.
bool read_text(const FileSystem& files, PageJob& job);

// From the cache, or rendered with a record of what it asks for, and kept if it has no formulas. With SiteOptions::prose there are words that a
// translation avoids, and its text, or the original's against prose.hpp, is held to the rules.
void render_or_find(const PageCache& pages, const std::vector<AvoidedWord>* prose, PageJob& job);

// The versions of pages' inputs, by their files.
using InputVersions = std::map<std::string, Digest>;

// Keeps what was rendered and is not kept yet, and tells how the page came about. `before`: of the last build.
PageReport finish(const PageCache& pages, const InputVersions& before, PageJob& job);

}  // namespace primer
