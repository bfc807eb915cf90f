#include "generator/core/base/file_system.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

#include "generator/core/base/text.hpp"

namespace primer {
namespace {
constexpr std::size_t kibibyte = 1024, mebibyte = 1024 * kibibyte;

class Memory : public FileSystem {
 public:
  explicit Memory(std::map<std::string, std::string> files) : files_(std::move(files)) {}

 private:
  std::vector<std::string> walk(const std::string& directory) const override {
    std::vector<std::string> found;
    for (const auto& [path, text] : files_) {
      if (directory == "." || path.starts_with(directory + '/')) found.push_back(path);
    }
    return found;
  }

  std::optional<std::string> load(const std::string& path) const override {
    const auto file = files_.find(path);
    if (file == files_.end()) return std::nullopt;
    return file->second;
  }

  std::map<std::string, std::string> files_;
};

class Watched : public FileSystem {
 public:
  explicit Watched(const FileSystem& files) : files_(files) {}

  std::string link_in(const std::string& path) const override { return files_.link_in(path); }
  Unreadable why_unreadable(const std::string& path) const override {
    return files_.why_unreadable(path);
  }
  std::optional<std::int64_t> modified(const std::string& path) const override {
    return files_.modified(path);
  }
  std::optional<Digest> known_digest_of(const Dependency& asked) const override {
    const auto own = FileSystem::known_digest_of(asked);
    return own ? own : files_.known_digest_of(asked);
  }

 private:
  std::optional<std::string> load(const std::string& path) const override {
    return files_.read(path);
  }
  std::vector<std::string> walk(const std::string& directory) const override {
    return files_.list(directory);
  }

  const FileSystem& files_;
};

class Layered : public FileSystem {
 public:
  Layered(const FileSystem& upper, const FileSystem& lower) : upper_(upper), lower_(lower) {}

  std::string link_in(const std::string& path) const override {
    const std::string link = upper_.link_in(path);
    return link.empty() ? lower_.link_in(path) : link;
  }
  Unreadable why_unreadable(const std::string& path) const override {
    const Unreadable why = upper_.why_unreadable(path);
    return why.message.empty() ? lower_.why_unreadable(path) : why;
  }
  std::optional<std::int64_t> modified(const std::string& path) const override {
    const auto time = upper_.modified(path);
    return time ? time : lower_.modified(path);
  }

 private:
  // A file in `upper_` that exists but cannot be read hides the one below, so that its error is
  // reported.
  std::optional<std::string> load(const std::string& path) const override {
    auto bytes = upper_.read(path);
    return bytes || !upper_.why_unreadable(path).message.empty() ? bytes : lower_.read(path);
  }
  std::vector<std::string> walk(const std::string& directory) const override {
    const auto above = upper_.list(directory), below = lower_.list(directory);
    std::vector<std::string> all;
    std::ranges::set_union(above, below, std::back_inserter(all));
    return all;
  }

  const FileSystem& upper_;
  const FileSystem& lower_;
};

Digest content_digest(const std::optional<std::string>& bytes) {
  return bytes ? digest(*bytes) : absent;
}

Digest content_digest(const std::vector<std::string>& names) { return digest(join(names, "\n")); }

}  // namespace

std::size_t largest_file(std::string_view path) {
  for (const std::string_view ending : {".md", ".yaml", ".yml"}) {
    if (path.ends_with(ending)) return 512 * kibibyte;
  }
  return path.ends_with(".json") ? 8 * mebibyte : 16 * mebibyte;
}

std::optional<std::string> FileSystem::read(const std::string& path) const {
  auto bytes = load(path);
  const Digest found = content_digest(bytes);
  const std::lock_guard lock(mutex_);
  reads_.emplace(Dependency::file(path), found);
  return bytes;
}

std::vector<std::string> FileSystem::list(const std::string& directory) const {
  auto names = walk(directory);
  const Digest found = content_digest(names);
  const std::lock_guard lock(mutex_);
  reads_.emplace(Dependency::directory(directory), found);
  return names;
}

Dependencies FileSystem::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

std::optional<Digest> FileSystem::known_digest_of(const Dependency& asked) const {
  const std::lock_guard lock(mutex_);
  const auto known = reads_.find(asked);
  return known == reads_.end() ? std::nullopt : std::optional(known->second);
}

Digest FileSystem::digest_of(const Dependency& asked) const {
  auto found = known_digest_of(asked);
  if (!found) {
    found = asked.kind == Dependency::Kind::directory ? content_digest(walk(asked.what))
                                                      : content_digest(load(asked.what));
  }
  const std::lock_guard lock(mutex_);
  return reads_.emplace(asked, *found).first->second;
}

void FileSystem::forget(const std::string& path) {
  const std::lock_guard lock(mutex_);
  std::erase_if(reads_, [&](const auto& read) {
    const auto& [kind, what] = read.first;
    if (kind != Dependency::Kind::directory) return what == path;
    return what == "." || path.starts_with(what + '/');
  });
}

std::unique_ptr<FileSystem> watched(const FileSystem& files) {
  return std::make_unique<Watched>(files);
}

std::unique_ptr<FileSystem> layered(const FileSystem& upper, const FileSystem& lower) {
  return std::make_unique<Layered>(upper, lower);
}

std::unique_ptr<FileSystem> in_memory(std::map<std::string, std::string> files) {
  return std::make_unique<Memory>(std::move(files));
}

std::optional<std::string> normal_path(std::string_view path) {
  if (path.empty() || path.front() == '/') return std::nullopt;
  if (path.find('\0') != path.npos || path.find('\\') != path.npos) return std::nullopt;
  std::vector<std::string> parts;
  for (const auto part : split(path, '/')) {
    if (part.empty()) return std::nullopt;
    if (part == ".") continue;
    if (part != "..") {
      parts.emplace_back(part);
    } else if (parts.empty()) {
      return std::nullopt;
    } else {
      parts.pop_back();
    }
  }
  if (parts.empty()) return std::nullopt;
  return join(parts, "/");
}

std::optional<std::string> resolve_path(std::string_view file, std::string_view link) {
  const auto slash = file.rfind('/');
  if (link.starts_with('/')) return std::nullopt;
  if (slash == file.npos) return normal_path(link);
  return normal_path(std::string(file.substr(0, slash + 1)) + std::string(link));
}

std::string link_to(std::string_view target, std::string_view file) {
  auto there = split(target, '/'), here = split(file, '/');
  here.pop_back();
  std::size_t same = 0;
  while (same < here.size() && same + 1 < there.size() && here[same] == there[same]) ++same;
  std::string link;
  for (std::size_t i = same; i < here.size(); ++i) link += "../";
  for (std::size_t i = same; i < there.size(); ++i)
    link += std::string(there[i]) + (i + 1 < there.size() ? "/" : "");
  return link;
}

}  // namespace primer
