#include "generator/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <vector>

#include "generator/file_system.hpp"
#include "generator/pack.hpp"
#include "generator/parallel.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

// Held until the process ends or the object goes; a killed process leaves it free.
class Lock {
 public:
  explicit Lock(const fs::path& path)
      : file_(open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644)) {
    if (file_ >= 0 && flock(file_, LOCK_EX) != 0) release();
  }
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return file_ >= 0; }

 private:
  void release() {
    if (file_ >= 0) close(file_);
    file_ = -1;
  }
  int file_;
};

// n of "site.<n>"; 0 for any other name.
int tree_number(const std::string& name, const std::string& base) {
  if (!name.starts_with(base + '.')) return 0;
  const std::string digits = name.substr(base.size() + 1);
  const bool number = !digits.empty() && digits.size() < 9 &&
                      digits.find_first_not_of("0123456789") == digits.npos;
  return number ? std::stoi(digits) : 0;
}

// Removes what killed builds left; of the trees that are not current the newest stays, to be made the
// next one of. Its name, or "".
std::string keep_spare(const fs::path& parent, const std::string& base,
                       const std::string& current) {
  std::string spare;
  std::vector<std::string> stale;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(parent, error)) {
    std::string name = entry.path().filename().string();
    if (name == base + ".link") stale.push_back(name);
    if (tree_number(name, base) == 0 || name == current) continue;
    if (tree_number(name, base) > tree_number(spare, base)) name.swap(spare);
    if (!name.empty()) stale.push_back(std::move(name));
  }
  for (const auto& name : stale) fs::remove_all(parent / name, error);
  return spare;
}

// What lies below a tree, by paths in it.
struct Entries {
  std::set<std::string> files, directories;
  std::set<std::string> strange;  // links, pipes

  Entries() = default;
  explicit Entries(const fs::path& tree) {
    std::error_code error;
    const std::size_t root = (tree / "").native().size();
    const fs::recursive_directory_iterator end;
    for (fs::recursive_directory_iterator at(tree, error); !error && at != end; at.increment(error)) {
      const bool link = at->is_symlink(error);
      auto& kind = !link && at->is_regular_file(error) ? files
                   : !link && at->is_directory(error)  ? directories
                                                       : strange;
      kind.insert(at->path().native().substr(root));
    }
  }
};

// The directories that paths stand in, "a/b" and "a" for "a/b/c".
template <class Files>
std::set<std::string> directories_of(const Files& files) {
  std::set<std::string> directories;
  for (const auto& [path, bytes] : files) {
    for (auto end = path.rfind('/'); end != path.npos && end > 0; end = path.rfind('/', end - 1)) {
      if (!directories.insert(path.substr(0, end)).second) break;
    }
  }
  return directories;
}

// An open directory; -1: none.
class Directory {
 public:
  Directory() = default;
  explicit Directory(const fs::path& path)
      : file_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~Directory() {
    if (file_ >= 0) close(file_);
  }
  Directory(Directory&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Directory& operator=(Directory&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const { return file_; }

 private:
  int file_ = -1;
};

// A change of a file or of a directory's entries, and another one in its place, differ in this.
// `absent` when something is missing.
Digest stamp_of(const fs::path& tree, const std::map<std::string, Digest>& files) {
  const Directory directory(tree);
  auto paths = directories_of(files);
  for (const auto& [path, bytes] : files) paths.insert(path);
  paths.insert(".");
  Packer packer;
  for (const auto& path : paths) {
    struct stat status {};
    if (fstatat(directory.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return absent;
    packer.add(std::uint64_t{status.st_dev});
    packer.add(std::uint64_t{status.st_ino});
    packer.add(static_cast<std::uint64_t>(status.st_size));
    packer.add(static_cast<std::uint64_t>(status.st_ctim.tv_sec));
    packer.add(static_cast<std::uint64_t>(status.st_ctim.tv_nsec));
  }
  return digest(packer.bytes);
}

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return true;
}

}  // namespace

class SiteWriter::Tree {
 public:
  explicit Tree(const std::string& out)
      : link_(fs::absolute(out).lexically_normal()),
        parent_(link_.parent_path()),
        base_(link_.filename().string()) {}

  ~Tree() {
    std::error_code error;
    if (!next_.empty()) fs::remove_all(parent_ / next_, error);
  }

  void add(const std::string& path, const std::string& bytes) {
    std::call_once(begun_, [&] { begin(); });
    if (failed_) return;
    const bool same = old_.files.contains(path) && old_bytes_->read(path) == bytes;
    if (!place(path, bytes, same)) fail("cannot write " + (parent_ / next_ / path).string());
    const Digest found = digest(bytes);
    const std::lock_guard lock(mutex_);
    files_.emplace(path, found);
    if (!same) ++changed_;
  }

  Result<Written> finish() {
    std::call_once(begun_, [&] { begin(); });
    if (failed_) return Error{*error_};
    for (const auto* gone : {&old_.files, &old_.strange}) {
      for (const auto& path : *gone) changed_ += files_.contains(path) ? 0 : 1;
    }
    clear_out();
    const bool replaces = changed_ > 0 || current_.empty();
    if (replaces) {
      std::error_code error;
      const fs::path new_link = parent_ / (base_ + ".link");
      fs::create_directory_symlink(next_, new_link, error);
      if (!error) fs::rename(new_link, link_, error);
      if (error) return Error{"cannot replace " + link_.string() + ": " + error.message()};
    }
    const std::string made = std::exchange(next_, {});  // else the next tree will be made of it
    return written(replaces ? made : current_);
  }

 private:
  void fail(std::string message) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = std::move(message);
    failed_ = true;
  }

  Result<Written> written(const std::string& name) {
    const Digest stamp = stamp_of(parent_ / name, files_);
    return Written{files_.size(), changed_, {name, std::move(files_), stamp}};
  }

  // Finds the trees and makes the next one's directory.
  void begin() {
    std::error_code error;
    fs::create_directories(parent_, error);
    lock_.emplace(parent_ / (base_ + ".lock"));
    if (!lock_->held()) return fail("cannot lock " + (parent_ / (base_ + ".lock")).string());
    if (fs::is_symlink(link_, error)) current_ = fs::read_symlink(link_, error).string();
    const bool ours = current_.empty() ? !fs::exists(fs::symlink_status(link_, error))
                                       : tree_number(current_, base_) > 0;
    if (!ours) return fail(link_.string() + " is there and no site that primer built: remove it");
    const std::string spare = keep_spare(parent_, base_, current_);
    next_ = base_ + '.' + std::to_string(tree_number(current_, base_) + 1);
    if (!spare.empty() && spare != next_) fs::rename(parent_ / spare, parent_ / next_, error);
    fs::create_directory(parent_ / next_, error);
    there_ = Entries(parent_ / next_);
    for (const auto& path : there_.strange) fs::remove_all(parent_ / next_ / path, error);
    new_tree_ = Directory(parent_ / next_);
    if (current_.empty()) return;
    old_ = Entries(parent_ / current_);
    old_bytes_ = disk((parent_ / current_).string());
    old_tree_ = Directory(parent_ / current_);
  }

  // Puts one file into the tree: a link to the old tree's where that has the right bytes. What stands
  // there may be a link to an older file, so it is never written into.
  bool place(const std::string& path, const std::string& bytes, bool same) const {
    std::error_code error;
    if (there_.files.contains(path)) {
      if (same && fs::equivalent(parent_ / current_ / path, parent_ / next_ / path, error)) return true;
      unlinkat(new_tree_.get(), path.c_str(), 0);
    } else if (there_.directories.contains(path)) {
      fs::remove_all(parent_ / next_ / path, error);
    }
    return with_directories(path, [&] {
      const bool linked = same && linkat(old_tree_.get(), path.c_str(), new_tree_.get(),
                                         path.c_str(), 0) == 0;
      return linked || write(path, bytes);
    });
  }

  bool write(const std::string& path, const std::string& bytes) const {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const int file = openat(new_tree_.get(), path.c_str(), flags, 0666);
    if (file < 0) return false;
    const bool whole = write_all(file, bytes);
    return close(file) == 0 && whole;
  }

  // Makes a file, once more with its directories if they were missing.
  template <class Make>
  bool with_directories(const std::string& path, const Make& make) const {
    if (make()) return true;
    for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      const std::string directory = path.substr(0, end);
      if (there_.files.contains(directory)) unlinkat(new_tree_.get(), directory.c_str(), 0);
      mkdirat(new_tree_.get(), directory.c_str(), 0777);
    }
    return make();
  }

  // Takes out of the tree what is no file, or no directory, of the new site.
  void clear_out() const {
    std::error_code error;
    for (const auto& path : there_.files) {
      if (!files_.contains(path)) unlinkat(new_tree_.get(), path.c_str(), 0);
    }
    const auto wanted = directories_of(files_);
    for (const auto& path : there_.directories) {
      if (!wanted.contains(path) && !files_.contains(path)) fs::remove_all(parent_ / next_ / path, error);
    }
  }

  const fs::path link_, parent_;
  const std::string base_;
  std::once_flag begun_;
  // Made by begin():
  std::optional<Lock> lock_;
  std::string current_, next_;  // "site.6", "site.7"; a name of a tree that is not there is empty
  Entries old_, there_;         // of the current tree; of what the next one is made of
  std::unique_ptr<FileSystem> old_bytes_;
  Directory old_tree_, new_tree_;

  std::mutex mutex_;  // of what follows
  std::map<std::string, Digest> files_;
  std::size_t changed_ = 0;
  std::optional<std::string> error_;
  std::atomic<bool> failed_ = false;
};

SiteWriter::SiteWriter(const std::string& out) : tree_(std::make_unique<Tree>(out)) {}
SiteWriter::~SiteWriter() = default;

void SiteWriter::add(const std::string& path, const std::string& bytes) { tree_->add(path, bytes); }

Result<Written> SiteWriter::finish() { return tree_->finish(); }

bool is_as_written(const std::string& out, const WrittenTree& tree, int threads) {
  const fs::path link = fs::absolute(out).lexically_normal();
  std::error_code error;
  if (fs::read_symlink(link, error) != tree.name || error) return false;
  if (tree.stamp != absent && stamp_of(link.parent_path() / tree.name, tree.files) == tree.stamp) {
    return true;
  }
  const auto files = disk((link.parent_path() / tree.name).string());
  if (files->list(".").size() != tree.files.size()) return false;
  std::vector<const std::pair<const std::string, Digest>*> written;
  for (const auto& file : tree.files) written.push_back(&file);
  std::atomic<bool> all_so = true;
  for_each_index(written.size(), threads, [&](std::size_t i) {
    if (!all_so) return;
    const auto bytes = files->read(written[i]->first);
    if (!bytes || digest(*bytes) != written[i]->second) all_so = false;
  });
  return all_so;
}

}  // namespace primer
