// The text of a page. It is most of what a site consists of, so it is in memory only while something is made of it,
// where a cache keeps it.
#pragma once

#include <memory>
#include <string>

#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"

namespace primer {

struct PageText {
  std::string body, prerequisites, d2l;  // HTML
  std::string data;                      // the JSON beside the page; empty: none
  std::string heading = {};              // HTML; empty: the title, which has no marks
};

class LateText {
 public:
  LateText() : LateText(PageText()) {}
  explicit LateText(PageText text);
  // One that the cache keeps, which outlives this.
  LateText(const Cache& cache, const Digest& version) : cache_(&cache), version_(version) {}

  const Digest& version() const { return version_; }  // of all of it
  std::shared_ptr<const PageText> read() const;       // throws LostValue
  LateText in_memory() const;
  void store_in(Cache& cache) const;

 private:
  std::shared_ptr<const PageText> text_;  // null: `cache_` has it
  const Cache* cache_ = nullptr;
  Digest version_;
};

}  // namespace primer
