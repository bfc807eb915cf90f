// The parts of `primer check` around the stages: its summary, the restriction to some files, and
// --fix.
#pragma once

#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// The summary of a check without errors: "checked 12 pages against 3 facts: no errors\n".
std::string checked(std::size_t pages, const FileSystem& book, bool prose);

// What the check covered.
struct Looked {
  std::set<std::string> pages;                            // files; empty: the book did not load
  std::function<bool(const std::string& file)> was_read;  // whether any page read it
};

// Keeps the diagnostics in `found` about `files` and about files that their pages use; all of them
// if the book did not load. Returns one sentence per file that was not checked, saying why. The
// check has then failed.
std::vector<std::string> narrow(const std::set<std::string>& files, const Looked& looked,
                                Diagnostics& found);

// Applies the fix of each diagnostic and returns the changed files. A fix is applied only if it
// changes nothing else: the syntax trees before and after must be the same except for the replaced
// text or the level of the heading.
std::map<std::string, std::string> fixed_files(const FileSystem& files,
                                               const std::vector<Diagnostic>& sorted);

}  // namespace primer
