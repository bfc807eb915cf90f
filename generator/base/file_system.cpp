#include "generator/base/file_system.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>

#include "generator/base/text.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace {

// A file that is open; -1: none.
class Handle {
 public:
  explicit Handle(int file) : file_(file) {}
  ~Handle() {
    if (file_ >= 0) close(file_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

constexpr std::size_t kibibyte = 1024, mebibyte = 1024 * kibibyte;

// What is wrong with an open file, in words that follow its name.
Unreadable fault_of(int file, std::size_t most) {
  struct stat status {};
  if (fstat(file, &status) != 0) return {"the file cannot be read"};
  if (S_ISDIR(status.st_mode)) return {"this is a directory, no file"};
  if (S_ISFIFO(status.st_mode)) return {"this is a pipe, no file"};
  if (!S_ISREG(status.st_mode)) return {"this is a device, no file"};
  if (static_cast<std::uint64_t>(status.st_size) <= most) return {};
  return {"the file has more than " + std::to_string(most) + " bytes", true};
}

// What is wrong with a path that has a link in it, in words that follow the path.
std::string link_fault(const std::string& path, const std::string& link) {
  if (link == path) return "this is a symbolic link; put the file itself there";
  return in_quotes(link) + " is a symbolic link; put the directory itself there";
}

// All of a regular file, as it was when it was opened, or its beginning where it becomes shorter;
// nothing of anything else.
std::optional<std::string> read_all(int file, std::size_t most) {
  struct stat status {};
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (static_cast<std::uint64_t>(status.st_size) > most) return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::read(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

// Below the root no link is followed, whatever it leads to: a file of the book's name would have the bytes of another,
// which nobody meant to publish. The root itself may be reached by links, since its user has named it.
class Disk : public FileSystem {
 public:
  explicit Disk(const std::string& root) : root_(root) {}

 private:
  std::vector<std::string> walk(const std::string& directory) const override {
    if (directory == ".") return root_.files();
    std::vector<std::string> files = root_.below(directory).files();
    for (auto& path : files) path = directory + '/' + path;
    return files;
  }

  std::string link_in(const std::string& path) const override { return root_.link_in(path); }

  Unreadable why_unreadable(const std::string& path) const override {
    const Handle file(open(path));
    if (file.get() >= 0) return fault_of(file.get(), largest_file(path));
    const int failed = errno;
    if (const std::string link = root_.link_in(path); !link.empty()) return {link_fault(path, link)};
    const bool is_missing = failed == ENOENT || failed == ENOTDIR || failed == EBADF;  // the root, perhaps
    if (is_missing || failed == EINVAL) return {};
    return {"the file cannot be read"};
  }

  std::optional<std::string> load(const std::string& path) const override {
    return read_all(Handle(open(path)).get(), largest_file(path));
  }

  // -1 and errno when there is nothing that can be read. A pipe must not make us wait.
  int open(const std::string& path) const { return root_.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY); }

  Directory root_;
};

class Memory : public FileSystem {
 public:
  explicit Memory(std::map<std::string, std::string> files) : files_(std::move(files)) {}

 private:
  std::vector<std::string> walk(const std::string& directory) const override {
    std::vector<std::string> found;
    for (const auto& [path, text] : files_) {
      if (path.starts_with(directory + '/')) found.push_back(path);
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
  std::optional<Digest> known_digest_of(const std::string& name) const override {
    const auto own = FileSystem::known_digest_of(name);
    return own ? own : files_.known_digest_of(name);
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

constexpr std::string_view read_name = "read ", list_name = "list ";

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
  reads_.emplace(std::string(read_name) + path, found);
  return bytes;
}

std::vector<std::string> FileSystem::list(const std::string& directory) const {
  auto names = walk(directory);
  const Digest found = content_digest(names);
  const std::lock_guard lock(mutex_);
  reads_.emplace(std::string(list_name) + directory, found);
  return names;
}

Reads FileSystem::reads() const {
  const std::lock_guard lock(mutex_);
  return reads_;
}

std::optional<Digest> FileSystem::known_digest_of(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  const auto known = reads_.find(name);
  return known == reads_.end() ? std::nullopt : std::optional(known->second);
}

Digest FileSystem::digest_of(const std::string& name) const {
  auto found = known_digest_of(name);
  if (!found) {
    found = name.starts_with(read_name) ? content_digest(load(name.substr(read_name.size())))
                                        : content_digest(walk(name.substr(list_name.size())));
  }
  const std::lock_guard lock(mutex_);
  return reads_.emplace(name, *found).first->second;
}

std::unique_ptr<FileSystem> watched(const FileSystem& files) {
  return std::make_unique<Watched>(files);
}

std::unique_ptr<FileSystem> disk(std::string root) { return std::make_unique<Disk>(root); }

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

}  // namespace primer
