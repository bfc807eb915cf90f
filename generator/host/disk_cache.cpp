#include "generator/host/disk_cache.hpp"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "generator/core/base/pack.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace {
constexpr std::size_t padded(std::size_t size) { return (size + 3) & ~std::size_t{3}; }

// The build id in the notes of an ELF object, or "" if it has none.
std::string build_id(const dl_phdr_info& object) {
  for (int i = 0; i < object.dlpi_phnum; ++i) {
    const auto& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);
    const char* end = at + segment.p_memsz;
    while (at + sizeof(ElfW(Nhdr)) <= end) {
      const auto& note = *reinterpret_cast<const ElfW(Nhdr)*>(at);
      const char* name = at + sizeof note;
      const char* content = name + padded(note.n_namesz);
      if (note.n_type == NT_GNU_BUILD_ID &&
          std::string_view(name, note.n_namesz) == std::string_view("GNU\0", 4)) {
        return {content, note.n_descsz};
      }
      at = content + padded(note.n_descsz);
    }
  }
  return {};
}

// Stands in for a missing build id: path, modification time and size of the file.
std::string file_stamp(const char* name) {
  namespace fs = std::filesystem;
  const fs::path path = *name ? fs::path(name) : fs::path("/proc/self/exe");
  std::error_code error;
  const auto time = fs::last_write_time(path, error).time_since_epoch().count();
  const auto size = fs::file_size(path, error);
  return path.string() + ' ' + std::to_string(time) + ' ' + std::to_string(size);
}

int add_object(dl_phdr_info* object, std::size_t, void* all) {
  const std::string id = build_id(*object);
  const bool kernel = std::string_view(object->dlpi_name).starts_with("linux-vdso");
  if (!kernel)
    *static_cast<std::string*>(all) += (id.empty() ? file_stamp(object->dlpi_name) : id) + '\n';
  return 0;
}

}  // namespace

Digest program_identity() {
  std::string all;
  dl_iterate_phdr(add_object, &all);
  return digest(all);
}

namespace fs = std::filesystem;

namespace {
// Bytes in memory before they are written.
constexpr std::size_t largest_batch = std::size_t{1} << 20;
constexpr std::size_t largest_index = std::size_t{64} << 20;
constexpr std::size_t largest_of_all = std::size_t{2} << 30;
constexpr std::size_t least_waste = std::size_t{32} << 20;  // unused bytes before they are removed
constexpr std::string_view begin_of_index = "primer cache, 1\n";
constexpr const char *index_name = "index", *new_index_name = "index.new", *lock_name = "lock";
constexpr std::string_view values_name = "entries.";

// One value in the file of values, as the index stores it.
struct Entry {
  Digest key;
  std::uint64_t offset = 0, size = 0;  // bytes
  Digest content;                      // digest of the value
};
static_assert(sizeof(Entry) == 48);

// Content of the file `index`.
struct IndexFile {
  std::uint64_t number = 0;    // n in the name of the file of values
  std::vector<Entry> entries;  // sorted by key

  std::string bytes() const {
    std::string all(begin_of_index);
    const auto add = [&](const void* from, std::size_t size) {
      all.append(static_cast<const char*>(from), size);
    };
    all.reserve(all.size() + 8 + entries.size() * sizeof(Entry) + sizeof(Digest));
    add(&number, sizeof number);
    add(entries.data(), entries.size() * sizeof(Entry));
    const Digest whole = digest(all);
    add(&whole, sizeof whole);
    return all;
  }

  static std::optional<IndexFile> parse(std::string_view bytes) {
    constexpr std::size_t head = begin_of_index.size() + sizeof number;
    if (!bytes.starts_with(begin_of_index) || bytes.size() < head + sizeof(Digest))
      return std::nullopt;
    const std::size_t size = bytes.size() - head - sizeof(Digest);
    Digest whole;
    std::memcpy(&whole, bytes.data() + head + size, sizeof whole);
    if (size % sizeof(Entry) != 0 || digest(bytes.substr(0, head + size)) != whole)
      return std::nullopt;
    IndexFile index;
    std::memcpy(&index.number, bytes.data() + begin_of_index.size(), sizeof number);
    index.entries.resize(size / sizeof(Entry));
    if (size > 0) std::memcpy(index.entries.data(), bytes.data() + head, size);
    return index;
  }

  const Entry* find(const Digest& key) const {
    const auto at = std::ranges::lower_bound(entries, key, {}, &Entry::key);
    return at == entries.end() || at->key != key ? nullptr : &*at;
  }

  void merge(const std::map<Digest, Entry>& others) {
    std::vector<Entry> all;
    all.reserve(entries.size() + others.size());
    auto other = others.begin();
    for (const Entry& own : entries) {
      for (; other != others.end() && other->first < own.key; ++other) all.push_back(other->second);
      if (other != others.end() && other->first == own.key) continue;
      all.push_back(own);
    }
    for (; other != others.end(); ++other) all.push_back(other->second);
    entries = std::move(all);
  }

  std::size_t bytes_in_use() const {
    std::size_t sum = 0;
    for (const auto& entry : entries) sum += entry.size;
    return sum;
  }
};

std::string values_file(std::uint64_t number) {
  return std::string(values_name) + std::to_string(number);
}

// The open file of values. Shared by readers, so that replacing it does not disturb them.
class Values {
 public:
  explicit Values(int file) : file_(file) {}
  ~Values() { close(file_); }
  Values(const Values&) = delete;
  Values& operator=(const Values&) = delete;

  std::size_t size() const {
    struct stat status{};
    return fstat(file_, &status) == 0 ? static_cast<std::size_t>(status.st_size) : 0;
  }

  std::optional<std::string> read(const Entry& entry) const {
    // Do not allocate memory for more than the file can hold.
    if (entry.size > largest_of_all || entry.offset + entry.size > size()) return std::nullopt;
    std::string value(entry.size, '\0');
    std::size_t done = 0;
    while (done < value.size()) {
      const auto place = static_cast<off_t>(entry.offset + done);
      const ssize_t count = pread(file_, value.data() + done, value.size() - done, place);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      done += static_cast<std::size_t>(count);
    }
    if (digest(value) != entry.content) return std::nullopt;
    return value;
  }

  bool append(std::string_view bytes) const {
    return lseek(file_, 0, SEEK_END) >= 0 && !write_all(file_, bytes);
  }

 private:
  int file_;
};

// Opens the file of values with this number. Null unless it is a regular file of this user.
std::shared_ptr<Values> open_values(const Directory& directory, std::uint64_t number, int flags) {
  const int file = directory.open(values_file(number), flags | O_NONBLOCK, 0600);
  if (file < 0) return nullptr;
  struct stat status{};
  auto values = std::make_shared<Values>(file);
  const bool own = fstat(file, &status) == 0 && S_ISREG(status.st_mode) &&
                   status.st_uid == geteuid() && status.st_nlink == 1;
  return own ? values : nullptr;
}

// Opens the directory, and makes it if `makes`. None if it belongs to another user.
Directory open_directory(const fs::path& path, bool makes) {
  std::error_code ignored;
  if (path.empty()) return {};
  if (makes && !fs::exists(path, ignored)) {
    fs::create_directories(path.parent_path(), ignored);
    mkdir(path.c_str(), 0700);
  }
  const Directory above(path.parent_path());
  Directory found = above.get() < 0 ? Directory() : above.below(path.filename().string());
  struct stat status{};
  const bool own =
      found.get() >= 0 && fstat(found.get(), &status) == 0 && status.st_uid == geteuid();
  return own ? std::move(found) : Directory();
}

}  // namespace

class DiskCache::Files {
 public:
  Files(const fs::path& path, Use use, Limits limits)
      : limits_(std::move(limits)),
        writes_(use == Use::write),
        directory_(open_directory(path, writes_)) {
    if (directory_.get() < 0) return;
    load();
    if (values_ && writes_ && values_->size() > limits_.bytes) forget();
    was_empty_ = index_.entries.empty();
    // Records the last use.
    if (writes_) utimensat(directory_.get(), lock_name, nullptr, AT_SYMLINK_NOFOLLOW);
  }

  ~Files() { flush(); }

  bool was_empty() const { return was_empty_; }
  bool keeps() const { return writes_ && directory_.get() >= 0; }

  std::optional<std::string> find(const Digest& key) {
    Entry entry;
    std::shared_ptr<Values> values;
    {
      const std::lock_guard guard(mutex_);
      const auto waiting = waiting_.find(key);
      if (waiting != waiting_.end()) return waiting->second;
      const auto fresh = fresh_.find(key);
      const Entry* known = fresh == fresh_.end() ? index_.find(key) : &fresh->second;
      if (!known || !values_) return std::nullopt;
      entry = *known;
      values = values_;
    }
    return values->read(entry);
  }

  void store(const Digest& key, std::string value) {
    const std::lock_guard guard(mutex_);
    waiting_bytes_ += value.size();
    waiting_.insert_or_assign(key, std::move(value));
    if (waiting_bytes_ <= largest_batch) return;
    if (keeps()) {
      if (const Lock lock(directory_, lock_name); lock.held()) write();
    }
    forget_waiting();
  }

  void flush() {
    const std::lock_guard guard(mutex_);
    if (keeps() && waiting_.size() + fresh_.size() > 0) {
      if (const Lock lock(directory_, lock_name); lock.held()) {
        write();
        write_index();
      }
    }
    forget_waiting();
  }

 private:
  void forget_waiting() {
    waiting_.clear();
    waiting_bytes_ = 0;
  }

  void forget() {
    values_.reset();
    index_ = {};
    fresh_.clear();
  }

  // Loads the index and opens its file of values. Starts empty if either is unusable.
  void load() {
    forget();
    const auto bytes = directory_.read(index_name, largest_index);
    auto index = bytes ? IndexFile::parse(*bytes) : std::nullopt;
    if (!index) return;
    values_ = open_values(directory_, index->number, writes_ ? O_RDWR : O_RDONLY);
    if (values_) index_ = std::move(*index);
  }

  // The functions below need the lock.

  // Appends waiting values. If another process has started another file, appends to that.
  void write() {
    if (waiting_.empty()) return;
    std::string all;
    all.reserve(waiting_bytes_);
    for (const auto& [key, value] : waiting_) all += value;
    if (!is_current()) load();
    if (!values_) begin();
    const std::size_t size = values_ ? values_->size() : 0;
    if (size / limits_.step != (size + all.size()) / limits_.step) limits_.make_room();
    if (size > 0 && size + all.size() > limits_.bytes) begin();
    if (!values_) return;
    std::size_t offset = values_->size();
    if (!values_->append(all)) return;
    for (const auto& [key, value] : waiting_) {
      fresh_.insert_or_assign(key, Entry{key, offset, value.size(), digest(value)});
      offset += value.size();
    }
  }

  bool is_current() const {
    struct stat status{};
    return values_ && fstatat(directory_.get(), values_file(index_.number).c_str(), &status,
                              AT_SYMLINK_NOFOLLOW) == 0;
  }

  // Starts an empty file of values under a random number, which no other process has open.
  void begin() {
    if (clear_out() == 0) limits_.make_room();
    forget();
    getrandom(&index_.number, sizeof index_.number, 0);
    values_ = open_values(directory_, index_.number, O_RDWR | O_CREAT | O_EXCL);
  }

  // Removes our files and returns how many.
  std::size_t clear_out() const {
    return static_cast<std::size_t>(
        std::ranges::count_if(directory_.names(), [&](const auto& name) {
          const bool is_ours =
              name == index_name || name == new_index_name || name.starts_with(values_name);
          return is_ours && !directory_.remove_all(name);
        }));
  }

  // Writes the index, merged with what other processes have added since.
  void write_index() {
    if (fresh_.empty()) return;
    if (!is_current()) return load();
    auto fresh = std::exchange(fresh_, {});
    const auto values = values_;
    const std::uint64_t number = index_.number;
    const auto bytes = directory_.read(index_name, largest_index);
    if (auto now = bytes ? IndexFile::parse(*bytes) : std::nullopt; now && now->number == number) {
      index_ = std::move(*now);
    }
    index_.merge(fresh);
    const std::size_t size = values->size(), used = index_.bytes_in_use();
    if (size > used + std::max(used, least_waste)) copy_what_is_used();
    static_cast<void>(directory_.remove(new_index_name));
    if (!directory_.write(new_index_name, index_.bytes(), 0600)) {
      static_cast<void>(directory_.move(new_index_name, directory_, index_name));
    }
  }

  // Copies the used values to another file. Processes that have the old one open still read it.
  void copy_what_is_used() {
    const IndexFile old = std::move(index_);
    const auto values = values_;
    clear_out();
    begin();
    if (!values_) return;
    std::size_t offset = 0;
    for (Entry entry : old.entries) {
      const auto value = values->read(entry);
      if (!value || !values_->append(*value)) continue;
      entry.offset = offset;
      offset += value->size();
      index_.entries.push_back(entry);
    }
  }

  const Limits limits_;
  const bool writes_;
  const Directory directory_;  // none: no cache
  bool was_empty_ = true;
  std::mutex mutex_;  // protects the members below
  IndexFile index_;
  std::shared_ptr<Values> values_;         // the file with the index's number
  std::map<Digest, Entry> fresh_;          // in the file of values but not yet in the index
  std::map<Digest, std::string> waiting_;  // not in a file yet; flush() or a full batch writes it
  std::size_t waiting_bytes_ = 0;
};

DiskCache::DiskCache(const fs::path& directory, const Digest& program, Use use)
    : DiskCache(directory, program, use, Limits{}) {}
DiskCache::DiskCache(const fs::path& directory, const Digest& program, Use use, Limits limits)
    : program_(program), files_(std::make_unique<Files>(directory, use, std::move(limits))) {}
DiskCache::~DiskCache() = default;

bool DiskCache::was_empty() const { return files_->was_empty(); }

// Formulas depend on their converter, which is not part of this program. A build record must be
// found by the next build, even if another version of the program wrote it.
Digest DiskCache::entry(Kind kind, std::string_view key) const {
  const bool is_of_program = kind != Kind::formula && kind != Kind::build;
  return digest(pack(kind, is_of_program ? program_ : absent, digest(key)));
}

std::optional<std::string> DiskCache::find(Kind kind, std::string_view key) const {
  auto found = files_->find(entry(kind, key));
  const std::lock_guard lock(mutex_);
  ++(found ? tallies_[kind].found : tallies_[kind].missed);
  return found;
}

void DiskCache::store(Kind kind, std::string_view key, std::string value) {
  files_->store(entry(kind, key), std::move(value));
}

std::map<Cache::Kind, Cache::Tally> DiskCache::tallies() const {
  const std::lock_guard lock(mutex_);
  return tallies_;
}

void DiskCache::flush() { files_->flush(); }

std::unique_ptr<DiskCache> open_cache(const fs::path& directory, const Digest& program,
                                      DiskCache::Use use) {
  DiskCache::Limits limits;
  limits.make_room = [directory, step = limits.step] {
    make_room_beside(directory, largest_of_all, step);
  };
  return std::make_unique<DiskCache>(directory, program, use, std::move(limits));
}

void make_room_beside(const fs::path& directory, std::size_t bytes, std::size_t step) {
  struct Book {
    std::string name;
    std::size_t size = 0;
    timespec used{};
  };
  const auto rounded = [&](std::size_t size) { return (size / step + 1) * step; };
  const Directory all(directory.parent_path());
  if (all.get() < 0) return;
  std::vector<Book> others;
  std::size_t sum = 0;
  for (const auto& name : all.names()) {
    const Directory one = all.below(name);
    const auto is_digit = [](char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); };
    if (one.get() < 0 || name.size() != 32 || !std::ranges::all_of(name, is_digit)) continue;
    Book book{name, 0, {}};
    bool is_cache = false;
    for (const auto& file : one.names()) {
      struct stat status{};
      is_cache = is_cache || file == lock_name;
      if (fstatat(one.get(), file.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
      book.size += static_cast<std::size_t>(status.st_size);
      if (file == lock_name) book.used = status.st_mtim;
    }
    if (!is_cache) continue;  // not a cache, whatever its name
    const bool is_own = name == directory.filename();
    sum += rounded(book.size) + (is_own ? step : 0);
    if (!is_own) others.push_back(std::move(book));
  }
  std::ranges::sort(
      others, {}, [](const Book& book) { return std::pair(book.used.tv_sec, book.used.tv_nsec); });
  for (const Book& book : others) {
    if (sum <= bytes) return;
    if (!all.remove_all(book.name)) sum -= rounded(book.size);
  }
}

}  // namespace primer
