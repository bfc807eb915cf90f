// Where a user's own files lie: outside of every book, so that nobody who sends a book has sent them.
//
//   cache   $XDG_CACHE_HOME/primer, or ~/.cache/primer: what may be thrown away at any time
//   state   $XDG_STATE_HOME/primer, or ~/.local/state/primer: the key of seals (seal.hpp)
//
// Both belong to the user and nobody else can look into them (mode 0700); what is another's is not used.
#pragma once

#include <filesystem>
#include <string>

namespace primer {

struct UserDirectories {
  std::filesystem::path cache, state;  // empty: there is none
  std::string missing;                 // then why, in a sentence without a full stop; else empty

  // The directory of one book below the cache; empty when there is none. It need not be there.
  std::filesystem::path cache_of(const std::string& book) const;
};

// Those that are there, nothing made. None lies below the book, if one is named: what it brings along is not the
// user's.
UserDirectories find_user_directories(const std::string& book = {});
// The same, made if they are missing.
UserDirectories make_user_directories(const std::string& book = {});

}  // namespace primer
