#include "generator/cache.hpp"

#include <lmdb.h>
#include <sys/mman.h>

#include <atomic>
#include <fstream>
#include <map>
#include <mutex>
#include <vector>

#include "generator/pack.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t largest_map = std::size_t{1} << 30;  // address space only
constexpr std::size_t largest_batch = std::size_t{1} << 20;  // bytes kept back from the file
constexpr std::size_t mapped_around = std::size_t{1} << 16;  // by the kernel, for a look at a page
constexpr std::size_t largest_reading = std::size_t{4} << 20;  // bytes mapped at the same time
constexpr unsigned most_readers = 512;  // threads of all processes that read at one moment

MDB_val bytes_of(const Digest& digest) {
  return {sizeof digest, const_cast<Digest*>(&digest)};
}

}  // namespace

class Cache::File {
 public:
  File(const fs::path& directory, std::size_t limit) {
    std::error_code error;
    fs::create_directories(directory, error);
    const fs::path path = directory / "primer.mdb";
    if (fs::file_size(path, error) > limit && !error) remove(path);
    if (open(path)) return;
    // Damaged, or of another version.
    close();
    remove(path);
    if (!open(path)) close();
  }

  ~File() {
    flush();
    if (written_) mdb_env_sync(environment_, 1);
    close();
  }

  bool was_empty() const { return was_empty_; }

  std::optional<std::string> find(const Digest& key) {
    {
      const std::lock_guard lock(mutex_);
      const auto waiting = waiting_.find(key);
      if (waiting != waiting_.end()) return waiting->second;
    }
    MDB_txn* reading = nullptr;
    if (!environment_ || mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &reading) != 0) return {};
    std::optional<std::string> found;
    MDB_val name = bytes_of(key), value;
    if (mdb_get(reading, table_, &name, &value) == 0) {
      found.emplace(static_cast<const char*>(value.mv_data), value.mv_size);
    }
    mdb_txn_abort(reading);
    if ((read_bytes_ += mapped_around + (found ? found->size() : 0)) > largest_reading) {
      forget_what_was_read();
    }
    return found;
  }

  void store(const Digest& key, std::string value) {
    const std::lock_guard lock(mutex_);
    waiting_bytes_ += value.size();
    waiting_.insert_or_assign(key, std::move(value));
    if (waiting_bytes_ > largest_batch) write();
  }

  void flush() {
    const std::lock_guard lock(mutex_);
    write();
  }

 private:
  // What is read of the file's map, and what the kernel maps around it, counts as this process's
  // memory until it is given back. It stays in the system's cache of files.
  void forget_what_was_read() {
    read_bytes_ = 0;
    std::call_once(map_looked_for_, [this] { find_map(); });
    if (map_) madvise(map_, map_size_, MADV_DONTNEED);
  }

  // LMDB does not say where it has mapped its file; the system does.
  void find_map() {
    const char* path = nullptr;
    std::error_code error;
    if (!environment_ || mdb_env_get_path(environment_, &path) != 0) return;
    const std::string name = fs::canonical(path, error).string();
    if (error || name.empty()) return;
    std::ifstream maps("/proc/self/maps");
    for (std::string line; std::getline(maps, line);) {
      if (!line.ends_with(name)) continue;
      const auto dash = line.find('-');
      const auto from = std::stoull(line.substr(0, dash), nullptr, 16);
      map_ = reinterpret_cast<void*>(from);
      map_size_ = std::stoull(line.substr(dash + 1), nullptr, 16) - from;
    }
  }

  static void remove(const fs::path& path) {
    std::error_code error;
    fs::remove(path, error);
    fs::remove(path.string() + "-lock", error);
  }

  bool open(const fs::path& path) {
    // Without a sync for each batch; one at the end (a killed process does no harm, and the window
    // in which a power cut does is a build).
    constexpr unsigned flags = MDB_NOSUBDIR | MDB_NOTLS | MDB_NOSYNC | MDB_NORDAHEAD;
    if (mdb_env_create(&environment_) != 0) return false;
    mdb_env_set_mapsize(environment_, largest_map);
    mdb_env_set_maxreaders(environment_, most_readers);
    if (mdb_env_open(environment_, path.c_str(), flags, 0644) != 0) return false;
    int dead = 0;
    mdb_reader_check(environment_, &dead);
    MDB_stat pages;
    MDB_envinfo info;
    if (mdb_env_stat(environment_, &pages) != 0 || mdb_env_info(environment_, &info) != 0) {
      return false;
    }
    was_empty_ = pages.ms_entries == 0;
    // Reading a map beyond the end of its file ends a process.
    std::error_code error;
    if (fs::file_size(path, error) < (info.me_last_pgno + 1) * pages.ms_psize && !was_empty_) {
      return false;
    }
    MDB_txn* opening = nullptr;
    if (mdb_txn_begin(environment_, nullptr, MDB_RDONLY, &opening) != 0) return false;
    if (mdb_dbi_open(opening, nullptr, 0, &table_) != 0) {
      mdb_txn_abort(opening);
      return false;
    }
    return mdb_txn_commit(opening) == 0;
  }

  void close() {
    if (environment_) mdb_env_close(environment_);
    environment_ = nullptr;
  }

  void write() {
    MDB_txn* writing = nullptr;
    if (environment_ && !waiting_.empty() &&
        mdb_txn_begin(environment_, nullptr, 0, &writing) == 0) {
      int failed = 0;
      for (auto& [key, text] : waiting_) {
        MDB_val name = bytes_of(key), value{text.size(), text.data()};
        failed |= mdb_put(writing, table_, &name, &value, 0);
      }
      if (failed) {
        mdb_txn_abort(writing);
      } else {
        written_ |= mdb_txn_commit(writing) == 0;
      }
      forget_what_was_read();
    }
    waiting_.clear();
    waiting_bytes_ = 0;
  }

  MDB_env* environment_ = nullptr;  // null: there is no cache
  MDB_dbi table_ = 0;
  std::once_flag map_looked_for_;
  void* map_ = nullptr;  // where the file is mapped; null: not known
  std::size_t map_size_ = 0;
  bool was_empty_ = true;
  bool written_ = false;
  std::atomic<std::size_t> read_bytes_ = 0;
  std::mutex mutex_;  // of what follows
  std::map<Digest, std::string> waiting_;
  std::size_t waiting_bytes_ = 0;
};

Cache::Cache(const fs::path& directory, const Digest& program, std::size_t limit)
    : program_(program), file_(std::make_unique<File>(directory, limit)) {}
Cache::~Cache() = default;

bool Cache::was_empty() const { return file_->was_empty(); }

// A converted formula depends on its converter, which is no part of this program; a record of the
// last build is there to be compared with, whichever program made it.
Digest Cache::entry(Kind kind, std::string_view key) const {
  Packer packer;
  packer.add(static_cast<std::uint64_t>(kind));
  if (kind != Kind::formula && kind != Kind::build) packer.add(program_);
  packer.add(digest(key));
  return digest(packer.bytes);
}

std::optional<std::string> Cache::find(Kind kind, std::string_view key) const {
  auto found = file_->find(entry(kind, key));
  const std::lock_guard lock(mutex_);
  ++(found ? tallies_[kind].found : tallies_[kind].missed);
  return found;
}

void Cache::store(Kind kind, std::string_view key, std::string value) {
  file_->store(entry(kind, key), std::move(value));
}

std::map<Cache::Kind, Cache::Tally> Cache::tallies() const {
  const std::lock_guard lock(mutex_);
  return tallies_;
}

void Cache::flush() { file_->flush(); }

}  // namespace primer
