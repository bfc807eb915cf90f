// `primer new book DIR`: a book that builds and measures as it stands.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// The files to write: those of `site`'s new_book/ and a first chapter (chapter_skeleton.hpp).
// Nothing after a diagnostic. A `name` ("gpu-notes") is a book's title_of_slug().
std::optional<std::map<std::string, std::string>> new_book(const FileSystem& site,
                                                           const std::string& title,
                                                           const std::string& language,
                                                           Diagnostics& diagnostics);

// All files or none: they are written aside and then renamed. Reports, and leaves everything as it
// was, when the directory is there and not empty, is none, or cannot be written.
void write_new_directory(const std::filesystem::path& directory,
                         const std::map<std::string, std::string>& files, Diagnostics& diagnostics);

}  // namespace primer
