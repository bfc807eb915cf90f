// The files of a directory on disk.
#pragma once

#include <memory>
#include <string>

#include "generator/base/file_system.hpp"

namespace primer {

// Below `root` no symbolic link is followed; the root itself may be one.
std::unique_ptr<FileSystem> disk(const std::string& root);

}  // namespace primer
