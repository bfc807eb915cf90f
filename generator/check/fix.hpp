// `primer check --fix`: literals that are merely out of date, and headings of a wrong level, rewritten.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// The changed files, whole: each diagnostic's `fix`, unless the file then reads differently anywhere
// else. That is tried by parsing it before and after: the two trees must be the same, but for the
// text that was replaced, or the level of the heading.
std::map<std::string, std::string> fixed_files(const FileSystem& files,
                                               const std::vector<Diagnostic>& sorted);

}  // namespace primer
