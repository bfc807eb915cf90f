// What git knows of a book: when its files changed, and which are its own.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "generator/base/cache.hpp"
#include "generator/host/repository.hpp"
#include "generator/load/history.hpp"
#include "generator/load/tracked_files.hpp"

namespace primer {

// How git is started.
struct Git {
  std::filesystem::path program;  // empty: there is none
  std::filesystem::path scratch;  // a directory to write in, for as long as git runs
  std::filesystem::path own =
      {};  // one of the user's, which nobody else has filled: used instead, and kept
};

// One call of git for all files below chapters/, or none when `cache`, which may be null, has what it said of
// this commit. git gets the objects and the commit alone, in a repository of its own that is empty otherwise: no
// configuration, attributes, hooks or references of the book's repository are read, and nothing is fetched.
// Error: git does not start, cannot read the objects in a minute and in 1 GB of memory, or says more than 100 MB.
figures::Result<History> read_history(const Checkout& checkout, const Git& git, Cache* cache);

// The files that the commit has, asked for in the same way. Nothing where that cannot be known, or are 100 MB.
std::optional<TrackedFiles> tracked_files(const Checkout& checkout, const Git& git);

}  // namespace primer
