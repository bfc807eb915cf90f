// What was dear to make and is kept from one build to the next: pages, highlighted code, drawn figures, converted
// formulas. host/disk_cache.hpp keeps it on disk.
//
// A key names everything that the value depends on but the program itself. A cache never fails: what cannot be found
// is made again, what cannot be kept is not kept.
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
    page,        // a rendered page without its text
    text,        // the text of a page
    index,       // a page's index
    aligned,     // the index of a translation beside an original that has not changed since
    code,        // a highlighted block
    figure,      // a drawing, or a checked picture
    formula,     // MathML
    build,       // the record of a build
    checked,     // nothing: a file that was found without fault
    history,     // what git said
    feed_item,   // a page as feeds show it
    collection,  // a page made of all chapters
    printed,     // a page of the book on one page
    words,       // of a language
  };
  struct Tally {
    std::size_t found = 0, missed = 0;
  };

  virtual ~Cache() = default;

  // Whether there was nothing in it when it was opened.
  virtual bool was_empty() const = 0;

  // Safe to call from several threads.
  virtual std::optional<std::string> find(Kind kind, std::string_view key) const = 0;
  virtual void store(Kind kind, std::string_view key, std::string value) = 0;
  virtual std::map<Kind, Tally> tallies() const = 0;  // of find()
};

// Thrown where something was left to a cache alone, and the cache has lost it.
struct LostValue {};

// A text that is kept under the key, else what `make` gives, which is kept then. `cache` may be null.
template <class Make>
std::string kept_or_made(Cache* cache, Cache::Kind kind, std::string_view key, const Make& make) {
  if (!cache) return make();
  if (auto kept = cache->find(kind, key)) return std::move(*kept);
  std::string made = make();
  cache->store(kind, key, made);
  return made;
}

}  // namespace primer
