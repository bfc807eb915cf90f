// What was dear to make, on disk: pages, highlighted code, drawn figures, converted formulas.
//
// One LMDB file, so a cold build writes a few megabytes in a row and not a thousand files, and a
// build that is killed leaves it whole. An entry is found by the digest of its key, and a key names
// everything that the value depends on: the kind of the entry and, but for formulas and records
// of builds, the program itself are added to it here. A cache never fails: what cannot be read is made again, what
// cannot be written is not kept, and a file that is damaged or has grown past the limit begins anew.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "generator/digest.hpp"

namespace primer {

class Cache {
 public:
  enum class Kind { page, index, code, figure, formula, build };
  struct Tally {
    std::size_t found = 0, missed = 0;
  };

  // `directory` is made when it is missing. Only one object for a directory in a process at a time
  // (LMDB's rule); several processes may share one.
  Cache(const std::filesystem::path& directory, const Digest& program,
        std::size_t limit = std::size_t{256} << 20);
  ~Cache();
  Cache(const Cache&) = delete;
  Cache& operator=(const Cache&) = delete;

  // Whether there was nothing in it when it was opened.
  bool was_empty() const;

  // Safe to call from several threads.
  std::optional<std::string> find(Kind kind, std::string_view key) const;
  void store(Kind kind, std::string_view key, std::string value);
  std::map<Kind, Tally> tallies() const;  // of find()

  // Writes what is stored but still in memory; the destructor does too.
  void flush();

 private:
  class File;
  Digest entry(Kind kind, std::string_view key) const;

  Digest program_;
  std::unique_ptr<File> file_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::map<Kind, Tally> tallies_;
};

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
