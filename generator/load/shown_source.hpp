// Which files of a book's directory a chapter may show. A chapter comes from anybody, and beside it lie the
// publisher's own files (.git/config, .env, keys): only what lies below named directories is shown, and of
// that nothing hidden, nothing that is named like a secret, and nothing by way of a link.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "generator/base/file_system.hpp"

namespace primer {

// Where a book that names none has its sources: "chapters", "code", …
std::vector<std::string> usual_sources();

// Why a file must not be shown; empty when it may, or when there is no such file below a directory of
// sources. `path` is normal (normal_path), `directories` are such paths too. `public_files` may be shown
// although their names are a secret's.
std::string why_not_shown(const FileSystem& files, const std::vector<std::string>& directories,
                          const std::vector<std::string>& public_files, const std::string& path);

}  // namespace primer
