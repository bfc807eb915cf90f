// `primer new chapter SLUG`, and "A new chapter" on /write/: a chapter that builds, with one of each thing a chapter must have.
#pragma once

#include <map>
#include <optional>
#include <string>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// The files to write: the chapter, its figure's specification, and book.yaml with its entry added
// after the last chapter. Nothing after a diagnostic: a bad or taken slug, no book. Without a title it has that of its slug.
std::optional<std::map<std::string, std::string>> new_chapter(const FileSystem& files,
                                                              const std::string& slug,
                                                              Diagnostics& diagnostics,
                                                              const std::string& title = {});
// Where its figure's specification is.
std::string spec_of_chapter(const std::string& slug);

}  // namespace primer
