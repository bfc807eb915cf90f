// The user's cache directory, $XDG_CACHE_HOME/primer or ~/.cache/primer. It may be deleted at any
// time. It is outside of every book, so its content cannot come from a book's author. It must
// belong to the user and has mode 0700.
#pragma once

#include <filesystem>
#include <string>

namespace primer {

struct UserDirectories {
  std::filesystem::path cache;  // empty: there is none
  std::string missing;  // why there is none, as a sentence without full stop; empty if there is one

  // The directory of one book in the cache; it may not exist yet. Empty if there is no cache.
  std::filesystem::path cache_of(const std::string& book) const;
};

// Finds the directories and makes nothing. A directory inside `book` is not used, because its
// content may have come with the book.
UserDirectories find_user_directories(const std::string& book = {});
// The same, but makes missing directories.
UserDirectories make_user_directories(const std::string& book = {});

}  // namespace primer
