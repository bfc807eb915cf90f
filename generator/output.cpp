#include "generator/output.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <filesystem>
#include <mutex>
#include <optional>

#include "generator/directory.hpp"
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
    if (name == base + ".link" || name == base + ".file") stale.push_back(name);
    if (tree_number(name, base) == 0 || name == current) continue;
    if (tree_number(name, base) > tree_number(spare, base)) name.swap(spare);
    if (!name.empty()) stale.push_back(std::move(name));
  }
  for (const auto& name : stale) fs::remove_all(parent / name, error);
  return spare;
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
  Tree(const std::string& out, std::vector<WrittenTree> left, int threads)
      : link_(fs::absolute(out).lexically_normal()),
        parent_(link_.parent_path()),
        base_(link_.filename().string()),
        left_(std::move(left)),
        threads_(threads) {}

  ~Tree() {
    std::error_code error;
    if (is_making_ && !finished_) fs::remove_all(parent_ / spare_, error);
  }

  void look() {
    std::call_once(begun_, [&] { begin(); });
  }

  bool keep(const std::string& path) {
    look();
    if (left_.empty()) return false;
    const auto file = left_.front().files.find(path);
    if (file == left_.front().files.end() || !has(old_, path, file->second)) return false;
    const std::lock_guard lock(mutex_);
    files_.insert(*file);
    return true;
  }

  void add(const std::string& path, const std::string& bytes) {
    look();
    if (failed_) return;
    const Digest found = digest(bytes);
    bool is_first = false;
    {
      const std::lock_guard lock(mutex_);
      files_.emplace(path, found);
      if (has(old_, path, found)) return;
      is_first = changed_++ == 0;
      if (is_first) first_ = {path, bytes};
    }
    if (is_first) return;
    std::call_once(making_, [&] { make_next(); });
    put(path, bytes, found);
  }

  Result<Written> finish() {
    look();
    std::size_t removed = 0;
    for (const auto& [path, bytes] : old_.files) removed += files_.contains(path) ? 0 : 1;
    for (const auto& path : old_.strange) removed += files_.contains(path) ? 0 : 1;
    const bool is_new = current_.empty();
    if (changed_ == 1 && removed == 0 && old_.files.contains(first_.first) && old_.is_plain()) {
      replace_one();
    } else if (is_new || removed + changed_ > 0) {
      std::call_once(making_, [&] { make_next(); });
      complete_next();
      if (!failed_) switch_trees();
    }
    if (failed_) return Error{*error_};
    finished_ = true;
    return Written{files_.size(), removed + changed_};
  }

  std::vector<WrittenTree> trees() const {
    std::vector<WrittenTree> trees;
    for (const auto& [name, content] : {std::pair(&current_, &old_), std::pair(&spare_, &there_)}) {
      if (!finished_ || name->empty() || !content->is_plain()) continue;
      trees.push_back({*name, content->files, stamp_of(parent_ / *name, content->files, threads_)});
    }
    return trees;
  }

 private:
  static bool has(const TreeContent& tree, const std::string& path, const Digest& bytes) {
    const auto file = tree.files.find(path);
    return file != tree.files.end() && file->second == bytes;
  }

  void fail(std::string message) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = std::move(message);
    failed_ = true;
  }

  void begin() {
    std::error_code error;
    fs::create_directories(parent_, error);
    lock_.emplace(parent_ / (base_ + ".lock"));
    if (!lock_->held()) return fail("cannot lock " + (parent_ / (base_ + ".lock")).string());
    if (fs::is_symlink(link_, error)) current_ = fs::read_symlink(link_, error).string();
    const bool ours = current_.empty() ? !fs::exists(fs::symlink_status(link_, error))
                                       : tree_number(current_, base_) > 0;
    if (!ours) return fail(link_.string() + " is there and no site that primer built: remove it");
    spare_ = keep_spare(parent_, base_, current_);
    if (!spare_.empty()) there_ = look_at(spare_);
    if (current_.empty()) return;
    old_ = look_at(current_);
    old_tree_ = Directory(parent_ / current_);
  }

  TreeContent look_at(const std::string& name) const {
    const auto left = std::ranges::find(left_, name, &WrittenTree::name);
    return content_of(parent_ / name, left == left_.end() ? nullptr : &*left, threads_);
  }

  // Over the old file, in one step. The spare tree stays as it is, and behind.
  void replace_one() {
    const auto& [path, bytes] = first_;
    const fs::path made = parent_ / (base_ + ".file");
    std::error_code error;
    fs::remove(made, error);
    const Directory beside(parent_);
    if (!write(beside, made.filename(), bytes) ||
        renameat(beside.get(), made.filename().c_str(), old_tree_.get(), path.c_str()) != 0) {
      return fail("cannot write " + (parent_ / current_ / path).string());
    }
    old_.files.at(path) = files_.at(path);
  }

  // From here on there is a second file that differs, so that only a tree can take the place of a tree.
  void make_next() {
    is_making_ = true;
    std::error_code error;
    std::string next = base_ + '.' + std::to_string(tree_number(current_, base_) + 1);
    if (!spare_.empty() && spare_ != next) {
      fs::rename(parent_ / spare_, parent_ / next, error);
      if (error) there_ = {};
    }
    spare_ = std::move(next);
    fs::create_directory(parent_ / spare_, error);
    for (const auto& path : there_.strange) fs::remove_all(parent_ / spare_ / path, error);
    new_tree_ = Directory(parent_ / spare_);
    if (!first_.first.empty()) put(first_.first, first_.second, digest(first_.second));
  }

  // All files that are the old ones, and nothing else than files of the site.
  void complete_next() {
    std::vector<std::string> same;
    for (const auto& [path, bytes] : files_) {
      if (has(old_, path, bytes) && !has(there_, path, bytes)) same.push_back(path);
    }
    for_each_index(same.size(), threads_, [&](std::size_t i) {
      const char* path = same[i].c_str();
      const auto link = [&] { return linkat(old_tree_.get(), path, new_tree_.get(), path, 0) == 0; };
      const auto copy = [&] {  // where there are no links
        std::error_code error;
        return fs::copy_file(parent_ / current_ / path, parent_ / spare_ / path, error);
      };
      if (!place(path, link) && !place(path, copy)) fail("cannot write " + (parent_ / spare_ / path).string());
    });
    clear_out();
    there_ = {files_, directories_of(files_), {}};
  }

  void switch_trees() {
    std::error_code error;
    const fs::path new_link = parent_ / (base_ + ".link");
    fs::create_directory_symlink(spare_, new_link, error);
    if (!error) fs::rename(new_link, link_, error);
    if (error) return fail("cannot replace " + link_.string() + ": " + error.message());
    std::swap(current_, spare_);
    std::swap(old_, there_);
  }

  void put(const std::string& path, const std::string& bytes, const Digest& found) {
    if (has(there_, path, found)) return;
    const auto write = [&] { return this->write(new_tree_, path, bytes); };
    if (!place(path, write)) fail("cannot write " + (parent_ / spare_ / path).string());
  }

  // Makes a file of the next tree. What stands there may be a link to an older file, so it is never
  // written into.
  template <class Make>
  bool place(const std::string& path, const Make& make) const {
    std::error_code error;
    if (there_.files.contains(path)) {
      unlinkat(new_tree_.get(), path.c_str(), 0);
    } else if (there_.directories.contains(path)) {
      fs::remove_all(parent_ / spare_ / path, error);
    }
    return with_directories(path, make);
  }

  static bool write(const Directory& directory, const std::string& path, const std::string& bytes) {
    constexpr int flags = O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC;
    const int file = openat(directory.get(), path.c_str(), flags, 0666);
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
    for (const auto& [path, bytes] : there_.files) {
      if (!files_.contains(path)) unlinkat(new_tree_.get(), path.c_str(), 0);
    }
    const auto wanted = directories_of(files_);
    for (const auto& path : there_.directories) {
      if (!wanted.contains(path) && !files_.contains(path)) fs::remove_all(parent_ / spare_ / path, error);
    }
  }

  const fs::path link_, parent_;
  const std::string base_;
  const std::vector<WrittenTree> left_;
  const int threads_;
  std::once_flag begun_, making_;
  // Made by begin():
  std::optional<Lock> lock_;
  std::string current_, spare_;  // "site.6", "site.5"; empty: there is none
  TreeContent old_, there_;      // what they hold
  Directory old_tree_;
  // Made by make_next(), which makes the next tree of the spare one:
  bool is_making_ = false;
  Directory new_tree_;

  std::mutex mutex_;  // of what follows
  std::map<std::string, Digest> files_;
  std::size_t changed_ = 0;  // those that the current tree does not have
  std::pair<std::string, std::string> first_;  // of these: path and bytes
  std::optional<std::string> error_;
  std::atomic<bool> failed_ = false;
  bool finished_ = false;  // from then on current_ is the new site
};

SiteWriter::SiteWriter(const std::string& out, std::vector<WrittenTree> left, int threads)
    : tree_(std::make_unique<Tree>(out, std::move(left), threads)) {}
SiteWriter::~SiteWriter() = default;

void SiteWriter::look() { tree_->look(); }

void SiteWriter::add(const std::string& path, const std::string& bytes) { tree_->add(path, bytes); }

bool SiteWriter::keep(const std::string& path) { return tree_->keep(path); }

Result<Written> SiteWriter::finish() { return tree_->finish(); }

std::vector<WrittenTree> SiteWriter::trees() const { return tree_->trees(); }

}  // namespace primer
