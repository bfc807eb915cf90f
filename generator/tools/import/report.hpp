// IMPORTED.md: everything that an import changed, left out or lost, with its place in the old book.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace primer {

class ImportReport {
 public:
  // A change of form that keeps the words: what it was, what it is now, and where it was.
  void changed(const std::string& what, const std::string& now, const std::string& file, int line);
  // Content that is not in the new book.
  void lost(const std::string& text, const std::string& file, int line);
  // A file that the old book's table of contents lists and that is not in the new book.
  void not_taken(const std::string& file, const std::string& why, const std::string& list,
                 int line);

  std::size_t changes() const;
  std::size_t losses() const { return lost_.size(); }
  std::size_t files_not_taken() const { return not_taken_.size(); }
  std::string markdown() const;

 private:
  struct Loss {
    std::string place, text;
  };
  using Places = std::map<std::string, std::vector<int>>;  // lines by file; 0: the whole file

  std::map<std::pair<std::string, std::string>, Places> changed_;
  std::vector<Loss> lost_, not_taken_;
};

}  // namespace primer
