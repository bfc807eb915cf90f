// Stores results that are expensive to compute, from one build to the next: rendered pages,
// highlighted code, figures, converted formulas. host/disk_cache.hpp implements it on disk.
//
// A key identifies everything that the value depends on, except the program itself. A cache never
// fails: a value that is missing is computed again, and a value that cannot be stored is dropped.
#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace primer {

class Cache {
 public:
  // What an entry holds.
  enum class Kind {
    page,       // a rendered page
    index,      // the ChapterIndex of a page
    aligned,    // the index of a translation, compared with an unchanged original
    code,       // a highlighted code block
    figure,     // a drawn figure or a checked image
    formula,    // MathML
    build,      // the record of a build
    checked,    // empty; the file has passed its checks
    history,    // parsed output of git log
    feed_item,  // a page as a feed item
  };
  struct Tally {
    std::size_t found = 0, missed = 0;
  };

  virtual ~Cache() = default;

  // Whether the cache had no entries when it was opened.
  virtual bool was_empty() const = 0;

  // Safe to call from several threads.
  virtual std::optional<std::string> find(Kind kind, std::string_view key) const = 0;
  virtual void store(Kind kind, std::string_view key, std::string value) = 0;
  virtual std::map<Kind, Tally> tallies() const = 0;  // hits and misses of find()
};

// Returns the cached value of `key`. On a miss, calls make() and stores its result. `cache` may be
// null.
template <class Make>
std::string kept_or_made(Cache* cache, Cache::Kind kind, std::string_view key, const Make& make) {
  if (!cache) return make();
  if (auto kept = cache->find(kind, key)) return std::move(*kept);
  std::string made = make();
  cache->store(kind, key, made);
  return made;
}

}  // namespace primer
