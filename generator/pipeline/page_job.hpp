// One chapter's or page's way through the stages: read, indexed, rendered or found, typeset, kept.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "generator/pipeline/build_stats.hpp"
#include "generator/pipeline/page_cache.hpp"

namespace primer {

struct PageJob {
  const Entry* entry = nullptr;
  std::size_t locale = 0;
  Digest text_digest = absent;     // of the text; absent: it is not readable, which was reported
  std::string text;                // read only where something must be made of it
  std::unique_ptr<Source> source;  // of a chapter that must be parsed
  std::optional<Node> document;    // if it was parsed for its index and the tree was kept
  ChapterIndex index;
  Dependencies known;   // what the page depends on, as far as it is known before rendering
  Dependencies inputs;  // all of it
  bool rendered = false;
  std::vector<FormulaUse> formulas;
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

// Sets the job's index; from the cache, without reading the text, if it is known.
void index_page(const FileSystem& files, Cache* cache, KeptTrees& kept, PageJob& job);

// Whether the job has its text, which is read if it was not. Reported: it is not the indexed one any more.
bool read_text(const FileSystem& files, PageJob& job);

// From the cache, or rendered with a record of what it asks for. With SiteOptions::prose there are words that a
// translation avoids, and its text, or the original's against prose.hpp, is held to the rules.
void render_or_find(const RenderContext& shared, const PageCache& pages,
                    const std::vector<AvoidedWord>* prose, PageJob& job);

// Keeps what was rendered, and tells how the page came about.
PageReport finish(const PageCache& pages, PageJob& job);

}  // namespace primer
