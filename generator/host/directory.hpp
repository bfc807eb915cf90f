// An open directory. All paths below it are resolved relative to it, and everything that primer
// writes, links, moves or removes goes through this class.
//
// The content may have been prepared by somebody else. A path below must therefore be normal
// (normal_path()), and no part of it may be a symbolic link. Other paths are refused with EINVAL or
// ELOOP, and nothing changes. Existing files are never written to: another file takes their place,
// so other hard links to the old file keep its content.
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

// The error in errno.
std::error_code last_error();

// A temporary name next to `path` that nobody can have guessed.
std::string aside_name(const std::string& path);

// Writes all bytes. On error, part of them may be in the file.
std::error_code write_all(int file, std::string_view bytes);

class Directory {
 public:
  Directory() = default;
  // The user named this path, so links in it are followed. If it cannot be opened, get() is -1 and
  // errno says why.
  explicit Directory(const std::filesystem::path& path);
  ~Directory();
  Directory(Directory&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Directory& operator=(Directory&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const { return file_; }  // for queries only; -1: none

  // Open a directory, read a file or a link below. On failure get() is -1 or there is no value, and
  // errno says why.
  Directory below(const std::string& path) const;
  std::optional<std::string> read(const std::string& path, std::size_t largest) const;
  std::optional<std::string> link_target(const std::string& path) const;
  // Like open(2). The descriptor is not inherited by child processes.
  int open(const std::string& path, int flags, mode_t mode = 0) const;
  std::vector<std::string> names() const;  // sorted, without "." and ".."
  // Sorted paths of everything below, at any depth, except for directories. Links are listed but
  // not followed.
  std::vector<std::string> files() const;
  // The first part of the path that is a symbolic link, for example "a/b" in "a/b/c". Empty: none.
  std::string link_in(const std::string& path) const;

  // Makes a directory and its parents. It may already exist.
  [[nodiscard]] std::error_code make(const std::string& path, mode_t mode = 0777) const;
  // Makes one directory. It must not exist.
  [[nodiscard]] std::error_code make_new(const std::string& path) const;
  // Writes a new file. On failure there is none.
  [[nodiscard]] std::error_code write(const std::string& path, std::string_view bytes,
                                      mode_t mode = 0666) const;
  // Makes a hard link to a file of `from`.
  [[nodiscard]] std::error_code link(const Directory& from, const std::string& from_path,
                                     const std::string& path) const;
  // Moves a file or directory, replacing the target atomically.
  [[nodiscard]] std::error_code move(const std::string& path, const Directory& to,
                                     const std::string& to_path) const;
  // Moves a file or directory. The target must not exist.
  [[nodiscard]] std::error_code move_new(const std::string& path, const Directory& to,
                                         const std::string& to_path) const;
  // Exchanges two entries below this directory atomically.
  [[nodiscard]] std::error_code exchange(const std::string& path, const std::string& other) const;
  // Removes a file or link. It may be missing.
  [[nodiscard]] std::error_code remove(const std::string& path) const;
  // Removes anything, with all its content on the same file system.
  [[nodiscard]] std::error_code remove_all(const std::string& path) const;

 private:
  std::error_code rename(const std::string& path, const Directory& to, const std::string& to_path,
                         unsigned flags) const;
  int file_ = -1;
};

// Opens a path below a directory one part at a time, for kernels without openat2().
int open_by_steps(int directory, const std::string& path, int flags, mode_t mode);

}  // namespace primer
