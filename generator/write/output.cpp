#include "generator/write/output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>

#include "generator/base/file_system.hpp"
#include "generator/base/tasks.hpp"
#include "generator/base/text.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/lock.hpp"
#include "generator/host/own_output.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Result;

constexpr const char *link_name = "link", *file_name = "file";
constexpr std::string_view room_mark = "primer site trees 1\n";
constexpr int most_rooms = 9;
constexpr std::size_t largest_copy = std::size_t{1} << 30;

bool is_number(std::string_view digits) {
  return !digits.empty() && digits.size() < 8 && digits[0] != '0' &&
         digits.find_first_not_of("0123456789") == digits.npos;
}

int number_of(const std::string& tree) { return tree.empty() ? 0 : std::stoi(tree); }

// The directory that the trees of "site" lie in: "site.trees", "site.trees.2" and so on.
std::string room_name(const std::string& base, int i) {
  return base + ".trees" + (i == 1 ? "" : '.' + std::to_string(i));
}

// Whether a link leads where links to sites do: to "site.7", as those of older programs, or into a room.
bool is_link_to_tree(const std::string& target, const std::string& base) {
  if (target.starts_with(base + '.') && is_number(target.substr(base.size() + 1))) return true;
  const auto slash = target.find('/');
  if (slash == target.npos || !is_number(target.substr(slash + 1))) return false;
  for (int i = 1; i <= most_rooms; ++i) {
    if (target.substr(0, slash) == room_name(base, i)) return true;
  }
  return false;
}

// The part of a path that the user answers for: as far as the book, or the directory from which it was
// given, else all of it. What is below these may have come with the book.
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

// Makes the directory that the link lies in. On failure it is none.
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
    fault += " (inside the book no link is followed: name with --out where it leads)";
  }
  return {};
}

}  // namespace

figures::Status check_output(const std::string& out, const std::string& book) {
  if (out.empty())
    return Error{"no directory is named for the site: expected one such as build/site"};
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
  if (is_link_to_tree(target, link.filename().string())) return figures::ok();
  return refused(link.string() + " is a symbolic link that primer did not make");
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
    if (file == left_.front().files.end() || !has(old_, path, file->second)) return false;
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
    if (failed_) return Error{*error_};
    std::size_t removed = 0;
    for (const auto& [path, bytes] : old_.files) removed += files_.contains(path) ? 0 : 1;
    for (const auto& path : old_.strange) removed += files_.contains(path) ? 0 : 1;
    const bool is_new = current_.empty();
    if (changed_ == 1 && removed == 0 && old_.files.contains(first_.first) && old_.is_plain()) {
      replace_one();
    } else if (is_new || removed + changed_ > 0) {
      std::call_once(making_, [&] { make_next(); });
      if (!failed_) complete_next();
      if (!failed_) switch_trees();
    }
    if (failed_) return Error{*error_};
    finished_ = true;
    return Written{files_.size(), removed + changed_, left_over_};
  }

  std::vector<WrittenTree> trees() const {
    std::vector<WrittenTree> trees;
    for (const auto& [number, content] :
         {std::pair(&current_, &old_), std::pair(&spare_, &there_)}) {
      if (!finished_ || number->empty() || !content->is_plain()) continue;
      const Stamps stamps(path_of(*number), content->files, content->stamps, touched_, tasks_);
      trees.push_back({name_of(*number), content->files, stamps.version()});
    }
    return trees;
  }

 private:
  static bool has(const TreeContent& tree, const std::string& path, const Digest& bytes) {
    const auto file = tree.files.find(path);
    return file != tree.files.end() && file->second == bytes;
  }

  // What the link says of a tree, and where it lies.
  std::string name_of(const std::string& number) const { return room_name_ + '/' + number; }
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
    keep_spare();
    if (!spare_.empty()) there_ = look_at(spare_);
    if (current_.empty()) return;
    old_ = look_at(current_);
    old_tree_ = room_.below(current_);
    refuse_strangers();
  }

  // A file that somebody put into the site, as far as it is known what the last build wrote there.
  void refuse_strangers() {
    const auto left = std::ranges::find(left_, name_of(current_), &WrittenTree::name);
    if (left == left_.end()) return;
    const auto refuse = [&](const std::string& path) {
      if (left->files.contains(path)) return;
      fail(
          (link_ / path).string() +
          " was not written by primer: move it out of the site, which a build replaces as a whole");
    };
    for (const auto& [path, bytes] : old_.files) refuse(path);
    for (const auto& path : old_.strange) refuse(path);
  }

  // The first of the directories "site.trees" and so on that is ours, or can be made. An empty one can be
  // taken: nothing is in it that could be lost.
  void open_room() {
    for (int i = 1; i <= most_rooms; ++i) {
      room_name_ = room_name(base_, i);
      const bool is_new = mkdirat(parent_.get(), room_name_.c_str(), 0777) == 0;
      if (!is_new && last_error() != std::errc::file_exists) {
        return cannot_write(link_.parent_path() / room_name_, last_error());
      }
      room_ = parent_.below(room_name_);
      struct stat status{};
      if (room_.get() < 0 || fstat(room_.get(), &status) != 0 || status.st_uid != geteuid())
        continue;
      if (is_marked(room_, room_mark)) return;
      if (!room_.names().empty()) continue;
      if (const auto error = write_marker(room_, room_mark))
        cannot_write(link_.parent_path() / room_name_, error);
      return;
    }
    fail("none of " + (link_.parent_path() / room_name(base_, 1)).string() + " to " +
         room_name(base_, most_rooms) +
         " was made by this user's builds; choose another directory with --out");
  }

  // The tree that the site is; none where the link leads to one that is not ours.
  void find_current() {
    const auto target = parent_.link_target(base_);
    if (!target) return;
    if (target->starts_with(room_name_ + '/') && is_number(target->substr(room_name_.size() + 1))) {
      current_ = target->substr(room_name_.size() + 1);
      if (room_.below(current_).get() >= 0) return;
      current_.clear();
      return;
    }
    for (const auto& name : parent_.names()) {
      const bool is_tree =
          name.starts_with(base_ + '.') && is_number(name.substr(base_.size() + 1));
      if (is_tree || (name.starts_with(base_ + ".trees") && name != room_name_)) {
        left_over_.push_back((link_.parent_path() / name).string());
      }
    }
  }

  // Removes what killed builds left; of the trees that are not current the newest stays, to be made the
  // next one of. Builds only make directories, numbered up to the next one, so anything else is left alone.
  void keep_spare() {
    std::vector<std::string> stale{link_name, file_name};
    for (std::string name : room_.names()) {
      const bool may_be_ours = is_number(name) && room_.below(name).get() >= 0 &&
                               (current_.empty() || number_of(name) <= number_of(current_) + 1);
      if (!may_be_ours || name == current_) continue;
      if (number_of(name) > number_of(spare_)) name.swap(spare_);
      if (!name.empty()) stale.push_back(std::move(name));
    }
    for (const auto& name : stale) {
      if (const auto error = room_.remove_all(name)) {
        fail("cannot remove " + path_of(name).string() + because(error));
      }
    }
  }

  TreeContent look_at(const std::string& number) const {
    const auto left = std::ranges::find(left_, name_of(number), &WrittenTree::name);
    return content_of(path_of(number), left == left_.end() ? nullptr : &*left, tasks_);
  }

  // Over the old file, in one step. The spare tree stays as it is, and behind.
  void replace_one() {
    const auto& [path, bytes] = first_;
    auto error = room_.write(file_name, bytes);
    if (!error) error = room_.move(file_name, old_tree_, path);
    if (error) return cannot_write(path_of(current_) / path, error);
    touch(path);
    old_.files.at(path) = files_.at(path);
  }

  // From here on there is a second file that differs, so that only a tree can take the place of a tree.
  void make_next() {
    is_making_ = true;
    const std::string next = std::to_string(number_of(current_) + 1);
    std::error_code error;
    if (spare_.empty()) {
      error = room_.make(next);
    } else if (spare_ != next) {
      error = room_.move(spare_, room_, next);
    }
    if (!error) spare_ = next;
    for (const auto& path : there_.strange) {
      if (!error) error = room_.remove_all(next + '/' + path);
    }
    new_tree_ = error ? Directory() : room_.below(next);
    if (new_tree_.get() < 0) return cannot_write(path_of(next), error ? error : last_error());
    if (!first_.first.empty()) put(first_.first, first_.second, digest(first_.second));
  }

  // All files that are the old ones, and nothing else than files of the site.
  void complete_next() {
    // Those of a directory one after another: it is opened once.
    std::vector<std::vector<std::string>> same;
    for (const auto& [path, bytes] : files_) {
      if (!has(old_, path, bytes) || has(there_, path, bytes)) continue;
      if (same.empty() || directory_of(same.back().back()) != directory_of(path))
        same.emplace_back();
      same.back().push_back(path);
    }
    tasks_.each(same.size(), [&](std::size_t i) { link_all(same[i]); });
    clear_out();
    there_ = {files_, directories_of(files_), {}, std::move(there_.stamps)};
  }

  // What is made or removed in one tree the system may tell of in the other, too, since files are in both.
  void touch(const std::string& path) {
    const std::lock_guard lock(mutex_);
    for (std::string_view part = path; !part.empty(); part = directory_of(part))
      touched_.emplace(part);
  }

  static std::string_view directory_of(std::string_view path) {
    const auto slash = path.rfind('/');
    return path.substr(0, slash == path.npos ? 0 : slash);
  }

  // Files of one directory of the old tree, into the next one.
  void link_all(const std::vector<std::string>& paths) {
    const std::string directory(directory_of(paths.front()));
    const Directory from = directory.empty() ? Directory() : old_tree_.below(directory);
    Directory to = directory.empty() ? Directory() : new_tree_.below(directory);
    if (from.get() >= 0 && to.get() < 0 && !new_tree_.make(directory))
      to = new_tree_.below(directory);
    const bool is_there = from.get() >= 0 && to.get() >= 0;
    for (const auto& path : paths) {
      touch(path);
      const std::string name = path.substr(is_there ? directory.size() + 1 : 0);
      if (is_there && !there_.files.contains(path) && !there_.directories.contains(path) &&
          !to.link(from, name, name)) {
        continue;
      }
      auto error = place(path, [&] { return new_tree_.link(old_tree_, path, path); });
      if (error) error = place(path, [&] { return copy(path); });  // where there are no links
      if (error) cannot_write(path_of(spare_) / path, error);
    }
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
    std::swap(old_, there_);
  }

  void put(const std::string& path, const std::string& bytes, const Digest& found) {
    if (failed_ || has(there_, path, found)) return;
    touch(path);
    const auto error = place(path, [&] { return new_tree_.write(path, bytes); });
    if (error) cannot_write(path_of(spare_) / path, error);
  }

  // Makes a file of the next tree. What stands there may be a link to an older file, so it is never
  // written into.
  template <class Make>
  std::error_code place(const std::string& path, const Make& make) const {
    std::error_code error;
    if (there_.files.contains(path)) {
      error = new_tree_.remove(path);
    } else if (there_.directories.contains(path)) {
      error = new_tree_.remove_all(path);
    }
    return error ? error : with_directories(path, make);
  }

  // Makes a file, once more with its directories if they were missing.
  template <class Make>
  std::error_code with_directories(const std::string& path, const Make& make) const {
    auto error = make();
    if (error != std::errc::no_such_file_or_directory && error != std::errc::not_a_directory)
      return error;
    for (auto end = path.find('/'); end != path.npos; end = path.find('/', end + 1)) {
      const std::string directory = path.substr(0, end);
      if (there_.files.contains(directory)) static_cast<void>(new_tree_.remove(directory));
    }
    const auto slash = path.rfind('/');
    if (slash == path.npos) return error;
    error = new_tree_.make(path.substr(0, slash));
    return error ? error : make();
  }

  // Takes out of the tree what is not a file, or no directory, of the new site.
  void clear_out() {
    std::error_code error;
    const auto take_out = [&](const std::string& path) {
      touch(path);
      if (!error) error = new_tree_.remove_all(path);
      if (error) fail("cannot remove " + (path_of(spare_) / path).string() + because(error));
    };
    const auto wanted = directories_of(files_);
    for (const auto& [path, bytes] : there_.files) {
      if (!files_.contains(path) && !wanted.contains(path)) take_out(path);
    }
    for (const auto& path : there_.directories) {
      if (!wanted.contains(path) && !files_.contains(path)) take_out(path);
    }
  }

  const std::string out_, book_;
  const fs::path link_;
  const std::string base_;
  const std::vector<WrittenTree> left_;
  const Tasks& tasks_;
  const std::function<void(const std::string&)> note_;
  std::once_flag begun_, making_;
  // Made by begin():
  Directory parent_;
  std::optional<Lock> lock_;
  std::string room_name_;
  Directory room_;
  std::string current_, spare_;  // "6", "5"; empty: there is none
  std::vector<std::string> left_over_;
  TreeContent old_, there_;  // what they hold
  Directory old_tree_;
  // Made by make_next(), which makes the next tree of the spare one:
  bool is_making_ = false;
  Directory new_tree_;

  std::mutex mutex_;  // of what follows
  std::map<std::string, Digest> files_;
  std::set<std::string> touched_;              // files and directories
  std::size_t changed_ = 0;                    // those that the current tree does not have
  std::pair<std::string, std::string> first_;  // of these: path and bytes
  std::optional<std::string> error_;
  std::atomic<bool> failed_ = false;
  bool finished_ = false;  // from then on current_ is the new site
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
