#include "generator/write/written_tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <atomic>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/tasks.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

std::string_view directory_of(std::string_view path) {
  const auto slash = path.rfind('/');
  return path.substr(0, slash == path.npos ? 0 : slash);
}

// The tree's stamps if nobody has touched it since it was left.
std::optional<Stamps> stamps_if_untouched(const fs::path& tree, const WrittenTree& left,
                                          const Tasks& tasks) {
  if (left.stamp == absent) return std::nullopt;
  Stamps stamps(tree, left.files, tasks);
  if (stamps.version() != left.stamp) return std::nullopt;
  return stamps;
}

}  // namespace

std::set<std::string> directories_of(const std::map<std::string, Digest>& files) {
  std::set<std::string> directories;
  std::string_view last;  // most files stand beside the one before
  for (const auto& [path, bytes] : files) {
    if (directory_of(path) == last) continue;
    last = directory_of(path);
    for (auto directory = last; !directory.empty(); directory = directory_of(directory))
      directories.emplace_hint(directories.end(), directory);
  }
  return directories;
}

Stamps::Stamps(const fs::path& tree, const std::map<std::string, Digest>& files,
               const Stamps& before, const std::set<std::string>& touched, const Tasks& tasks) {
  const Directory directory(tree);
  const auto directories = directories_of(files);
  std::vector<std::string> paths(directories.begin(), directories.end());
  for (const auto& [path, bytes] : files) paths.push_back(path);
  std::ranges::inplace_merge(paths,
                             paths.begin() + static_cast<std::ptrdiff_t>(directories.size()));
  known_.emplace_back(".", Stamp());
  std::vector<std::size_t> asked{0};
  auto old = before.known_.begin() + (before.known_.empty() ? 0 : 1);
  for (auto& path : paths) {
    while (old != before.known_.end() && old->first < path) ++old;
    const bool is_known = old != before.known_.end() && old->first == path;
    if (!is_known || touched.contains(path)) asked.push_back(known_.size());
    known_.emplace_back(std::move(path), is_known ? old->second : Stamp());
  }
  std::atomic<bool> whole = true;
  tasks.each(asked.size(), [&](std::size_t i) {
    struct stat status{};
    auto& [path, stamp] = known_[asked[i]];
    if (fstatat(directory.get(), path.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) whole = false;
    stamp = {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
             static_cast<std::uint64_t>(status.st_ctim.tv_sec),
             static_cast<std::uint64_t>(status.st_ctim.tv_nsec)};
  });
  if (!whole) return;
  Packer packer;
  for (const auto& [path, stamp] : known_) {
    for (const auto number : stamp) packer.add(number);
  }
  version_ = digest(packer.bytes);
}

bool is_as_written(const std::string& out, const WrittenTree& tree, const Tasks& tasks) {
  const fs::path link = fs::absolute(out).lexically_normal();
  std::error_code error;
  if (fs::read_symlink(link, error) != tree.name || error) return false;
  const fs::path path = link.parent_path() / tree.name;
  if (stamps_if_untouched(path, tree, tasks)) return true;
  const auto content = content_of(path, nullptr, tasks);
  return content.files == tree.files && content.strange.empty();
}

TreeContent content_of(const fs::path& tree, const WrittenTree* left, const Tasks& tasks) {
  if (left) {
    if (auto stamps = stamps_if_untouched(tree, *left, tasks))
      return {left->files, directories_of(left->files), {}, std::move(*stamps)};
  }
  TreeContent content;
  std::error_code error;
  const std::size_t root = (tree / "").native().size();
  std::vector<std::string> paths;
  const fs::recursive_directory_iterator end;
  for (fs::recursive_directory_iterator at(tree, error); !error && at != end; at.increment(error)) {
    std::string path = at->path().native().substr(root);
    std::error_code ignored;  // what cannot be asked is strange
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
    if (bytes) digests[i] = digest(*bytes);  // else `absent`, which no file of ours has
  });
  for (std::size_t i = 0; i < paths.size(); ++i)
    content.files.emplace(std::move(paths[i]), digests[i]);
  return content;
}

}  // namespace primer
