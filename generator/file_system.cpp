#include "generator/file_system.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

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

  std::vector<std::string> list(const std::string& directory) const override {
    std::vector<std::string> files;
    std::error_code error;
    fs::recursive_directory_iterator walk(root_ / directory, error), end;
    for (; !error && walk != end; walk.increment(error)) {
      std::error_code ignored;
      if (walk->is_regular_file(ignored)) {
        files.push_back(walk->path().lexically_relative(root_).generic_string());
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

 private:
  std::optional<std::string> load(const std::string& path) const override {
    std::error_code error;
    const fs::path real = fs::canonical(root_ / path, error);
    if (error || !fs::is_regular_file(real, error) || !inside(real)) return std::nullopt;
    std::ifstream in(real, std::ios::binary);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return std::move(text).str();
  }

  bool inside(const fs::path& real) const {
    return std::mismatch(root_.begin(), root_.end(), real.begin(), real.end()).first == root_.end();
  }

  fs::path root_;
};

class Memory : public FileSystem {
 public:
  explicit Memory(std::map<std::string, std::string> files) : files_(std::move(files)) {}

  std::vector<std::string> list(const std::string& directory) const override {
    std::vector<std::string> found;
    for (const auto& [path, text] : files_) {
      if (path.starts_with(directory + '/')) found.push_back(path);
    }
    return found;
  }

 private:
  std::optional<std::string> load(const std::string& path) const override {
    const auto file = files_.find(path);
    if (file == files_.end()) return std::nullopt;
    return file->second;
  }

  std::map<std::string, std::string> files_;
};

}  // namespace

std::optional<std::string> FileSystem::read(const std::string& path) const {
  {
    const std::lock_guard lock(mutex_);
    files_read_.insert(path);
  }
  return load(path);
}

std::set<std::string> FileSystem::files_read() const {
  const std::lock_guard lock(mutex_);
  return files_read_;
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
