// The cache on disk: a directory of three files, which lies among the user's own (user_directories.hpp), never in a
// book. `entries.<n>` holds the values one after another and is only appended to; `index` says where
// each is and what its digest is, has a digest of its own, and is replaced in one step; `lock` is held while either
// is written. So a cold build writes a few megabytes in a row and not a thousand files, and a build that is killed
// leaves the index that was there. Nothing that was read is believed before its digest is right:
// whatever happened to the files, a value is found as it was stored, or not at all.
//
// An entry is found by the digest of its key, to which the kind of the entry and, but for formulas and records of
// builds, the program itself are added here. What cannot be read is made again, what cannot be written is not kept,
// and files that are damaged or have grown past the limit begin anew.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>

#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"

namespace primer {

class DiskCache final : public Cache {
 public:
  enum class Use {
    write,
    read
  };  // read: nothing on disk is touched, and what is stored is forgotten
  struct Limits {
    std::size_t bytes = std::size_t{256} << 20;
    // Before the files grow past a multiple of this, make_room is called.
    std::size_t step = std::size_t{16} << 20;
    std::function<void()> make_room = [] {};
  };

  // `directory` is made when it is missing; empty: there is no cache. Several processes may share one.
  DiskCache(const std::filesystem::path& directory, const Digest& program, Use use = Use::write);
  DiskCache(const std::filesystem::path& directory, const Digest& program, Use use, Limits limits);
  ~DiskCache() override;
  DiskCache(const DiskCache&) = delete;
  DiskCache& operator=(const DiskCache&) = delete;

  bool was_empty() const override;
  bool keeps() const;  // whether there is a place for what is stored
  std::optional<std::string> find(Kind kind, std::string_view key) const override;
  void store(Kind kind, std::string_view key, std::string value) override;
  std::map<Kind, Tally> tallies() const override;

  // Writes what is stored but still in memory; the destructor does too.
  void flush();

 private:
  class Files;
  Digest entry(Kind kind, std::string_view key) const;

  Digest program_;
  std::unique_ptr<Files> files_;
  mutable std::mutex mutex_;  // of what follows
  mutable std::map<Kind, Tally> tallies_;
};

// The cache of one book among the user's, all of which together hold at most 2 GB: those that were used
// least recently go first. Each counts as a multiple of 16 MB, so there are at most 128.
std::unique_ptr<DiskCache> open_cache(const std::filesystem::path& directory, const Digest& program,
                                      DiskCache::Use use);

// Removes caches that lie beside `directory`, the one that was used last at last, until there is room for it and
// for one more step.
void make_room_beside(const std::filesystem::path& directory, std::size_t bytes, std::size_t step);

}  // namespace primer
