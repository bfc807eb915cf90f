// What git knows about a book: when its files changed, and which files are committed.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "figures/base/result.hpp"
#include "generator/core/base/cache.hpp"
#include "generator/core/load/history.hpp"

namespace primer {

// The git repository that contains a book. It is found by reading files instead of running git
// there, because git obeys the configuration that it finds. Only for trusted books.

struct Repository {
  std::filesystem::path own;     // of this work tree: has HEAD
  std::filesystem::path common;  // shared by all work trees: branches and objects
  std::string below;             // path of the book in the work tree: "", "docs/book"
};

// Finds the nearest `.git` at or above the book's directory: a directory, or the file of a linked
// work tree. A bare repository has none. The error says in words why there is none.
figures::Result<Repository> find_repository(const std::filesystem::path& book);

// The repository's directories, including those it borrows objects from.
std::vector<std::filesystem::path> directories_of(const Repository& repository);

// The commit that is checked out.
struct Checkout {
  std::string commit;  // 40 or 64 hexadecimal digits
  std::filesystem::path objects;
  std::string below;  // as in Repository
};

// The error says why there are no dates: nothing is committed, the clone is shallow (every file
// would have the date of the last commit), or branches are stored in an unsupported format.
figures::Result<Checkout> find_checkout(const Repository& repository);

// How to run git.
struct Git {
  std::filesystem::path program;  // empty: git is not installed
  std::filesystem::path scratch;  // writable directory for a temporary repository
  // Private directory of the user to keep a repository in, used instead; may be empty.
  std::filesystem::path own = {};
};

// Dates of all files below chapters/. Runs git once, or not at all if `cache` (may be null) has the
// answer for this commit. git sees only the objects and the commit, in an empty repository: it
// reads no configuration, attributes, hooks or references of the book, and fetches nothing. Error:
// git does not start, needs more than a minute or 1 GB of memory, or prints more than 100 MB.
figures::Result<History> read_history(const Checkout& checkout, const Git& git, Cache* cache);

// The files of the commit, found in the same way. No value if they cannot be determined.
std::optional<TrackedFiles> tracked_files(const Checkout& checkout, const Git& git);

// The text files below a directory of the book ("chapters/facts/") in a commit, by their paths in
// the book. `revision` is HEAD, a branch, a tag or a commit, with ~1 or ^ behind it. Error: there is
// no such commit, or git fails.
figures::Result<std::map<std::string, std::string>> committed_files(const Repository& repository,
                                                                    const Git& git,
                                                                    const std::string& revision,
                                                                    const std::string& directory);

}  // namespace primer
