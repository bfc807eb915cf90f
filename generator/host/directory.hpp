// An open directory, below which the system finds a path without walking to it, and everything that
// this program writes, links, moves or removes.
//
// What lies below may have been prepared by somebody else. So a path below is a normal one
// (normal_path()), and no part of it is a symbolic link: any other is refused, with EINVAL or
// ELOOP, and nothing is touched. Nothing is written into a file that is there: another file takes
// its place, and what is linked to the old one stays as it is.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace primer {

// What the system said last: its message() is a reason in words.
std::error_code last_error();

// A name next to `path` that nobody can have prepared, for what is not in its place yet.
std::string aside_name(const std::string& path);

// Whole or not: what the system took of it before an error may be in the file.
std::error_code write_all(int file, std::string_view bytes);

class Directory {
 public:
  Directory() = default;
  // The path is the user's own: links in it are followed. Without one there get() is -1, errno says why.
  explicit Directory(const std::filesystem::path& path);
  ~Directory();
  Directory(Directory&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Directory& operator=(Directory&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const { return file_; }  // for questions only; -1: there is none

  // A directory, file or link below; get() is -1, or nothing comes, for another, and errno says why.
  Directory below(const std::string& path) const;
  std::optional<std::string> read(const std::string& path, std::size_t largest) const;
  std::optional<std::string> link_target(const std::string& path) const;
  // As open(2) does; the file is closed when a program is started.
  int open(const std::string& path, int flags, mode_t mode = 0) const;
  std::vector<std::string> names() const;  // sorted, without "." and ".."
  // Paths of all that is below at any depth and is not a directory, sorted. A link is named, and leads nowhere.
  std::vector<std::string> files() const;
  // The first part of a path that is a symbolic link: "a/b" of "a/b/c"; empty when there is none.
  std::string link_in(const std::string& path) const;

  // Makes a directory and those that it lies in. What is there already is well.
  [[nodiscard]] std::error_code make(const std::string& path, mode_t mode = 0777) const;
  // One directory. Anything that is there already is an error.
  [[nodiscard]] std::error_code make_new(const std::string& path) const;
  // A new file; where it fails there is none.
  [[nodiscard]] std::error_code write(const std::string& path, std::string_view bytes,
                                      mode_t mode = 0666) const;
  // A file of the other directory, which is then one of this as well.
  [[nodiscard]] std::error_code link(const Directory& from, const std::string& from_path,
                                     const std::string& path) const;
  // To another place, in whose stead it is in one step.
  [[nodiscard]] std::error_code move(const std::string& path, const Directory& to,
                                     const std::string& to_path) const;
  // The same, but anything that is there already is an error.
  [[nodiscard]] std::error_code move_new(const std::string& path, const Directory& to,
                                         const std::string& to_path) const;
  // Two things below this directory change places in one step.
  [[nodiscard]] std::error_code exchange(const std::string& path, const std::string& other) const;
  // A file or a link. What is not there is removed.
  [[nodiscard]] std::error_code remove(const std::string& path) const;
  // Also a directory with all that is in it, as far as it is on the same file system.
  [[nodiscard]] std::error_code remove_all(const std::string& path) const;

 private:
  std::error_code rename(const std::string& path, const Directory& to, const std::string& to_path,
                         unsigned flags) const;
  int file_ = -1;
};

// How Directory opens what lies below where the kernel has no openat2(): one part of the path after
// the other.
int open_by_steps(int directory, const std::string& path, int flags, mode_t mode);

}  // namespace primer
