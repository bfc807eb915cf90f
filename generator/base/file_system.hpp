// All reading goes through one interface that records what was read: the tests give a tree that is
// in memory, and an incremental build knows on which files a page depends.
//
// A record has the digest of each file and of each directory's names that were asked for. It is
// complete by construction, and a later build asks for the same digests again.
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "generator/base/dependency.hpp"

namespace primer {

// Directories, and what was read below each.
using WatchedDependencies = std::vector<std::pair<std::string, Dependencies>>;

// What one file may have, in bytes: 512 KiB of Markdown and YAML, 8 MiB of JSON, 16 MiB of all else. It is
// asked of the open file, so a larger one, sparse or not, costs nothing.
std::size_t largest_file(std::string_view path);

// Why a file that is there cannot be read: "this is a pipe, no file", "the file has more than 524288 bytes".
struct Unreadable {
  std::string message;  // empty: there is none, or it can be read
  bool too_large = false;
};

// Paths are relative to the root that the file system was made with, with '/' and without "." or
// "..": normal_path() makes them so. Safe to call from several threads.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // The file's bytes; nothing when it is missing, unreadable, larger than largest_file(), no regular
  // file (a pipe, a device), or when any part of its path below the root is a symbolic link.
  std::optional<std::string> read(const std::string& path) const;
  // What is not a directory below a directory at any depth, sorted; empty when there is none. A symbolic link is
  // named, so that whoever reads it hears what it is (why_unreadable()).
  std::vector<std::string> list(const std::string& directory) const;
  // Everything that was asked for, found or not.
  Dependencies reads() const;
  // Of a file or a directory. What was read before is not read again; asking is recorded.
  Digest digest_of(const Dependency& asked) const;
  // The same without reading; nothing when it is not known.
  virtual std::optional<Digest> known_digest_of(const Dependency& asked) const;
  // The first part of a path that is a symbolic link; empty when there is none.
  virtual std::string link_in(const std::string&) const { return {}; }
  // The reason why read() gave nothing where something of that name is; it is looked for again.
  virtual Unreadable why_unreadable(const std::string&) const { return {}; }

 protected:
  // For files that change while this lives: the file, and its directories, are read anew when they are next asked for.
  void forget(const std::string& path);

 private:
  virtual std::optional<std::string> load(const std::string& path) const = 0;
  virtual std::vector<std::string> walk(const std::string& directory) const = 0;
  mutable std::mutex mutex_;
  mutable Dependencies reads_;
};

// Another file system in front of `files`, with a record of its own (one page's, say). It knows the digests
// that `files` knows.
std::unique_ptr<FileSystem> watched(const FileSystem& files);

// Two directories as one: the files of `upper`, and those of `lower` that have no namesake there.
std::unique_ptr<FileSystem> layered(const FileSystem& upper, const FileSystem& lower);

std::unique_ptr<FileSystem> in_memory(std::map<std::string, std::string> files);

// "chapters/en/../x" → "chapters/x"; nothing when the path is absolute, leaves the root or holds a
// NUL, a backslash or an empty name.
std::optional<std::string> normal_path(std::string_view path);
// The normal path of `link` as seen from the directory of `file`.
std::optional<std::string> resolve_path(std::string_view file, std::string_view link);
// The link from the directory of `file` to `target`: "../es/a.md". Both paths are normal.
std::string link_to(std::string_view target, std::string_view file);

}  // namespace primer
