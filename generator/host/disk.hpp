// FileSystem on disk, and lock files.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <system_error>

#include "generator/core/base/file_system.hpp"
#include "generator/host/directory.hpp"

namespace primer {

// The files of a directory. Below `root` no symbolic link is followed; `root` itself may be one.
std::unique_ptr<FileSystem> disk(const std::string& root);

// A lock on a file, held until the object is destroyed or the process ends, even if it is killed.
// The constructor waits for the current holder and calls `waits` once if that takes more than a
// second.
class Lock {
 public:
  // Makes the file if it is missing and never writes to it. Fails for symbolic links and for files
  // with several hard links.
  Lock(
      const Directory& directory, const std::string& name,
      const std::function<void()>& waits = [] {});
  ~Lock() { release(); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  bool held() const { return file_ >= 0; }
  const std::error_code& error() const { return error_; }  // why it is not held

 private:
  void take(const std::function<void()>& waits);
  void release();
  int file_;
  std::error_code error_;
};

}  // namespace primer
