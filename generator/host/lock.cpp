#include "generator/host/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <thread>

namespace primer {

namespace {

constexpr int looks = 100;  // without blocking, before somebody is told
constexpr std::chrono::milliseconds between_tries{10};

int lock(int file, int how) {
  int failed = 0;
  do {
    failed = flock(file, how);
  } while (failed != 0 && errno == EINTR);
  return failed;
}

}  // namespace

Lock::Lock(const Directory& directory, const std::string& name, const std::function<void()>& waits)
    : file_(directory.open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600)) {
  struct stat status{};
  if (file_ < 0 || fstat(file_, &status) != 0) {
    error_ = last_error();
  } else if (!S_ISREG(status.st_mode) || status.st_nlink != 1) {
    error_ = std::make_error_code(std::errc::operation_not_permitted);
  } else {
    take(waits);
  }
  if (error_) release();
}

void Lock::take(const std::function<void()>& waits) {
  int failed = lock(file_, LOCK_EX | LOCK_NB);
  for (int i = 0; failed != 0 && errno == EWOULDBLOCK && i < looks; ++i) {
    std::this_thread::sleep_for(between_tries);
    failed = lock(file_, LOCK_EX | LOCK_NB);
  }
  if (failed != 0 && errno == EWOULDBLOCK) {
    waits();
    failed = lock(file_, LOCK_EX);
  }
  if (failed != 0) error_ = last_error();
}

void Lock::release() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

}  // namespace primer
