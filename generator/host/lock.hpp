// A file that one process at a time holds.
#pragma once

#include <functional>
#include <string>
#include <system_error>

#include "generator/host/directory.hpp"

namespace primer {

// Held until the process ends or the object goes; a killed process leaves it free. Waits for who
// holds it, and calls `waits` once if that takes longer than a second.
class Lock {
 public:
  // Makes the file when it is missing. It is never written; a link, or a file with a second name, is none.
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
