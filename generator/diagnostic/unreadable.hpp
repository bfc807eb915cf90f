// What is said of a file that is there but was not read.
#pragma once

#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// Reports why (FileSystem::why_unreadable), of the path with `root` before it. False where there is no such file:
// nothing is said.
bool report_unreadable(const FileSystem& files, const std::string& path, Diagnostics& diagnostics,
                       const std::string& root = {});

}  // namespace primer
