#include "generator/host/disk.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <optional>
#include <vector>

#include "generator/base/text.hpp"
#include "generator/host/directory.hpp"

namespace primer {
namespace {

// A file that is open; -1: none.
class Handle {
 public:
  explicit Handle(int file) : file_(file) {}
  ~Handle() {
    if (file_ >= 0) close(file_);
  }
  Handle(const Handle&) = delete;
  Handle& operator=(const Handle&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

Unreadable because(int reason) {
  return {std::string("the file cannot be read: ") + std::strerror(reason)};
}

// What is wrong with an open file, in words that follow its name.
Unreadable fault_of(int file, std::size_t most) {
  struct stat status{};
  char first = 0;
  if (fstat(file, &status) != 0) return because(errno);
  if (S_ISDIR(status.st_mode)) return {"this is a directory, no file"};
  if (S_ISFIFO(status.st_mode)) return {"this is a pipe, no file"};
  if (!S_ISREG(status.st_mode)) return {"this is a device, no file"};
  if (static_cast<std::uint64_t>(status.st_size) > most)
    return {"the file has more than " + std::to_string(most) + " bytes", true};
  return pread(file, &first, 1, 0) < 0 ? because(errno) : Unreadable();
}

// What is wrong with a path that has a link in it, in words that follow the path.
std::string link_fault(const std::string& path, const std::string& link) {
  if (link == path) return "this is a symbolic link; put the file itself there";
  return in_quotes(link) + " is a symbolic link; put the directory itself there";
}

// All of a regular file, as it was when it was opened, or its beginning where it becomes shorter;
// nothing of anything else.
std::optional<std::string> read_all(int file, std::size_t most) {
  struct stat status{};
  if (file < 0 || fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (static_cast<std::uint64_t>(status.st_size) > most) return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < text.size()) {
    const ssize_t count = ::read(file, text.data() + done, text.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  text.resize(done);
  return text;
}

// Below the root no link is followed, whatever it leads to: a file of the book's name would have the bytes of another,
// which nobody meant to publish. The root itself may be reached by links, since its user has named it.
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
    const Handle file(open(path));
    if (file.get() >= 0) return fault_of(file.get(), largest_file(path));
    const int failed = errno;
    if (const std::string link = root_.link_in(path); !link.empty())
      return {link_fault(path, link)};
    const bool is_missing =
        failed == ENOENT || failed == ENOTDIR || failed == EBADF;  // the root, perhaps
    if (is_missing || failed == EINVAL) return {};
    return because(failed);
  }

  std::optional<std::string> load(const std::string& path) const override {
    return read_all(Handle(open(path)).get(), largest_file(path));
  }

  // -1 and errno when there is nothing that can be read. A pipe must not make us wait.
  int open(const std::string& path) const {
    return root_.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  }

  Directory root_;
};

}  // namespace

std::unique_ptr<FileSystem> disk(const std::string& root) { return std::make_unique<Disk>(root); }

}  // namespace primer
