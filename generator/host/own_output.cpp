#include "generator/host/own_output.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

#include "generator/core/base/digest.hpp"
#include "generator/core/base/text.hpp"
#include "generator/host/process.hpp"

namespace primer {
namespace fs = std::filesystem;
namespace {

using figures::Error;
using figures::Status;

constexpr const char* marker_name = ".primer-output";
constexpr std::size_t largest_marker = std::size_t{16} << 20, largest_output = std::size_t{1} << 30;

Error foreign(const fs::path& place, const std::string& what) {
  return Error{place.string() + ' ' + what};
}

// The status of a name, without following links. No value if there is nothing.
std::optional<struct stat> status_of(const Directory& parent, const std::string& name) {
  struct stat status{};
  if (fstatat(parent.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) != 0) return std::nullopt;
  return status;
}

// The digests in the marker, by path. No value without such a marker.
std::optional<std::map<std::string, std::string>> listed_in(const Directory& directory,
                                                            std::string_view mark) {
  const auto marker = directory.read(marker_name, largest_marker);
  if (!marker || !marker->starts_with(mark)) return std::nullopt;
  std::map<std::string, std::string> files;
  for (const auto line : split(std::string_view(*marker).substr(mark.size()), '\n')) {
    const auto space = line.find(' ');
    if (space != line.npos) files.emplace(line.substr(space + 1), line.substr(0, space));
  }
  return files;
}

Status is_own_directory(const fs::path& place, const Directory& directory, std::string_view mark) {
  const auto listed = listed_in(directory, mark);
  if (!listed || !is_marked(directory, mark))
    return foreign(place, "is a directory that primer did not write");
  for (const auto& path : directory.files()) {
    if (path == marker_name) continue;
    const auto file = listed->find(path);
    if (file == listed->end())
      return foreign(place, "has " + in_quotes(path) + ", which primer did not write");
    const auto bytes = directory.read(path, largest_output);
    if (!bytes || to_text(digest(*bytes)) != file->second)
      return foreign(place, "has " + in_quotes(path) + ", which was changed after primer wrote it");
  }
  return figures::ok();
}

Status is_own_file(const fs::path& place, const Directory& parent, std::string_view mark) {
  std::string start(mark.size(), '\0');
  const int file = parent.open(place.filename().string(), O_RDONLY | O_NONBLOCK);
  const bool is_marked =
      file >= 0 && !mark.empty() &&
      pread(file, start.data(), start.size(), 0) == static_cast<ssize_t>(start.size()) &&
      start == mark;
  if (file >= 0) ::close(file);
  if (!is_marked) return foreign(place, "is a file that primer did not write");
  return figures::ok();
}

Status is_own(const fs::path& place, const Directory& parent, const struct stat& status,
              const OutputKind& kind) {
  if (S_ISLNK(status.st_mode)) return foreign(place, "is a symbolic link");
  const bool is_directory = S_ISDIR(status.st_mode);
  if (!is_directory && !S_ISREG(status.st_mode)) return foreign(place, "is a device or a pipe");
  if (is_directory != kind.is_directory)
    return foreign(place, is_directory ? "is a directory" : "is a file");
  if (status.st_uid != geteuid()) return foreign(place, "belongs to another user");
  if (!is_directory) return is_own_file(place, parent, kind.mark);
  return is_own_directory(place, parent.below(place.filename().string()), kind.mark);
}

Status cannot_write(const fs::path& place, const std::error_code& error) {
  return foreign(place, "cannot be written: " + error.message());
}

std::error_code fill(const Directory& directory, std::string_view mark,
                     const std::map<std::string, std::string>& files) {
  std::string marker(mark);
  std::error_code error;
  for (const auto& [path, bytes] : files) {
    marker += to_text(digest(bytes)) + ' ' + path + '\n';
    const auto slash = path.rfind('/');
    if (!error && slash != path.npos) error = directory.make(path.substr(0, slash));
    if (!error) error = directory.write(path, bytes);
  }
  return error ? error : directory.write(marker_name, marker);
}

// Exchanges two names. If the file system cannot do that atomically, there is a moment in between.
std::error_code swap(const Directory& parent, const std::string& one, const std::string& other) {
  auto error = parent.exchange(one, other);
  if (error != std::errc::invalid_argument) return error;
  const std::string aside = aside_name(other);
  error = parent.move_new(other, parent, aside);
  if (error) return error;
  error = parent.move_new(one, parent, other);
  const auto& back = error ? other : one;
  const auto moved = parent.move_new(aside, parent, back);
  return error ? error : moved;
}

// Exchanges the new output with the old one and deletes that. If somebody has changed the old one
// in the meantime, exchanges them back.
Status replace(const fs::path& place, const Directory& parent, const std::string& made,
               const OutputKind& kind) {
  if (const auto error = swap(parent, made, place.filename().string())) {
    static_cast<void>(parent.remove_all(made));
    return cannot_write(place, error);
  }
  const std::string& old = made;
  if (auto own = is_free_or_own(place.parent_path() / old, kind); !own) {
    if (!swap(parent, made, place.filename().string())) static_cast<void>(parent.remove_all(made));
    return own;
  }
  if (const auto error = parent.remove_all(old)) return cannot_write(place, error);
  return figures::ok();
}

// Makes the output under a temporary name with make(parent, name), then moves it into place.
template <class Make>
Status write_own(const fs::path& place, const OutputKind& kind, const Make& make) {
  if (auto free = is_free_or_own(place, kind); !free) return free;
  const Directory parent(place.parent_path());
  if (parent.get() < 0) return cannot_write(place, last_error());
  const std::string name = place.filename().string(), aside = aside_name(name);
  auto error = make(parent, aside);
  if (!error) error = parent.move_new(aside, parent, name);
  else if (error == std::errc::file_exists)
    return cannot_write(place, error);  // somebody else made it
  if (!error) return figures::ok();
  if (error == std::errc::file_exists) return replace(place, parent, aside, kind);
  static_cast<void>(parent.remove_all(aside));
  return cannot_write(place, error);
}

}  // namespace

fs::path place_of(const std::string& path) {
  if (path.empty()) return {};
  const fs::path place = fs::absolute(path).lexically_normal();
  return place.has_filename() ? place : place.parent_path();
}

Status check_place(const fs::path& place, const std::string& book) {
  std::error_code error;
  if (place.empty()) return Error{"no place is named"};
  if (!place.has_filename()) return foreign(place, "is the root of the file system");
  if (book.empty()) return figures::ok();
  const fs::path root = fs::canonical(book, error);
  const fs::path real = fs::weakly_canonical(place.parent_path(), error) / place.filename();
  if (is_below(root, real)) return foreign(place, "holds the book");
  for (const char* own : {"chapters", "figures", "site", ".git", ".github"}) {
    // A book without site/ may be built there.
    const bool is_site = real == root / "site";
    if (is_below(real, root / own) && !is_site)
      return foreign(place, "is among the book's own files");
  }
  return figures::ok();
}

Status is_own_output(const fs::path& place, const OutputKind& kind) {
  const Directory parent(place.parent_path());
  const auto status =
      parent.get() < 0 ? std::nullopt : status_of(parent, place.filename().string());
  if (!status) return foreign(place, "does not exist");
  return is_own(place, parent, *status, kind);
}

Status is_free_or_own(const fs::path& place, const OutputKind& kind) {
  std::error_code error;
  const auto type = fs::symlink_status(place, error).type();
  if (type == fs::file_type::not_found) return figures::ok();
  const bool is_directory = kind.is_directory && type == fs::file_type::directory;
  if (is_directory && fs::is_empty(place, error) && !error) return figures::ok();
  return is_own_output(place, kind);
}

bool is_marked(const Directory& directory, std::string_view mark) {
  const auto marker = status_of(directory, marker_name);
  if (!marker || marker->st_uid != geteuid()) return false;
  const auto bytes = directory.read(marker_name, largest_marker);
  return bytes && bytes->starts_with(mark);
}

std::error_code write_marker(const Directory& directory, std::string_view mark) {
  return directory.write(marker_name, mark);
}

Status write_own_file(const fs::path& place, const OutputKind& kind, std::string_view bytes) {
  return write_own(place, kind, [&](const Directory& parent, const std::string& aside) {
    return parent.write(aside, bytes);
  });
}

Status write_own_directory(const fs::path& place, const OutputKind& kind,
                           const std::map<std::string, std::string>& files) {
  return write_own(place, kind, [&](const Directory& parent, const std::string& aside) {
    const auto error = parent.make_new(aside);
    return error ? error : fill(parent.below(aside), kind.mark, files);
  });
}

}  // namespace primer
