// How a build knows a directory again that an earlier build of the same user has made.
//
// A seal is a MAC, under a random key that lies among the user's own files, over what the file system
// says of the directory itself: its inode and when it was made. A name proves nothing: "site.2024" may
// be somebody's backups, and a book that was sent may hold any directory, with any file in it. But
// whoever sends one knows neither the key nor what inode it will get here, nor, to the nanosecond,
// when. A copy of a sealed directory is not sealed; one that is moved still is.
#pragma once

#include <string>

#include "generator/host/user_directories.hpp"

namespace primer {

class Seal {
 public:
  // With a key of no user: only directories that say when they were made can be known again.
  Seal() = default;
  explicit Seal(std::string key) : key_(std::move(key)) {}
  // With the user's key, which is made if it is missing or damaged.
  static Seal of(const UserDirectories& user);

  // Of an open directory: hexadecimal; empty when it cannot be sealed.
  std::string operator()(int directory) const;

 private:
  std::string key_;
};

}  // namespace primer
