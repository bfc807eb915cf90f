// The user's cache, $XDG_CACHE_HOME/primer or ~/.cache/primer, which may be deleted at any time. It is outside of
// every book, so nobody who sends a book can have sent it, and it belongs to the user with mode 0700; a directory of
// another user is not used.
#pragma once

#include <filesystem>
#include <string>

namespace primer {

struct UserDirectories {
  std::filesystem::path cache;  // empty: there is none
  std::string missing;          // then why, in a sentence without a full stop; else empty

  // The directory of one book below the cache; empty when there is none. It need not be there.
  std::filesystem::path cache_of(const std::string& book) const;
};

// Those that are there, nothing made. None lies below the book, if one is named: what it brings along is not the
// user's.
UserDirectories find_user_directories(const std::string& book = {});
// The same, made if they are missing.
UserDirectories make_user_directories(const std::string& book = {});

}  // namespace primer
