// Decides which files of a book's directory a chapter may show. Anybody can send a chapter, and the
// publisher's own files are in the same directory (.git/config, .env, keys). So a listing may show
// only files below named directories, and no hidden files, no files named like secrets, and nothing
// behind a symbolic link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/core/base/file_system.hpp"

namespace primer {

// The source directories of a book that names none: "chapters", "code", …
std::vector<std::string> usual_sources();

// Why a file must not be shown; empty if it may be, or if no such file is below one of the
// directories. `path` and `directories` are normal paths (normal_path). `public_files` may be shown
// although their names look like secrets.
std::string why_not_shown(const FileSystem& files, const std::vector<std::string>& directories,
                          const std::vector<std::string>& public_files, const std::string& path);

}  // namespace primer
