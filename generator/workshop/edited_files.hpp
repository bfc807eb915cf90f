// A book's files in memory, which an author edits.
#pragma once

#include <map>
#include <set>
#include <string>

#include "generator/base/file_system.hpp"

namespace primer {

class EditedFiles final : public FileSystem {
 public:
  // `named` are files that the book has elsewhere: they are listed, and cannot be read.
  EditedFiles(std::map<std::string, std::string> files, std::set<std::string> named);

  // False: nobody may write there, for it is no normal path, or the text is larger than such a file may be.
  bool write(const std::string& path, std::string text);
  // Back to what it was at first, which may be nothing. Nothing happens to a file that was not written.
  void revert(const std::string& path);
  // Whether it is a file that the book did not have at first.
  bool is_new(const std::string& path) const {
    return edited_.contains(path) && !originals_.contains(path);
  }
  const std::set<std::string>& edited() const { return edited_; }

 private:
  std::optional<std::string> load(const std::string& path) const override;
  std::vector<std::string> walk(const std::string& directory) const override;

  std::map<std::string, std::string> files_, originals_;
  std::set<std::string> names_, edited_;
};

}  // namespace primer
