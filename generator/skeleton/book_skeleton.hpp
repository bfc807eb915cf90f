// `primer new book DIR`: a book that builds and measures as it stands.
#pragma once

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

}  // namespace primer
