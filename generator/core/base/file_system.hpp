// Reads files and records what was read. All reads of the core go through FileSystem, so tests can
// pass a tree in memory, and an incremental build knows which files a page depends on.
//
// The record holds the digest of every file and every directory listing that was requested, found
// or not. It is complete, because there is no other way to read. The next build computes the same
// digests again and reuses a result if all of them match.
#pragma once

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "generator/core/base/digest.hpp"

namespace primer {

// An input of a result. An incremental build computes the result again when the input's digest
// changes.

struct Dependency {
  enum class Kind : unsigned char {
    all_anchors,  // what other pages can see of all chapters
    anchors,      // what other pages can see of one chapter; `what` is its file
    directory,    // the names of all files below it
    fact,         // `what` is the fact's id; empty: all facts
    file,         // the bytes of a file
    given,        // an input from the build itself; `what` describes it: "the settings of the book"
    original_term,  // like `term`, in the original's language
    reference,      // a cited work; `what` is its id; empty: all works
    term,           // a glossary entry in the page's language; `what` is its id; empty: all entries
    thing,          // the subject of the fact `what`; empty: all subjects
  };
  static constexpr Kind last = Kind::thing;

  Kind kind = Kind::file;
  std::string what;
  auto operator<=>(const Dependency&) const = default;

  static Dependency file(std::string path) { return {Kind::file, std::move(path)}; }
  static Dependency directory(std::string path) { return {Kind::directory, std::move(path)}; }
  static Dependency anchors(std::string path) { return {Kind::anchors, std::move(path)}; }
  static Dependency all_anchors() { return {Kind::all_anchors, {}}; }
  static Dependency given(std::string words) { return {Kind::given, std::move(words)}; }
};

// Each input with the digest that it had (`absent`: the file did not exist).
using Dependencies = std::map<Dependency, Digest>;

// Root directories, each with what was read below it.
using WatchedDependencies = std::vector<std::pair<std::string, Dependencies>>;

// The size limit of one file in bytes: 512 KiB for Markdown and YAML, 8 MiB for JSON, 16 MiB for
// everything else. The limit is checked on the open file before reading, so a huge or sparse file
// costs nothing.
std::size_t largest_file(std::string_view path);

// Why an existing file cannot be read: "this is a pipe, no file", "the file has more than 524288
// bytes".
struct Unreadable {
  std::string message;  // empty: the file does not exist, or it can be read
  bool too_large = false;
};

// Paths are relative to the root of the file system, with '/' as separator and without "." or ".."
// (see normal_path()). Safe to call from several threads.
class FileSystem {
 public:
  virtual ~FileSystem() = default;
  // The bytes of the file. Returns nothing if the file is missing, unreadable, larger than
  // largest_file() or not a regular file (a pipe, a device), or if any part of its path below the
  // root is a symbolic link.
  std::optional<std::string> read(const std::string& path) const;
  // All files below a directory at any depth, sorted; empty if there are none. Symbolic links are
  // listed too, so that reading one reports what it is (why_unreadable()).
  std::vector<std::string> list(const std::string& directory) const;
  // Everything that was requested, found or not.
  Dependencies reads() const;
  // The digest of a file or directory. Reads it only if its digest is not recorded yet, and records
  // the request.
  Digest digest_of(const Dependency& asked) const;
  // Like digest_of(), but never reads. Returns nothing if the digest is not known.
  virtual std::optional<Digest> known_digest_of(const Dependency& asked) const;
  // The first part of a path that is a symbolic link; empty if there is none.
  virtual std::string link_in(const std::string&) const { return {}; }
  // Why read() returned nothing although something of that name exists. Looks at the disk again.
  virtual Unreadable why_unreadable(const std::string&) const { return {}; }
  // When the file was last modified, in seconds since 1970. Returns nothing if that is not known.
  // Not recorded, so results that are stored must not depend on it.
  virtual std::optional<std::int64_t> modified(const std::string&) const { return {}; }

 protected:
  // For files that change during the lifetime of this object: the next request reads the file and
  // the listings of its directories again.
  void forget(const std::string& path);

 private:
  virtual std::optional<std::string> load(const std::string& path) const = 0;
  virtual std::vector<std::string> walk(const std::string& directory) const = 0;
  mutable std::mutex mutex_;
  mutable Dependencies reads_;
};

// Wraps `files` with its own record, for example that of one page. Digests that `files` already
// knows are reused. `files` must outlive the result.
std::unique_ptr<FileSystem> watched(const FileSystem& files);

// Overlays two directories: the files of `upper`, plus the files of `lower` whose names `upper`
// lacks. Both must outlive the result.
std::unique_ptr<FileSystem> layered(const FileSystem& upper, const FileSystem& lower);

std::unique_ptr<FileSystem> in_memory(std::map<std::string, std::string> files);

// "chapters/en/../x" → "chapters/x". Returns nothing if the path is absolute, leaves the root, or
// contains a NUL, a backslash or an empty name.
std::optional<std::string> normal_path(std::string_view path);
// The normal path of `link`, relative to the directory of `file`.
std::optional<std::string> resolve_path(std::string_view file, std::string_view link);
// The relative link from the directory of `file` to `target`: "../es/a.md". Both paths are normal.
std::string link_to(std::string_view target, std::string_view file);

}  // namespace primer
