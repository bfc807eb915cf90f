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

class PageCache {
 public:
  // `cache` may be null: then nothing is ever found. All outlive this object.
  PageCache(Cache* cache, const FileSystem& files, const Index& index)
      : cache_(cache), files_(files), index_(index) {}

  struct Found {
    RenderedPage page;
    Dependencies inputs;  // what it asked for when it was rendered
  };
  // Safe to call from several threads.
  std::optional<Found> find(const Dependencies& known) const;
  void store(const Dependencies& known, const Dependencies& asked, const RenderedPage& page) const;

  // How all inputs of the page of `file` differ from what they were when this was asked last:
  // sentences such as "chapters/facts/chips.json changed".
  std::vector<std::string> changes(const std::string& file, const Dependencies& inputs) const;

 private:
  Digest digest_of(const Dependency& asked) const;

  Cache* cache_;
  const FileSystem& files_;
  const Index& index_;
};

}  // namespace primer
