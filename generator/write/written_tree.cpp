#include "generator/write/written_tree.hpp"

#include <fcntl.h>
#include <sys/stat.h>

#include <array>
#include <atomic>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/base/pack.hpp"
#include "generator/base/tasks.hpp"
#include "generator/host/directory.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

bool is_untouched(const fs::path& tree, const WrittenTree& left, const Tasks& tasks) {
  return left.stamp != absent && stamp_of(tree, left.files, tasks) == left.stamp;
}

}  // namespace

std::set<std::string> directories_of(const std::map<std::string, Digest>& files) {
  std::set<std::string> directories;
  for (const auto& [path, bytes] : files) {
    for (auto end = path.rfind('/'); end != path.npos && end > 0; end = path.rfind('/', end - 1)) {
      if (!directories.insert(path.substr(0, end)).second) break;
    }
  }
  return directories;
}

// A change of a file or of a directory's entries, and another one in its place, differ in this.
Digest stamp_of(const fs::path& tree, const std::map<std::string, Digest>& files,
                const Tasks& tasks) {
  const Directory directory(tree);
  const auto directories = directories_of(files);
  std::vector<const char*> paths{"."};
  for (const auto& path : directories) paths.push_back(path.c_str());
  for (const auto& [path, bytes] : files) paths.push_back(path.c_str());
  std::vector<std::array<std::uint64_t, 5>> known(paths.size());
  std::atomic<bool> whole = true;
  tasks.each(paths.size(), [&](std::size_t i) {
    struct stat status{};
    if (fstatat(directory.get(), paths[i], &status, AT_SYMLINK_NOFOLLOW) != 0) whole = false;
    known[i] = {status.st_dev, status.st_ino, static_cast<std::uint64_t>(status.st_size),
                static_cast<std::uint64_t>(status.st_ctim.tv_sec),
                static_cast<std::uint64_t>(status.st_ctim.tv_nsec)};
  });
  if (!whole) return absent;
  Packer packer;
  for (const auto& one : known) {
    for (const auto number : one) packer.add(number);
  }
  return digest(packer.bytes);
}

bool is_as_written(const std::string& out, const WrittenTree& tree, const Tasks& tasks) {
  const fs::path link = fs::absolute(out).lexically_normal();
  std::error_code error;
  if (fs::read_symlink(link, error) != tree.name || error) return false;
  const fs::path path = link.parent_path() / tree.name;
  if (is_untouched(path, tree, tasks)) return true;
  const auto content = content_of(path, nullptr, tasks);
  return content.files == tree.files && content.strange.empty();
}

TreeContent content_of(const fs::path& tree, const WrittenTree* left, const Tasks& tasks) {
  if (left && is_untouched(tree, *left, tasks))
    return {left->files, directories_of(left->files), {}};
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
