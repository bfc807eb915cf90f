#include "generator/lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace primer {

Lock::Lock(const Directory& directory, const std::string& name)
    : file_(directory.open(name, O_CREAT | O_RDWR | O_NONBLOCK, 0600)) {
  struct stat status {};
  if (file_ < 0 || fstat(file_, &status) != 0) {
    error_ = last_error();
  } else if (!S_ISREG(status.st_mode) || status.st_nlink != 1) {
    error_ = std::make_error_code(std::errc::operation_not_permitted);
  } else {
    int failed = 0;
    do {
      failed = flock(file_, LOCK_EX);
    } while (failed != 0 && errno == EINTR);
    if (failed != 0) error_ = last_error();
  }
  if (error_) release();
}

void Lock::release() {
  if (file_ >= 0) close(file_);
  file_ = -1;
}

}  // namespace primer
