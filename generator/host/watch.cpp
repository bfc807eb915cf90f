#include "generator/host/watch.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>
#include <utility>

#include "generator/host/disk.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds between_looks{500}, calm{30}, most_unrest{2000}, for_ever{-1};

// Size and time; empty when there is nothing.
std::string stamp_of(const fs::path& path) {
  std::error_code error;
  const auto time = fs::last_write_time(path, error);
  if (error) return {};
  const auto size = fs::is_regular_file(path, error) ? fs::file_size(path, error) : 0;
  return std::to_string(time.time_since_epoch().count()) + ' ' + std::to_string(size);
}

// A directory's time changes when a name comes or goes; so do those of all below it.
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

Watch::Watch(WatchedDependencies watched, Way way) : watched_(std::move(watched)) {
  auto notices = way == Way::notices ? notices_of(watched_) : figures::Error{"it was asked to"};
  if (notices) {
    notices_ = std::move(*notices);
  } else {
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

// Whether there was a notice within that time, or the stamps are others after it.
bool Watch::has_changed(std::chrono::milliseconds patience) {
  if (notices_) return notices_->wait(patience);
  std::this_thread::sleep_for(patience == for_ever ? between_looks : patience);
  auto now = stamps();
  std::swap(seen_, now);
  return seen_ != now;
}

void Watch::wait() {
  // What was saved while the build was running is older than the notices and the first stamps.
  if (is_as_read()) {
    while (!has_changed(for_ever)) continue;
  }
  const auto end = Clock::now() + most_unrest;
  while (has_changed(calm) && Clock::now() < end) continue;
}

}  // namespace primer
