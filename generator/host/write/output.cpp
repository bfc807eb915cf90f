// How SiteWriter replaces one complete site by another; output.hpp has the contract.
//
//   build/site ---> site.trees/6      current_: what readers see; old_ is its content
//                   site.trees/5      spare_: the site before it; there_ lists its files
//
//   begin()       locks, finds 6 and 5, deletes what killed builds left
//   add(), keep() note a file that equals its copy in 6; the first file that differs renames 5 to 7
//                 (make_next), and every file that differs is written there
//   finish()      if a file differs or is missing: completes 7 with hard links to 6
//                 (complete_next) and moves the link to it; 6 is then the spare tree
//
// The next tree is made from the spare one because they differ in few files. Linking and removing a
// whole tree of 424 files in 216 directories takes 28 ms, a fifth of a build after one edited
// paragraph. If somebody has modified the spare tree, it is removed instead.
//
// Trees share files through hard links, so no file is ever opened for writing: place() removes the
// file and creates another one. The link always points to a complete tree. After an error the old
// site stays, and a writer that never finishes deletes the tree it was filling.
#include "generator/host/write/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <set>
#include <string_view>
#include <utility>

#include "generator/core/base/file_system.hpp"
#include "generator/core/base/pack.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"
#include "generator/host/own_output.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

constexpr const char* link_name = "link";
constexpr std::string_view room_mark = "primer site trees 1\n";
constexpr std::size_t largest_copy = std::size_t{1} << 30;

bool is_number(std::string_view digits) {
  return !digits.empty() && digits.size() < 8 && digits[0] != '0' &&
         digits.find_first_not_of("0123456789") == digits.npos;
}

int number_of(const std::string& tree) { return tree.empty() ? 0 : std::stoi(tree); }

// The directory that holds the trees of "site".
std::string room_of(const std::string& base) { return base + ".trees"; }

// The number in the target of a site's link: "7" in "site.trees/7". No value for other targets.
std::optional<std::string> tree_in(const std::string& target, const std::string& base) {
  const std::string room = room_of(base) + '/';
  if (!target.starts_with(room) || !is_number(target.substr(room.size()))) return std::nullopt;
  return target.substr(room.size());
}

// The part of a path that the user is responsible for: up to the book or to the directory where a
// relative path begins, otherwise the whole path. Everything below may have come with the book.
fs::path own_part(const fs::path& path, const std::string& from, const std::string& book) {
  fs::path part;
  for (const auto& name : path) {
    part /= name;
    for (const auto& own : {from, book}) {
      std::error_code ignored;
      if (!own.empty() && fs::equivalent(part, own, ignored)) return part;
    }
  }
  return path;
}

std::string because(const std::error_code& error) { return ": " + error.message(); }

// Makes and opens the parent directory of the link. On failure, sets `fault` and returns none.
Directory open_parent(const fs::path& parent, const std::string& out, const std::string& book,
                      std::string& fault) {
  const fs::path own = own_part(parent, fs::path(out).is_relative() ? "." : "", book);
  std::error_code error;
  fs::create_directories(own, error);
  Directory base(own);
  const std::string rest = own == parent ? "" : parent.lexically_relative(own).string();
  if (base.get() >= 0 && rest.empty()) return base;
  error = base.get() < 0 ? last_error() : base.make(rest);
  Directory found = error ? Directory() : base.below(rest);
  if (found.get() >= 0) return found;
  if (!error) error = last_error();
  fault = "cannot make " + parent.string() + because(error);
  if (error == std::errc::too_many_symbolic_link_levels) {
    fault += " (links inside the book are not followed: pass the target of the link with --out)";
  }
  return {};
}

std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return path.substr(0, slash == path.npos ? 0 : slash);
}

// The directories of these files: "a" and "a/b" for "a/b/c".
std::set<std::string> directories_of(const std::map<std::string, Digest>& files) {
  std::set<std::string> directories;
  std::string_view last;  // most files are in the directory of the previous one
  for (const auto& [path, bytes] : files) {
    if (directory_of(path) == last) continue;
    last = directory_of(path);
    for (auto directory = last; !directory.empty(); directory = directory_of(directory))
      directories.emplace_hint(directories.end(), directory);
  }
  return directories;
}

// The content of a tree, by path in it.
struct TreeContent {
  std::map<std::string, Digest> files;
  std::set<std::string> directories;
  std::set<std::string> strange;  // neither files nor directories

  // Whether there are only files and the directories that they need.
  bool is_plain() const { return strange.empty() && directories == directories_of(files); }
};

// WrittenTree::stamp of these files; `absent` if one is missing.
Digest stamp_of(const fs::path& tree, const std::map<std::string, Digest>& files,
                const Tasks& tasks) {
  const Directory directory(tree);
  std::vector<std::string> paths{"."};
  for (const auto& path : directories_of(files)) paths.push_back(path);
  for (const auto& [path, bytes] : files) paths.push_back(path);
  std::vector<std::array<std::uint64_t, 5>> stamps(paths.size());
  std::atomic<bool> whole = true;
  tasks.each(paths.size(), [&](std::size_t i) {
    struct stat status{};
    if (fstatat(directory.get(), paths[i].c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0)
      whole = false;
    stamps[i] = {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
                 static_cast<std::uint64_t>(status.st_ctim.tv_sec),
                 static_cast<std::uint64_t>(status.st_ctim.tv_nsec)};
  });
  if (!whole) return absent;
  return digest(pack(stamps));
}

bool is_untouched(const fs::path& path, const WrittenTree& tree, const Tasks& tasks) {
  return tree.stamp != absent && stamp_of(path, tree.files, tasks) == tree.stamp;
}

// Lists the tree and reads every file in it.
TreeContent content_of(const fs::path& tree, const Tasks& tasks) {
  TreeContent content;
  std::error_code error;
  const std::size_t root = (tree / "").native().size();
  std::vector<std::string> paths;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(tree, error); !error && at != end; at.increment(error)) {
    std::string path = at->path().native().substr(root);
    std::error_code ignored;  // if the type is unknown, the entry is strange
    const bool link = at->is_symlink(ignored);
    if (!link && at->is_regular_file(ignored)) {
      paths.push_back(std::move(path));
    } else {
      (!link && at->is_directory(ignored) ? content.directories : content.strange)
          .insert(std::move(path));
    }
  }
  const auto files = disk(tree.string());
  std::vector<Digest> digests(paths.size());
  tasks.each(paths.size(), [&](std::size_t i) {
    const auto bytes = files->read(paths[i]);
    if (bytes) digests[i] = digest(*bytes);  // otherwise `absent`, which none of our files has
  });
  for (std::size_t i = 0; i < paths.size(); ++i)
    content.files.emplace(std::move(paths[i]), digests[i]);
  return content;
}

}  // namespace

figures::Status check_output(const std::string& out, const std::string& book) {
  if (out.empty()) return Error{"missing directory for the site: expected one such as build/site"};
  const fs::path link = place_of(out);
  const auto refused = [](const std::string& why) {
    return Error{"the site cannot be written: " + why + "; choose another directory with --out"};
  };
  if (const auto fit = check_place(link, book); !fit) return refused(fit.error().message);
  std::error_code error;
  const auto status = fs::symlink_status(link, error);
  if (!fs::exists(status)) return figures::ok();
  if (!fs::is_symlink(status)) return refused(link.string() + " is not a site that primer wrote");
  const std::string target = fs::read_symlink(link, error).string();
  if (tree_in(target, link.filename().string())) return figures::ok();
  return refused(link.string() + " is a symbolic link that primer did not make");
}

bool is_as_written(const std::string& out, const WrittenTree& tree, const Tasks& tasks) {
  const fs::path link = fs::absolute(out).lexically_normal();
  std::error_code error;
  if (fs::read_symlink(link, error) != tree.name || error) return false;
  const fs::path path = link.parent_path() / tree.name;
  if (is_untouched(path, tree, tasks)) return true;
  const auto content = content_of(path, tasks);
  return content.files == tree.files && content.strange.empty();
}

class SiteWriter::Tree {
 public:
  Tree(const std::string& out, std::vector<WrittenTree> left, const Tasks& tasks, std::string book,
       std::function<void(const std::string&)> note)
      : out_(out),
        book_(std::move(book)),
        link_(place_of(out)),
        base_(link_.filename().string()),
        left_(std::move(left)),
        tasks_(tasks),
        note_(std::move(note)) {}

  ~Tree() {
    if (is_making_ && !finished_) static_cast<void>(room_.remove_all(spare_));
  }

  void look() {
    std::call_once(begun_, [&] { begin(); });
  }

  bool keep(const std::string& path) {
    look();
    if (left_.empty() || failed_) return false;
    const auto file = left_.front().files.find(path);
    if (file == left_.front().files.end() || !has(old_.files, path, file->second)) return false;
    const std::lock_guard lock(mutex_);
    files_.insert(*file);
    return true;
  }

  void add(const std::string& path, const std::string& bytes) {
    look();
    if (failed_) return;
    if (normal_path(path) != path)
      return fail("a page cannot have the address " + in_quotes(path.substr(0, 100)));
    const Digest found = digest(bytes);
    {
      const std::lock_guard lock(mutex_);
      files_.emplace(path, found);
      if (has(old_.files, path, found)) return;
      ++changed_;
    }
    std::call_once(making_, [&] { make_next(); });
    if (failed_ || has(there_, path, found)) return;
    const auto error = place(path, [&] { return new_tree_.write(path, bytes); });
    if (error) cannot_write(path_of(spare_) / path, error);
  }

  Result<Written> finish() {
    look();
    if (failed_) return Error{*error_};
    std::size_t removed = 0;
    for (const auto& [path, bytes] : old_.files) removed += files_.contains(path) ? 0 : 1;
    for (const auto& path : old_.strange) removed += files_.contains(path) ? 0 : 1;
    if (current_.empty() || removed + changed_ > 0) {
      std::call_once(making_, [&] { make_next(); });
      if (!failed_) complete_next();
      if (!failed_) switch_trees();
    }
    if (failed_) return Error{*error_};
    finished_ = true;
    return Written{files_.size(), removed + changed_};
  }

  std::vector<WrittenTree> trees() const {
    std::vector<WrittenTree> trees;
    if (!finished_ || !old_.is_plain()) return trees;
    const auto add = [&](const std::string& number, const std::map<std::string, Digest>& files) {
      trees.push_back({name_of(number), files, stamp_of(path_of(number), files, tasks_)});
    };
    add(current_, old_.files);
    if (!spare_.empty()) add(spare_, there_);
    return trees;
  }

 private:
  static bool has(const std::map<std::string, Digest>& files, const std::string& path,
                  const Digest& bytes) {
    const auto file = files.find(path);
    return file != files.end() && file->second == bytes;
  }

  // Name of a tree in the link, and its path.
  std::string name_of(const std::string& number) const { return room_of(base_) + '/' + number; }
  fs::path path_of(const std::string& number) const {
    return link_.parent_path() / name_of(number);
  }

  void fail(std::string message) {
    const std::lock_guard lock(mutex_);
    if (!failed_) error_ = std::move(message);
    failed_ = true;
  }

  void cannot_write(const fs::path& path, const std::error_code& error) {
    fail("cannot write " + path.string() + because(error));
  }

  void begin() {
    if (const auto fit = check_output(out_, book_); !fit) return fail(fit.error().message);
    std::string fault;
    parent_ = open_parent(link_.parent_path(), out_, book_, fault);
    if (!fault.empty()) return fail(fault);
    const std::string name = (link_.parent_path() / (base_ + ".lock")).string();
    lock_.emplace(parent_, base_ + ".lock", [&] {
      note_("waiting for another process that holds " + name +
            ", as a build does while it writes the site");
    });
    if (!lock_->held()) {
      return fail("cannot lock " + name + because(lock_->error()));
    }
    open_room();
    if (failed_) return;
    find_current();
    find_spare();
    if (failed_ || current_.empty()) return;
    old_tree_ = room_.below(current_);
    const WrittenTree* const left = left_of(current_);
    if (left && is_untouched(path_of(current_), *left, tasks_)) {
      old_ = {left->files, directories_of(left->files), {}};
      return;
    }
    old_ = content_of(path_of(current_), tasks_);
    if (left) refuse_strangers(*left);
  }

  const WrittenTree* left_of(const std::string& number) const {
    const auto left = std::ranges::find(left_, name_of(number), &WrittenTree::name);
    return left == left_.end() ? nullptr : &*left;
  }

  // Fails if somebody added a file to the tree that the last build left.
  void refuse_strangers(const WrittenTree& left) {
    const auto refuse = [&](const std::string& path) {
      if (left.files.contains(path)) return;
      fail(
          (link_ / path).string() +
          " was not written by primer: move it out of the site, which a build replaces as a whole");
    };
    for (const auto& [path, bytes] : old_.files) refuse(path);
    for (const auto& path : old_.strange) refuse(path);
  }

  // Makes the directory of the trees. An existing one must be ours, or empty and owned by us.
  void open_room() {
    const fs::path path = link_.parent_path() / room_of(base_);
    if (mkdirat(parent_.get(), room_of(base_).c_str(), 0777) != 0 &&
        last_error() != std::errc::file_exists) {
      return cannot_write(path, last_error());
    }
    room_ = parent_.below(room_of(base_));
    struct stat status{};
    const bool is_own =
        room_.get() >= 0 && fstat(room_.get(), &status) == 0 && status.st_uid == geteuid();
    if (is_own && is_marked(room_, room_mark)) return;
    if (!is_own || !room_.names().empty()) {
      return fail(path.string() +
                  " was not made by your builds: move it away, or choose another directory "
                  "with --out");
    }
    if (const auto error = write_marker(room_, room_mark)) cannot_write(path, error);
  }

  // Finds the tree that is the site. None if there is no site yet.
  void find_current() {
    const auto target = parent_.link_target(base_);
    const auto tree = target ? tree_in(*target, base_) : std::nullopt;
    if (tree && room_.below(*tree).get() >= 0) current_ = *tree;
  }

  // Removes what killed builds left and picks the spare tree: the newest one that is not current,
  // if nobody has modified it since a build wrote it. Builds make only directories with numbers up
  // to the next one, so anything else is left alone.
  void find_spare() {
    std::vector<std::string> stale{link_name};
    for (std::string name : room_.names()) {
      const bool may_be_ours = is_number(name) && room_.below(name).get() >= 0 &&
                               (current_.empty() || number_of(name) <= number_of(current_) + 1);
      if (!may_be_ours || name == current_) continue;
      if (number_of(name) > number_of(spare_)) name.swap(spare_);
      if (!name.empty()) stale.push_back(std::move(name));
    }
    const WrittenTree* const left = left_of(spare_);
    if (left && is_untouched(path_of(spare_), *left, tasks_)) {
      there_ = left->files;
    } else if (!spare_.empty()) {
      stale.push_back(std::exchange(spare_, ""));
    }
    for (const auto& name : stale) {
      if (const auto error = room_.remove_all(name)) {
        fail("cannot remove " + path_of(name).string() + because(error));
      }
    }
  }

  // Called for the first difference. From here on the site can only be replaced as a whole.
  void make_next() {
    const std::string next = std::to_string(number_of(current_) + 1);
    std::error_code error;
    if (spare_.empty()) {
      error = room_.make_new(next);
    } else if (spare_ != next) {
      error = room_.move_new(spare_, room_, next);
    }
    if (error) return cannot_write(path_of(next), error);
    spare_ = next;
    is_making_ = true;
    new_tree_ = room_.below(next);
  }

  // Makes the next tree consist of exactly the added files.
  void complete_next() {
    std::vector<std::string> unchanged;
    for (const auto& [path, bytes] : files_) {
      if (has(old_.files, path, bytes) && !has(there_, path, bytes)) unchanged.push_back(path);
    }
    tasks_.each(unchanged.size(), [&](std::size_t i) {
      const std::string& path = unchanged[i];
      auto error = place(path, [&] { return new_tree_.link(old_tree_, path, path); });
      if (error)
        error = place(path, [&] { return copy(path); });  // no hard links on this file system
      if (error) cannot_write(path_of(spare_) / path, error);
    });
    const auto directories = directories_of(files_);
    const auto remove = [&](const std::string& path) {
      if (files_.contains(path) || directories.contains(path)) return;
      const auto error = new_tree_.remove_all(path);
      if (error) fail("cannot remove " + (path_of(spare_) / path).string() + because(error));
    };
    for (const auto& [path, bytes] : there_) remove(path);
    for (const auto& path : directories_of(there_)) remove(path);
  }

  std::error_code copy(const std::string& path) const {
    const auto bytes = old_tree_.read(path, largest_copy);
    return bytes ? new_tree_.write(path, *bytes) : last_error();
  }

  void switch_trees() {
    const std::string target = name_of(spare_);
    auto error =
        symlinkat(target.c_str(), room_.get(), link_name) == 0 ? std::error_code() : last_error();
    if (!error) error = room_.move(link_name, parent_, base_);
    if (error) return fail("cannot replace " + link_.string() + because(error));
    std::swap(current_, spare_);
    auto before = std::exchange(old_, {files_, directories_of(files_), {}});
    if (before.is_plain()) there_ = std::move(before.files);
    else spare_.clear();  // the next build removes that tree
  }

  // Makes a file of the next tree with `make`. If a file is in the way, or its directory is
  // missing, fixes that and calls `make` again. An existing file may be a hard link to an older
  // site, so it is never written to.
  template <class Make>
  std::error_code place(const std::string& path, const Make& make) const {
    auto error = make();
    if (error == std::errc::file_exists) {
      error = new_tree_.remove_all(path);
    } else if (error == std::errc::no_such_file_or_directory ||
               error == std::errc::not_a_directory) {
      const std::string directory(directory_of(path));
      for (std::string_view part = directory; !part.empty(); part = directory_of(part)) {
        if (there_.contains(std::string(part)))
          static_cast<void>(new_tree_.remove(std::string(part)));
      }
      if (!directory.empty()) error = new_tree_.make(directory);
    } else {
      return error;
    }
    return error ? error : make();
  }

  const std::string out_, book_;
  const fs::path link_;
  const std::string base_;
  const std::vector<WrittenTree> left_;
  const Tasks& tasks_;
  const std::function<void(const std::string&)> note_;
  std::once_flag begun_, making_;
  // Set by begin():
  Directory parent_;  // of the link
  std::optional<Lock> lock_;
  Directory room_;               // "site.trees"
  std::string current_, spare_;  // "6", "5"; empty: there is none
  TreeContent old_;
  std::map<std::string, Digest> there_;  // empty if spare_ is
  Directory old_tree_;
  // Set by make_next(), which renames the spare tree to "7":
  bool is_making_ = false;
  Directory new_tree_;

  std::mutex mutex_;                     // protects the members below
  std::map<std::string, Digest> files_;  // added or kept so far
  std::size_t changed_ = 0;              // files that the current tree does not have
  std::optional<std::string> error_;
  std::atomic<bool> failed_ = false;
  bool finished_ = false;  // if set, current_ is the new site
};

SiteWriter::SiteWriter(const std::string& out, std::vector<WrittenTree> left, const Tasks& tasks,
                       std::string book, std::function<void(const std::string&)> note)
    : tree_(std::make_unique<Tree>(out, std::move(left), tasks, std::move(book), std::move(note))) {
}
SiteWriter::~SiteWriter() = default;

void SiteWriter::look() { tree_->look(); }

void SiteWriter::add(const std::string& path, const std::string& bytes) { tree_->add(path, bytes); }

bool SiteWriter::keep(const std::string& path) { return tree_->keep(path); }

Result<Written> SiteWriter::finish() { return tree_->finish(); }

std::vector<WrittenTree> SiteWriter::trees() const { return tree_->trees(); }

}  // namespace primer
