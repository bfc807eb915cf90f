// An open directory, below which the system finds a path without walking to it.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <filesystem>
#include <utility>

namespace primer {

class Directory {
 public:
  Directory() = default;
  explicit Directory(const std::filesystem::path& path)
      : file_(open(path.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)) {}
  ~Directory() {
    if (file_ >= 0) close(file_);
  }
  Directory(Directory&& other) noexcept : file_(std::exchange(other.file_, -1)) {}
  Directory& operator=(Directory&& other) noexcept {
    std::swap(file_, other.file_);
    return *this;
  }
  int get() const { return file_; }  // -1: there is none

 private:
  int file_ = -1;
};

}  // namespace primer
