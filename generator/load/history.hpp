// What git knows of a book: when its files changed, and which are its own.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "generator/base/cache.hpp"
#include "generator/host/repository.hpp"
#include "generator/load/tracked_files.hpp"

namespace primer {

struct Change {
  std::string date;     // "2026-11-21T09:30:00Z"
  std::string commit;   // ten hexadecimal digits or more
  std::string subject;  // the first line of its message, cleaned
};

struct FileHistory {
  std::string created, changed;  // dates
  std::vector<Change> changes = {};  // newest first
};

// Path from the book's root → its first and its last change.
using History = std::map<std::string, FileHistory>;

// How git is started.
struct Git {
  std::filesystem::path program;  // empty: there is none
  std::filesystem::path scratch;  // a directory to write in, for as long as git runs
  std::filesystem::path own = {};  // one of the user's, which nobody else has filled: used instead, and kept
};

// One call of git for all files below chapters/, or none when `cache`, which may be null, has what it said of
// this commit. git gets the objects and the commit alone, in a repository of its own that is empty otherwise: no
// configuration, attributes, hooks or references of the book's repository are read, and nothing is fetched.
// Error: git does not start, cannot read the objects in a minute and in 1 GB of memory, or says more than 100 MB.
figures::Result<History> read_history(const Checkout& checkout, const Git& git, Cache* cache);

// What git printed for "%x01%ct%x02%h%x02%s" and --name-only, newest first. A date after `now` (seconds since
// 1970) is `now`; a commit without a date that can be read is passed over.
History parse_history(const std::string& log, std::int64_t now);

// The files that the commit has, asked for in the same way. Nothing where that cannot be known, or are 100 MB.
std::optional<TrackedFiles> tracked_files(const Checkout& checkout, const Git& git);

// A text of somebody else's for a page: what is not to be seen is shown (visible()), and what is longer than 200
// characters is cut.
std::string cleaned_subject(std::string_view text);

}  // namespace primer
