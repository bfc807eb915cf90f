#include "generator/host/disk.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <thread>
#include <vector>

#include "generator/core/base/text.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace {
Unreadable because(int reason) {
  return {std::string("the file cannot be read: ") + std::strerror(reason)};
}

// What is wrong with an open file; the text follows its name.
Unreadable fault_of(int file, std::size_t most) {
  struct stat status{};
  char first = 0;
  if (fstat(file, &status) != 0) return because(errno);
  if (S_ISDIR(status.st_mode)) return {"this is a directory, not a file"};
  if (S_ISFIFO(status.st_mode)) return {"this is a pipe, not a file"};
  if (!S_ISREG(status.st_mode)) return {"this is a device, not a file"};
  if (static_cast<std::uint64_t>(status.st_size) > most)
    return {"the file has more than " + std::to_string(most) + " bytes", true};
  return pread(file, &first, 1, 0) < 0 ? because(errno) : Unreadable();
}

// What is wrong with a path that contains a link; the text follows the path.
std::string link_fault(const std::string& path, const std::string& link) {
  if (link == path) return "this is a symbolic link; put the file itself there";
  return in_quotes(link) + " is a symbolic link; put the directory itself there";
}

// Follows no link below the root: a file of the book could otherwise have the bytes of a file that
// nobody meant to publish. The root may be reached through links, because the user named it.
class Disk : public FileSystem {
 public:
  explicit Disk(const std::string& root) : root_(root) {}

 private:
  std::vector<std::string> walk(const std::string& directory) const override {
    if (directory == ".") return root_.files();
    std::vector<std::string> files = root_.below(directory).files();
    for (auto& path : files) path = directory + '/' + path;
    return files;
  }

  std::string link_in(const std::string& path) const override { return root_.link_in(path); }

  Unreadable why_unreadable(const std::string& path) const override {
    // O_NONBLOCK, because opening a pipe must not block.
    const int file = root_.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    const int failed = errno;
    if (file >= 0) {
      Unreadable fault = fault_of(file, largest_file(path));
      close(file);
      return fault;
    }
    if (const std::string link = root_.link_in(path); !link.empty())
      return {link_fault(path, link)};
    const bool is_missing = failed == ENOENT || failed == ENOTDIR ||
                            failed == EBADF;  // EBADF: the root could not be opened
    if (is_missing || failed == EINVAL) return {};
    return because(failed);
  }

  std::optional<std::int64_t> modified(const std::string& path) const override {
    const int file = root_.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (file < 0) return {};
    struct stat status{};
    const bool is_known = fstat(file, &status) == 0;
    close(file);
    return is_known ? std::optional<std::int64_t>(status.st_mtime) : std::nullopt;
  }

  std::optional<std::string> load(const std::string& path) const override {
    return root_.read(path, largest_file(path));
  }

  Directory root_;
};

}  // namespace

std::unique_ptr<FileSystem> disk(const std::string& root) { return std::make_unique<Disk>(root); }

// Locks.

namespace {
constexpr int looks = 100;  // attempts before `waits` is called
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
