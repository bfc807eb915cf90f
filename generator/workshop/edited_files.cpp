#include "generator/workshop/edited_files.hpp"

#include <utility>

namespace primer {

EditedFiles::EditedFiles(std::map<std::string, std::string> files,
                         std::map<std::string, Digest> apart, std::set<std::string> named)
    : files_(std::move(files)), apart_(std::move(apart)), names_(std::move(named)) {
  for (const auto& [path, text] : files_) names_.insert(path);
  for (const auto& [path, digest] : apart_) names_.insert(path);
}

bool EditedFiles::bring(const std::string& path, std::string text) {
  const auto wanted = apart_.find(path);
  if (wanted == apart_.end() || digest(text) != wanted->second) return false;
  files_[path] = std::move(text);
  apart_.erase(wanted);
  return true;
}

void EditedFiles::need(const std::string& path) const {
  const auto wanted = apart_.find(path);
  if (wanted != apart_.end()) throw TextsNeeded{{*wanted}};
}

void EditedFiles::need_all() const {
  if (!apart_.empty()) throw TextsNeeded{apart_};
}

bool EditedFiles::write(const std::string& path, std::string text) {
  if (normal_path(path) != path || text.size() > largest_file(path)) return false;
  need(path);
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

std::optional<std::string> EditedFiles::published(const std::string& path) const {
  const auto original = originals_.find(path);
  if (original != originals_.end()) return original->second;
  return edited_.contains(path) ? std::nullopt : read(path);
}

std::optional<Digest> EditedFiles::known_digest_of(const Dependency& asked) const {
  const auto file = asked.kind == Dependency::Kind::file ? apart_.find(asked.what) : apart_.end();
  return file == apart_.end() ? FileSystem::known_digest_of(asked) : std::optional(file->second);
}

std::optional<std::string> EditedFiles::load(const std::string& path) const {
  const auto file = files_.find(path);
  if (file != files_.end()) return file->second;
  need(path);
  return std::nullopt;
}

std::vector<std::string> EditedFiles::walk(const std::string& directory) const {
  std::vector<std::string> found;
  for (const auto& path : names_) {
    if (directory == "." || path.starts_with(directory + '/')) found.push_back(path);
  }
  return found;
}

}  // namespace primer
