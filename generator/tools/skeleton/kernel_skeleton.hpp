// Makes kernels of a book: `primer new kernel`.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// The files of a new kernel: kernels/<name>/ with its source in `language` ("c", "rust" or "wat"),
// a script that builds it and its manifest; a chapter that shows and measures it; and book.yaml
// with both. The templates are in new_kernel/ of `site`. No value after a diagnostic: an invalid or
// existing name, or no book.
std::optional<std::map<std::string, std::string>> new_kernel(const FileSystem& site,
                                                             const FileSystem& files,
                                                             const std::string& name,
                                                             const std::string& language,
                                                             Diagnostics& diagnostics);

}  // namespace primer
