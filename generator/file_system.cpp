#include "generator/file_system.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "generator/text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

class Disk : public FileSystem {
 public:
  explicit Disk(const std::string& root) {
    std::error_code error;
    root_ = fs::canonical(root, error);
    if (error) root_ = root;
  }

 private:
  std::vector<std::string> walk(const std::string& directory) const override {
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator at(root_ / directory, error), end;
    for (; !error && at != end; at.increment(error)) {
      std::error_code ignored;
      if (at->is_regular_file(ignored)) {
        files.push_back(at->path().lexically_relative(root_).generic_string());
      }
    }
    std::sort(files.begin(), files.end());
    return files;
  }

  bool leads_outside(const std::string& path) const override {
    std::error_code error;
    const fs::path real = fs::canonical(root_ / path, error);
    return !error && !inside(real);
  }
  std::optional<std::string> load(const std::string& path) const override {
    std::error_code error;
    const fs::path real = fs::canonical(root_ / path, error);
    if (error || !fs::is_regular_file(real, error) || !inside(real)) return std::nullopt;
    std::ifstream in(real, std::ios::binary);
    if (!in) return std::nullopt;
    const auto size = fs::file_size(real, error);
    std::string text(error ? 0 : size, '\0');
    in.read(text.data(), static_cast<std::streamsize>(text.size()));
    text.resize(static_cast<std::size_t>(in.gcount()));
    return text;
  }

  bool inside(const fs::path& real) const {
    return std::mismatch(root_.begin(), root_.end(), real.begin(), real.end()).first == root_.end();
  }

  fs::path root_;
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

  bool leads_outside(const std::string& path) const override { return files_.leads_outside(path); }

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

Digest FileSystem::digest_of(const std::string& name) const {
  {
    const std::lock_guard lock(mutex_);
    const auto known = reads_.find(name);
    if (known != reads_.end()) return known->second;
  }
  const bool file = name.starts_with(read_name);
  const Digest found = file ? content_digest(load(name.substr(read_name.size())))
                            : content_digest(walk(name.substr(list_name.size())));
  const std::lock_guard lock(mutex_);
  reads_.emplace(name, found);
  return found;
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
