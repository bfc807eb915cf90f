// When the files of a book changed, from git.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "generator/cache.hpp"

namespace primer {

struct Change {
  std::string date;     // "2026-11-21T09:30:00Z"
  std::string commit;   // ten hexadecimal digits or more
  std::string subject;  // the first line of its message; of UTF-8, whatever was committed
};

struct FileHistory {
  std::string created, changed;  // dates
  std::vector<Change> changes = {};  // newest first
};

// Path from the book's root → its first and its last change.
using History = std::map<std::string, FileHistory>;

// What is checked out: a commit, and whether all that came before it is there. Empty where there is none.
std::string head_of(const std::string& book);

// One call of git for all files below chapters/, or none when `cache`, which may be null, has what it said of
// this `head`. Empty where git is missing, the book is in no repository, or nothing of it was committed. A
// shallow clone gives every file the same date.
History read_history(const std::string& book, const std::string& head, Cache* cache);

// What git printed for "%x01%cd%x02%h%x02%s" and --name-only, newest first.
History parse_history(const std::string& log);

}  // namespace primer
