#include "generator/workshop/edited_files.hpp"

#include <utility>

namespace primer {

EditedFiles::EditedFiles(std::map<std::string, std::string> files, std::set<std::string> named)
    : files_(std::move(files)), names_(std::move(named)) {
  for (const auto& [path, text] : files_) names_.insert(path);
}

bool EditedFiles::write(const std::string& path, std::string text) {
  if (normal_path(path) != path || text.size() > largest_file(path)) return false;
  const auto before = files_.find(path);
  if (before != files_.end() && edited_.insert(path).second) originals_[path] = before->second;
  edited_.insert(path);
  files_[path] = std::move(text);
  names_.insert(path);
  forget(path);
  return true;
}

void EditedFiles::revert(const std::string& path) {
  if (edited_.erase(path) == 0) return;
  if (auto original = originals_.extract(path)) {
    files_[path] = std::move(original.mapped());
  } else {
    files_.erase(path);
    names_.erase(path);
  }
  forget(path);
}

std::optional<std::string> EditedFiles::load(const std::string& path) const {
  const auto file = files_.find(path);
  if (file == files_.end()) return std::nullopt;
  return file->second;
}

std::vector<std::string> EditedFiles::walk(const std::string& directory) const {
  std::vector<std::string> found;
  for (const auto& path : names_) {
    if (directory == "." || path.starts_with(directory + '/')) found.push_back(path);
  }
  return found;
}

}  // namespace primer
