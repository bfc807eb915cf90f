// The cache on disk: one directory per book, outside the book (user_directories.hpp).
//
//   index         header | n | (key, offset, size, digest)... | digest of all of it
//   entries.<n>   [value][value][value]...     append-only
//   lock          held while either file is written; its mtime is the last use
//
// A cold build writes a few megabytes in sequence instead of a thousand small files. flush()
// renames a new index over the old one, so a build that is killed leaves the previous index valid.
// find() returns a value only if its digest matches. Keys include the kind of entry and, except for
// formulas and build records, the identity of the program.
//
// A cache never fails: what it cannot read is computed again, and what it cannot write is not
// cached. Damage, or growth past 256 MiB, starts an empty cache; if more than half of the values
// are no longer in the index, the others are copied to another file. Several processes may share a
// directory. A process that starts over picks a random n, so the others go on reading the old file.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "generator/core/base/cache.hpp"
#include "generator/core/base/digest.hpp"

namespace primer {

// Identity of this program, because cached values depend on the code that computed them. It covers
// the build ids of the program and of every library it runs with, which the linker derives from
// their content (--build-id).
Digest program_identity();

class DiskCache final : public Cache {
 public:
  // read: nothing on disk changes, and stored values are lost with this object.
  enum class Use { write, read };
  struct Limits {
    std::size_t bytes = std::size_t{256} << 20;
    // Called before the files grow past a multiple of `step`.
    std::size_t step = std::size_t{16} << 20;
    std::function<void()> make_room = [] {};
  };

  // Makes the directory if it is missing. Empty: no cache. Several processes may share it.
  DiskCache(const std::filesystem::path& directory, const Digest& program, Use use = Use::write);
  DiskCache(const std::filesystem::path& directory, const Digest& program, Use use, Limits limits);
  ~DiskCache() override;
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  bool was_empty() const override;
  std::optional<std::string> find(Kind kind, std::string_view key) const override;
  void store(Kind kind, std::string_view key, std::string value) override;
  std::map<Kind, Tally> tallies() const override;

  // Writes stored values that are still in memory. The destructor does that too.
  void flush();

 private:
  class Files;
  Digest entry(Kind kind, std::string_view key) const;

  Digest program_;
  std::unique_ptr<Files> files_;
  mutable std::mutex mutex_;  // protects tallies_
  mutable std::map<Kind, Tally> tallies_;
};

// Opens the cache of one book. All caches of a user together take at most 2 GB; the least recently
// used are removed first. Each counts as a multiple of 16 MB, so there are at most 128.
std::unique_ptr<DiskCache> open_cache(const std::filesystem::path& directory, const Digest& program,
                                      DiskCache::Use use);

// Removes caches next to `directory`, the least recently used first, until `bytes` are enough for
// all of them and one more step.
void make_room_beside(const std::filesystem::path& directory, std::size_t bytes, std::size_t step);

}  // namespace primer
