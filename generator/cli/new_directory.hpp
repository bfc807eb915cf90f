// A directory that a command begins: a new book, or one that was imported.
#pragma once

#include <filesystem>
#include <map>
#include <string>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// All files or none: they are written aside and then renamed. Reports, and leaves everything as it
// was, when the directory is there and not empty, is none, or cannot be written.
void write_new_directory(const std::filesystem::path& directory,
                         const std::map<std::string, std::string>& files, Diagnostics& diagnostics);

}  // namespace primer
