// What an import changed or left out, for the author to look at: nothing of a book changes silently.
#pragma once

#include <map>
#include <string>

namespace primer {

class Lowered {
 public:
  // What it was, what became of it, and where.
  void add(const std::string& what, const std::string& fate, const std::string& file, int line);
  // A table in Markdown, the most frequent first.
  std::string table() const;
  std::size_t count() const;

 private:
  struct Kind {
    std::size_t times = 0;
    std::string first_place, last_file;
    std::size_t files = 0;
  };
  std::map<std::pair<std::string, std::string>, Kind> kinds_;
};

}  // namespace primer
