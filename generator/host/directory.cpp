#include "generator/host/directory.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <linux/openat2.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/file_system.hpp"

namespace primer {
namespace {

constexpr int only_to_walk = O_PATH | O_DIRECTORY;

// Closes the file and preserves errno.
void close_quietly(int file) {
  const int reason = errno;
  if (file >= 0) ::close(file);
  errno = reason;
}

class File {
 public:
  explicit File(int file) : file_(file) {}
  ~File() { close_quietly(file_); }
  File(const File&) = delete;
  File& operator=(const File&) = delete;
  int get() const { return file_; }

 private:
  int file_;
};

bool is_name(std::string_view part) { return !part.empty() && part != "." && part != ".."; }

// normal_path() without its allocations, because this runs per file of a site.
bool is_normal(std::string_view path) {
  if (path.find('\0') != path.npos || path.find('\\') != path.npos) return false;
  for (;;) {
    const auto slash = path.find('/');
    if (!is_name(path.substr(0, slash))) return false;
    if (slash == path.npos) return true;
    path.remove_prefix(slash + 1);
  }
}

int open_below(int directory, const std::string& path, int flags, mode_t mode) {
  if (!is_normal(path)) {
    errno = EINVAL;
    return -1;
  }
  open_how how{};
  const bool opens_links = (flags & O_PATH) != 0 && (flags & O_DIRECTORY) == 0;
  how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC | (opens_links ? O_NOFOLLOW : 0));
  how.mode = (flags & O_CREAT) ? mode : 0;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS;
  const auto file =
      static_cast<int>(syscall(SYS_openat2, directory, path.c_str(), &how, sizeof how));
  // Older kernels lack openat2(), and some containers forbid it.
  if (file >= 0 || (errno != ENOSYS && errno != EPERM && errno != EAGAIN)) return file;
  return open_by_steps(directory, path, flags, mode);
}

// Calls act(directory, name) with the parent directory of a path and its last part.
template <class Do>
std::error_code in_parent(int directory, const std::string& path, const Do& act) {
  if (!is_normal(path)) return std::make_error_code(std::errc::invalid_argument);
  const auto slash = path.rfind('/');
  if (slash == path.npos)
    return act(directory, path.c_str()) == 0 ? std::error_code() : last_error();
  const File parent(open_below(directory, path.substr(0, slash), only_to_walk, 0));
  if (parent.get() < 0) return last_error();
  return act(parent.get(), path.c_str() + slash + 1) == 0 ? std::error_code() : last_error();
}

bool is_link(int directory, const std::string& name) {
  struct stat status{};
  return fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISLNK(status.st_mode);
}

struct Close {
  void operator()(DIR* list) const { closedir(list); }
};

// Reopens the directory, so that listing does not share its position with other users.
std::unique_ptr<DIR, Close> listing_of(int directory) {
  const int file = openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR* list = file < 0 ? nullptr : fdopendir(file);
  if (!list) close_quietly(file);
  return std::unique_ptr<DIR, Close>(list);
}

std::vector<std::string> names_in(int directory) {
  std::vector<std::string> names;
  const auto list = listing_of(directory);
  while (const dirent* entry = list ? readdir(list.get()) : nullptr) {
    if (is_name(entry->d_name)) names.emplace_back(entry->d_name);
  }
  std::sort(names.begin(), names.end());
  return names;
}

bool is_directory(int directory, const dirent& entry) {
  if (entry.d_type != DT_UNKNOWN) return entry.d_type == DT_DIR;
  struct stat status{};
  return fstatat(directory, entry.d_name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
         S_ISDIR(status.st_mode);
}

// `before`: path of the directory with a slash at its end, or "".
void add_files(int directory, const std::string& before, std::vector<std::string>& files) {
  const auto list = listing_of(directory);
  while (const dirent* entry = list ? readdir(list.get()) : nullptr) {
    if (!is_name(entry->d_name)) continue;
    const std::string path = before + entry->d_name;
    if (!is_directory(directory, *entry)) {
      files.push_back(path);
      continue;
    }
    const File below(openat(directory, entry->d_name, only_to_walk | O_NOFOLLOW | O_CLOEXEC));
    if (below.get() >= 0) add_files(below.get(), path + '/', files);
  }
}

std::error_code remove_name(int directory, const std::string& name, dev_t device) {
  if (unlinkat(directory, name.c_str(), 0) == 0 || errno == ENOENT) return {};
  struct stat status{};
  const auto refused = last_error();
  if (fstatat(directory, name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return last_error();
  if (!S_ISDIR(status.st_mode)) return refused;
  if (status.st_dev != device) return std::make_error_code(std::errc::cross_device_link);
  const File below(openat(directory, name.c_str(), only_to_walk | O_NOFOLLOW | O_CLOEXEC));
  if (below.get() < 0) return last_error();
  for (const auto& one : names_in(below.get())) {
    if (const auto error = remove_name(below.get(), one, device)) return error;
  }
  return unlinkat(directory, name.c_str(), AT_REMOVEDIR) == 0 ? std::error_code() : last_error();
}

}  // namespace

std::error_code last_error() { return {errno, std::generic_category()}; }

std::string aside_name(const std::string& path) {
  Digest random;
  static_cast<void>(getrandom(&random, sizeof random, 0));
  return path + '.' + to_text(random).substr(0, 12);
}

std::error_code write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return last_error();
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
  return {};
}

int open_by_steps(int directory, const std::string& path, int flags, mode_t mode) {
  std::size_t from = 0;
  int at = directory;
  for (;;) {
    const auto end = path.find('/', from);
    const std::string part = path.substr(from, end - from);
    const bool is_last = end == path.npos;
    const int next =
        openat(at, part.c_str(), (is_last ? flags : only_to_walk) | O_NOFOLLOW | O_CLOEXEC, mode);
    if (next < 0 && errno == ENOTDIR && is_link(at, part)) errno = ELOOP;
    if (at != directory) close_quietly(at);
    if (next < 0 || is_last) return next;
    at = next;
    from = end + 1;
  }
}

Directory::Directory(const std::filesystem::path& path)
    : file_(::open(path.c_str(), only_to_walk | O_CLOEXEC)) {}

Directory::~Directory() { close_quietly(file_); }

Directory Directory::below(const std::string& path) const {
  Directory found;
  found.file_ = open_below(file_, path, only_to_walk, 0);
  return found;
}

std::optional<std::string> Directory::read(const std::string& path, std::size_t largest) const {
  const File file(open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY));
  struct stat status{};
  if (file.get() < 0 || fstat(file.get(), &status) != 0) return std::nullopt;
  if (!S_ISREG(status.st_mode) || static_cast<std::size_t>(status.st_size) > largest) {
    errno = S_ISREG(status.st_mode) ? EFBIG : EINVAL;
    return std::nullopt;
  }
  std::string bytes(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::read(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) return std::nullopt;
    if (count == 0) break;
    done += static_cast<std::size_t>(count);
  }
  bytes.resize(done);
  return bytes;
}

std::optional<std::string> Directory::link_target(const std::string& path) const {
  std::string target(4096, '\0');
  ssize_t size = -1;
  const auto error = in_parent(file_, path, [&](int parent, const char* name) {
    size = readlinkat(parent, name, target.data(), target.size());
    return size < 0 ? -1 : 0;
  });
  if (error || size == static_cast<ssize_t>(target.size())) return std::nullopt;
  target.resize(static_cast<std::size_t>(size));
  return target;
}

int Directory::open(const std::string& path, int flags, mode_t mode) const {
  return open_below(file_, path, flags, mode);
}

std::vector<std::string> Directory::names() const { return names_in(file_); }

std::vector<std::string> Directory::files() const {
  std::vector<std::string> files;
  add_files(file_, "", files);
  std::sort(files.begin(), files.end());
  return files;
}

std::string Directory::link_in(const std::string& path) const {
  if (!is_normal(path)) return {};
  for (std::size_t end = path.find('/');; end = path.find('/', end + 1)) {
    std::string part = path.substr(0, end);
    if (is_link(file_, part)) return part;
    if (end == path.npos) return {};
  }
}

std::error_code Directory::make(const std::string& path, mode_t mode) const {
  const auto make_one = [&] {
    return in_parent(file_, path,
                     [&](int parent, const char* name) { return mkdirat(parent, name, mode); });
  };
  auto error = make_one();
  if (error == std::errc::no_such_file_or_directory && path.find('/') != path.npos) {
    error = make(path.substr(0, path.rfind('/')), mode);
    if (!error) error = make_one();
  }
  if (error != std::errc::file_exists) return error;
  return below(path).get() < 0 ? last_error() : std::error_code();
}

std::error_code Directory::make_new(const std::string& path) const {
  return in_parent(file_, path,
                   [](int parent, const char* name) { return mkdirat(parent, name, 0777); });
}

std::error_code Directory::write(const std::string& path, std::string_view bytes,
                                 mode_t mode) const {
  const int file = open(path, O_WRONLY | O_CREAT | O_EXCL, mode);
  if (file < 0) return last_error();
  auto error = write_all(file, bytes);
  if (::close(file) != 0 && !error) error = last_error();
  if (error) static_cast<void>(remove(path));
  return error;
}

std::error_code Directory::link(const Directory& from, const std::string& from_path,
                                const std::string& path) const {
  return in_parent(from.file_, from_path, [&](int there, const char* name) {
    const auto error = in_parent(file_, path, [&](int here, const char* new_name) {
      return linkat(there, name, here, new_name, 0);
    });
    errno = error.value();
    return error ? -1 : 0;
  });
}

std::error_code Directory::rename(const std::string& path, const Directory& to,
                                  const std::string& to_path, unsigned flags) const {
  return in_parent(file_, path, [&](int here, const char* name) {
    const auto error = in_parent(to.file_, to_path, [&](int there, const char* new_name) {
      return renameat2(here, name, there, new_name, flags);
    });
    errno = error.value();
    return error ? -1 : 0;
  });
}

std::error_code Directory::move(const std::string& path, const Directory& to,
                                const std::string& to_path) const {
  return rename(path, to, to_path, 0);
}

std::error_code Directory::move_new(const std::string& path, const Directory& to,
                                    const std::string& to_path) const {
  const auto error = rename(path, to, to_path, RENAME_NOREPLACE);
  if (error != std::errc::invalid_argument || !is_normal(path) || !is_normal(to_path)) return error;
  // Some file systems do not support the flag.
  struct stat status{};
  const bool there = fstatat(to.file_, to_path.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  return there ? std::make_error_code(std::errc::file_exists) : rename(path, to, to_path, 0);
}

std::error_code Directory::exchange(const std::string& path, const std::string& other) const {
  return rename(path, *this, other, RENAME_EXCHANGE);
}

namespace {

bool is_missing(const std::error_code& error) {
  return error == std::errc::no_such_file_or_directory || error == std::errc::not_a_directory;
}

}  // namespace

std::error_code Directory::remove(const std::string& path) const {
  const auto error = in_parent(
      file_, path, [](int parent, const char* name) { return unlinkat(parent, name, 0); });
  return is_missing(error) ? std::error_code() : error;
}

std::error_code Directory::remove_all(const std::string& path) const {
  struct stat own{};
  if (fstat(file_, &own) != 0) return last_error();
  std::error_code inner;
  const auto error = in_parent(file_, path, [&](int parent, const char* name) {
    inner = remove_name(parent, name, own.st_dev);
    return 0;
  });
  if (is_missing(error)) return {};
  return error ? error : inner;
}

}  // namespace primer
