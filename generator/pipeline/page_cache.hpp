// Rendered pages, kept by everything that they depend on.
//
// What a page depends on has digests. Half of it is known before the page is
// rendered (its text, its place in the book, the facts, the converter of formulas): the cache's key
// is made of it. The other half is what rendering asked for (files, other chapters' anchors): it is
// recorded, kept with the page, and must still be true when the page is taken from the cache.
// A page with a diagnostic is never kept.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "generator/assemble/page_record.hpp"
#include "generator/base/cache.hpp"

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
  // `cache` may be null: then nothing is ever found. All outlive this object.
  PageCache(Cache* cache, bool late_texts, const FileSystem& files, const Index& index)
      : cache_(cache), late_texts_(late_texts), files_(files), index_(index) {}

  struct Found {
    RenderedPage page;
    Dependencies asked;  // for what, when it was rendered
  };
  // Safe to call from several threads.
  std::optional<Found> find(const KnownInputs& known) const;
  // With late texts the page's goes out of memory.
  void store(const KnownInputs& known, const Dependencies& asked, RenderedPage& page) const;

  // How all inputs of the page of `file` differ from what they were when this was asked last:
  // sentences such as "chapters/facts/chips.json changed".
  std::vector<std::string> changes(const std::string& file, const KnownInputs& known,
                                   const Dependencies& asked) const;

 private:
  Digest digest_of(const Dependency& asked) const;

  Cache* cache_;
  bool late_texts_;  // SiteInputs::late_texts
  const FileSystem& files_;
  const Index& index_;
};

}  // namespace primer
