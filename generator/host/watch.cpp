#include "generator/host/watch.hpp"

#ifdef __linux__
#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>
#endif

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <thread>
#include <utility>

#include "figures/base/result.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/disk.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

constexpr milliseconds poll_interval{500}, quiet_time{30}, max_delay{2000}, no_timeout{-1};

// Size and time; empty if there is no such file.
std::string stamp_of(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return {};
  const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  return std::to_string(time.time_since_epoch().count()) + ' ' + std::to_string(size);
}

// Times of a directory and all directories below. A directory's time changes when a name is added
// or removed.
std::string stamp_of_tree(const fs::path& path) {
  std::string stamp = stamp_of(path);
  std::error_code error;
  fs::recursive_directory_iterator at(path, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->is_directory(ignored)) stamp += ' ' + at->path().string() + ' ' + stamp_of(at->path());
  }
  return stamp;
}

}  // namespace

#ifdef __linux__

namespace {

// Events of a directory itself, and of everything in it.
constexpr std::uint32_t its_end = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t its_files = its_end | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO |
                                    IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;

// Which events of which directories to watch. A directory comes after those that contain it.
using Directories = std::map<std::string, std::uint32_t>;

// The user named this path, so any part of it may be moved, be a link, or appear later.
void add_way_to(const fs::path& root, Directories& all) {
  fs::path at;
  for (const auto& part : root) {
    if (part.empty()) continue;
    std::error_code ignored;
    const auto type = fs::symlink_status(at / part, ignored).type();
    if (!at.empty()) all[at.string()] |= type == fs::file_type::directory ? its_end : its_files;
    at /= part;
  }
  all[at.string()] |= its_end;
}

// Like FileSystem::list(), does not follow links.
void add_tree(const std::string& path, Directories& all) {
  all[path] = its_files;
  std::error_code error;
  fs::recursive_directory_iterator at(path, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->symlink_status(ignored).type() == fs::file_type::directory)
      all[at->path().string()] = its_files;
  }
}

Directories directories_of(const WatchedDependencies& watched) {
  Directories all;
  for (const auto& [named, reads] : watched) {
    if (named.empty()) continue;
    const fs::path root = fs::absolute(named).lexically_normal();
    add_way_to(root, all);
    for (const auto& [read, digest] : reads) {
      std::string directory = (root.has_filename() ? root : root.parent_path()).string();
      for (const auto part : split(read.what, '/')) {
        if (part == ".") continue;
        all[directory] = its_files;
        directory += '/';
        directory += part;
      }
      if (read.kind != Dependency::Kind::file) add_tree(directory, all);
    }
  }
  return all;
}

// Whether these files can change without this kernel noticing, because another machine or a
// user-space program serves them (magic numbers from statfs(2)).
bool is_changed_elsewhere(const std::string& directory) {
  constexpr std::array<std::uint32_t, 11> kinds = {0x6969 /* NFS */,
                                                   0x517B /* SMB */,
                                                   0xFF534D42 /* CIFS */,
                                                   0xFE534D42 /* SMB2 */,
                                                   0x01021997 /* 9P */,
                                                   0x65735546 /* FUSE */,
                                                   0x786F4256 /* VBOXSF */,
                                                   0x00C36400 /* CEPH */,
                                                   0x5346414F /* AFS */,
                                                   0x73757245 /* CODA */,
                                                   0x0BD00BD0 /* LUSTRE */};
  struct statfs about{};
  if (statfs(directory.c_str(), &about) != 0) return false;
  return std::ranges::find(kinds, static_cast<std::uint32_t>(about.f_type)) != kinds.end();
}

std::string reason_for(int failed) {
  if (failed == ENOSPC)
    return "no inotify watches left for this user (fs.inotify.max_user_watches)";
  if (failed == EMFILE)
    return "no inotify instances or files left for this user (fs.inotify.max_user_instances)";
  return std::string("inotify is not available: ") + std::strerror(failed);
}

}  // namespace

class Watch::Notices {
 public:
  // Starts watching, also for files that were missing. The error completes a sentence after
  // "because": a file system without notices (such as NFS), or a limit of inotify.
  static figures::Result<std::shared_ptr<Notices>> of(const WatchedDependencies& watched) {
    const auto notices = std::make_shared<Notices>();
    if (notices->file_ < 0) return figures::Error{reason_for(errno)};
    for (const auto& [directory, events] : directories_of(watched)) {
      if (events != its_end && is_changed_elsewhere(directory)) {
        return figures::Error{in_quotes(directory) +
                              " is on a file system that does not report changes"};
      }
      if (!notices->add(directory, events)) return figures::Error{reason_for(errno)};
    }
    return notices;
  }

  Notices() : file_(inotify_init1(IN_CLOEXEC | IN_NONBLOCK)) {}
  Notices(const Notices&) = delete;
  Notices& operator=(const Notices&) = delete;
  ~Notices() { close(file_); }

  // Waits up to `patience` for a change; forever if it is negative. False: there was none. May
  // return true although no byte changed, but never misses a change.
  bool wait(milliseconds patience) const {
    const auto end = Clock::now() + patience;
    for (;;) {
      const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
      pollfd notices{file_, POLLIN, 0};
      const int ready =
          poll(&notices, 1, patience.count() < 0 ? -1 : static_cast<int>(std::max<long>(left, 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      alignas(inotify_event) std::array<char, 16 * 1024> events;
      if (read(file_, events.data(), events.size()) > 0) return true;
    }
  }

 private:
  // A missing directory is skipped, because its parent is watched. False: errno says why not.
  bool add(const std::string& directory, std::uint32_t events) const {
    if (inotify_add_watch(file_, directory.c_str(), events | IN_ONLYDIR | IN_MASK_ADD) >= 0)
      return true;
    const bool is_missing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
    // Only another user can move such a parent directory.
    const bool is_above = errno == EACCES && events == its_end;
    return is_missing || is_above;
  }

  int file_;
};

#else

class Watch::Notices {
 public:
  static figures::Result<std::shared_ptr<Notices>> of(const WatchedDependencies&) {
    return figures::Error{"this system has no inotify"};
  }
  bool wait(milliseconds) const { return false; }
};

#endif

Watch::Watch(WatchedDependencies watched, Way way) : watched_(std::move(watched)), way_(way) {
  begin();
}

// Directories may have been replaced since the last time, so all are watched again.
void Watch::begin() {
  auto notices = way_ == Way::notices ? Notices::of(watched_) : figures::Error{"as requested"};
  if (notices) {
    notices_ = std::move(*notices);
  } else {
    notices_ = nullptr;
    why_looking_ = notices.error().message;
    seen_ = stamps();
  }
}

Watch::Stamps Watch::stamps() const {
  Stamps all;
  for (const auto& [root, reads] : watched_) {
    for (const auto& [dependency, digest] : reads) {
      const fs::path path = fs::path(root) / dependency.what;
      const bool is_tree = dependency.kind == Dependency::Kind::directory;
      all.emplace(std::pair(root, dependency), is_tree ? stamp_of_tree(path) : stamp_of(path));
    }
  }
  return all;
}

bool Watch::is_as_read() const {
  return std::all_of(watched_.begin(), watched_.end(), [](const auto& one) {
    const auto& [root, reads] = one;
    const auto files = disk(root);
    return std::all_of(reads.begin(), reads.end(), [&](const auto& read) {
      return files->digest_of(read.first) == read.second;
    });
  });
}

// Waits up to `patience` for a notice or, when polling, compares after it.
bool Watch::has_changed(milliseconds patience) {
  if (notices_) return notices_->wait(patience);
  std::this_thread::sleep_for(patience == no_timeout ? poll_interval : patience);
  auto now = stamps();
  std::swap(seen_, now);
  return seen_ != now;
}

// Waits until nothing has changed for a moment, so that a burst of writes costs one comparison.
void Watch::settle() {
  const auto end = Clock::now() + max_delay;
  while (has_changed(quiet_time) && Clock::now() < end) continue;
}

void Watch::wait() {
  if (!is_as_read()) return settle();  // a save during the build, before the watch began
  // The watch begins again before the files are compared; otherwise a change between the two would
  // be missed.
  do {
    while (!has_changed(no_timeout)) continue;
    settle();
    begin();
  } while (is_as_read());
}

}  // namespace primer
