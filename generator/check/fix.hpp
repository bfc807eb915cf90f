// `primer check --fix`: literals that are merely out of date, and headings of a wrong level, rewritten.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// The changed files, whole: every wrong literal that has a suggestion is replaced by it (facts,
// computed and live values, expected answers), and the marks of a heading that skips a level. Nothing else is touched.
std::map<std::string, std::string> fixed_files(const FileSystem& files,
                                               const std::vector<Diagnostic>& sorted);

}  // namespace primer
