// Rendered pages, kept by everything that they depend on.
//
// What a page depends on has digests. Half of it is known before the page is rendered (its text, its
// place in the book, the converter of formulas): the cache's key is made of it. The other half is
// what rendering asked for (files, other chapters' anchors, facts, references, terms): it is
// recorded, kept with the page, and must still be true when the page is taken from the cache.
// A page with a diagnostic is never kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/assemble/page_record.hpp"
#include "generator/base/cache.hpp"
#include "generator/render/emitter.hpp"

namespace primer {

// What all pages of a language depend on, whatever they ask for.
struct CommonInputs {
  explicit CommonInputs(Dependencies inputs);
  Dependencies all;
  Digest version;  // of all
};

// What a page depends on, as far as it is known before it is rendered.
struct KnownInputs {
  const CommonInputs* common = nullptr;
  Dependencies own = {};
};

// Of all of them.
Digest version_of(const KnownInputs& known, const Dependencies& asked);

class PageCache {
 public:
  // Without a cache nothing is ever found. What `shared` refers to outlives this object.
  PageCache(const RenderContext& shared, bool late_texts)
      : shared_(shared), late_texts_(late_texts) {}

  const RenderContext& shared() const { return shared_; }

  struct Found {
    RenderedPage page;
    Dependencies asked;  // for what, when it was rendered
  };
  // Safe to call from several threads.
  std::optional<Found> find(const KnownInputs& known) const;
  // With late texts the page's goes out of memory.
  void store(const KnownInputs& known, const Dependencies& asked, RenderedPage& page) const;

  // How all inputs of the page of `file` differ from what they were when this was asked last:
  // sentences such as "the fact h100-sxm.power changed".
  std::vector<std::string> changes(const std::string& file, const KnownInputs& known,
                                   const Dependencies& asked) const;

 private:
  Digest digest_of(const Dependency& asked) const;

  RenderContext shared_;
  bool late_texts_;  // SiteInputs::late_texts
};

}  // namespace primer
