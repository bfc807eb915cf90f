// A book's files in memory, which an author edits.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"

namespace primer {

// Files that the book has and that are not here yet: thrown through everything, so that nothing is made without them. Who asked
// brings them (EditedFiles::bring) and asks again.
struct TextsNeeded {
  std::map<std::string, Digest> files;
};

class EditedFiles final : public FileSystem {
 public:
  // `apart` are files whose texts are brought when they are needed, by their digests; `named` are files that the book has
  // elsewhere: they are listed, and cannot be read.
  EditedFiles(std::map<std::string, std::string> files, std::map<std::string, Digest> apart,
              std::set<std::string> named);

  // False: it is not the text that the book has there.
  bool bring(const std::string& path, std::string text);
  // Throws TextsNeeded unless all texts are here.
  void need_all() const;

  // False: nobody may write there, for it is no normal path, or the text is larger than such a file may be.
  bool write(const std::string& path, std::string text);
  // Back to what it was at first, which may be nothing. Nothing happens to a file that was not written.
  void revert(const std::string& path);
  // What it was at first.
  std::optional<std::string> published(const std::string& path) const;
  // Whether it is a file that the book did not have at first.
  bool is_new(const std::string& path) const {
    return edited_.contains(path) && !originals_.contains(path);
  }
  const std::set<std::string>& edited() const { return edited_; }

  std::optional<Digest> known_digest_of(const Dependency& asked) const override;

 private:
  std::optional<std::string> load(const std::string& path) const override;
  std::vector<std::string> walk(const std::string& directory) const override;
  void need(const std::string& path) const;

  std::map<std::string, std::string> files_, originals_;
  std::map<std::string, Digest> apart_;
  std::set<std::string> names_, edited_;
};

}  // namespace primer
