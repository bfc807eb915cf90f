#include "generator/host/change_notices.hpp"

#ifdef __linux__

#include <poll.h>
#include <sys/inotify.h>
#include <sys/vfs.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "generator/base/text.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;

// What can happen to a directory itself, to the names in it, and to the files in it.
constexpr std::uint32_t its_end = IN_DELETE_SELF | IN_MOVE_SELF;
constexpr std::uint32_t its_names = its_end | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO;
constexpr std::uint32_t its_files = its_names | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB;

// What is wanted of a directory.
struct Wanted {
  std::uint32_t events = its_end;
  bool every_name = false;
  std::set<std::string, std::less<>> names;
};

// By their paths, so that each comes after those that it lies in.
using Directories = std::map<std::string, Wanted>;

// The user names this place: any part of the path to it may be moved, be a link to another place, or come only later.
void want_way_to(const fs::path& root, Directories& all) {
  fs::path at;
  for (const auto& part : root) {
    if (part.empty()) continue;
    if (!at.empty()) {
      Wanted& directory = all[at.string()];
      std::error_code ignored;
      if (fs::symlink_status(at / part, ignored).type() != fs::file_type::directory) {
        directory.events |= its_names;
        directory.names.insert(part.string());
      }
    }
    at /= part;
  }
  all[at.string()];
}

void want_every_name(const std::string& path, Directories& all) {
  Wanted& directory = all[path];
  directory.events |= its_names;
  directory.every_name = true;
}

// As FileSystem::list() walks: links are names, and lead nowhere.
void want_tree(const std::string& path, Directories& all) {
  want_every_name(path, all);
  std::error_code error;
  fs::recursive_directory_iterator at(path, error), end;
  for (; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    if (at->symlink_status(ignored).type() == fs::file_type::directory)
      want_every_name(at->path().string(), all);
  }
}

void want(const std::string& root, const Dependency& read, Directories& all) {
  const bool is_file = read.kind == Dependency::Kind::file;
  std::string directory = root;
  const auto parts = split(read.what, '/');
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (parts[i] == ".") continue;
    Wanted& one = all[directory];
    one.events |= is_file && i + 1 == parts.size() ? its_files : its_names;
    one.names.emplace(parts[i]);
    directory += '/';
    directory += parts[i];
  }
  if (!is_file) want_tree(directory, all);
}

Directories directories_of(const WatchedDependencies& watched) {
  Directories all;
  for (const auto& [named, reads] : watched) {
    if (named.empty()) continue;
    const fs::path root = fs::absolute(named).lexically_normal();
    want_way_to(root, all);
    const fs::path place = root.has_filename() ? root : root.parent_path();
    for (const auto& [read, digest] : reads) want(place.string(), read, all);
  }
  return all;
}

// Whether changes come to these files that this system does not make: by another machine, or by a program that plays
// the file system (statfs(2)).
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
  if (failed == ENOSPC) return "this user has no watch left (fs.inotify.max_user_watches)";
  if (failed == EMFILE)
    return "this user has no more notices, or files (fs.inotify.max_user_instances)";
  return std::string("the system gives no notices: ") + std::strerror(failed);
}

class Inotify : public ChangeNotices {
 public:
  explicit Inotify(int file) : file_(file) {}
  Inotify(const Inotify&) = delete;
  Inotify& operator=(const Inotify&) = delete;
  ~Inotify() override { close(file_); }

  // A directory that is not there is passed over: the one that it would lie in has its name. 0, or errno.
  int add(const std::string& directory, Wanted&& wanted) {
    // One directory can have two paths.
    const int watch =
        inotify_add_watch(file_, directory.c_str(), wanted.events | IN_ONLYDIR | IN_MASK_ADD);
    if (watch < 0) {
      const bool is_missing = errno == ENOENT || errno == ENOTDIR || errno == ELOOP;
      const bool is_above =
          errno == EACCES && wanted.events == its_end;  // and others decide who may move it
      return is_missing || is_above ? 0 : errno;
    }
    Wanted& known = wanted_[watch];
    known.every_name = known.every_name || wanted.every_name;
    known.names.merge(wanted.names);
    return 0;
  }

  bool wait(milliseconds patience) override {
    const auto end = Clock::now() + patience;
    for (;;) {
      const auto left = std::chrono::ceil<milliseconds>(end - Clock::now()).count();
      pollfd notices{file_, POLLIN, 0};
      const int ready =
          poll(&notices, 1, patience.count() < 0 ? -1 : static_cast<int>(std::max<long>(left, 0)));
      if (ready < 0 && errno == EINTR) continue;
      if (ready <= 0) return false;
      if (take()) return true;
    }
  }

 private:
  // Whether one of the notices that are there is about what is wanted.
  bool take() {
    alignas(inotify_event) std::array<char, 16 * 1024> bytes;
    const ssize_t size = read(file_, bytes.data(), bytes.size());
    bool is_wanted = false;
    for (std::size_t at = 0; size > 0 && at < static_cast<std::size_t>(size);) {
      const auto* event = reinterpret_cast<const inotify_event*>(bytes.data() + at);
      is_wanted = is_wanted || concerns(*event);
      at += sizeof(inotify_event) + event->len;
    }
    return is_wanted;
  }

  bool concerns(const inotify_event& event) const {
    if ((event.mask & (IN_Q_OVERFLOW | IN_UNMOUNT | its_end)) != 0) return true;
    const auto found = wanted_.find(event.wd);
    if (found == wanted_.end() || event.len == 0) return false;
    return found->second.every_name || found->second.names.contains(std::string_view(event.name));
  }

  int file_;
  std::unordered_map<int, Wanted> wanted_;
};

}  // namespace

figures::Result<std::unique_ptr<ChangeNotices>> notices_of(const WatchedDependencies& watched) {
  const int file = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
  if (file < 0) return Error{reason_for(errno)};
  auto notices = std::make_unique<Inotify>(file);
  for (auto& [directory, wanted] : directories_of(watched)) {
    if (wanted.events != its_end && is_changed_elsewhere(directory)) {
      return Error{in_quotes(directory) + " lies on a file system that tells nobody of changes"};
    }
    if (const int failed = notices->add(directory, std::move(wanted)))
      return Error{reason_for(failed)};
  }
  return std::unique_ptr<ChangeNotices>(std::move(notices));
}

}  // namespace primer

#else

namespace primer {

figures::Result<std::unique_ptr<ChangeNotices>> notices_of(const WatchedDependencies&) {
  return figures::Error{"this system has no inotify"};
}

}  // namespace primer

#endif
