// Outputs: what primer made, and may therefore replace or delete. A command that puts something where
// something else may be asks here first, and refuses whatever primer did not make.
//
// An output begins with a mark, a line that only primer writes there:
//
//   file         mark, then whatever follows
//   directory    .primer-output: mark, then a line "<digest> <path>" per file in it
//
// It is primer's own while it belongs to the user who runs primer and, if it is a directory, while it
// has exactly the listed files with the listed bytes: a file that somebody added or edited is somebody's
// work. A mark is not a secret. It protects authors from mistakes, and check_place() protects a book's
// own files even where a mark is forged. The marker of a site's trees lists no files (write/output.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/host/directory.hpp"

namespace primer {

// From the root and without a slash at its end: "/book/build/search" for "build/search/"; empty for "".
std::filesystem::path place_of(const std::string& path);

// Whether output may be there at all: not in place of the book, of a directory that holds it, or of the
// book's own files. Only paths are compared.
figures::Status check_place(const std::filesystem::path& place, const std::string& book);

// What a command makes, by the first bytes of its mark. A file has the mark itself.
struct OutputKind {
  std::string_view mark;
  bool is_directory = false;
};

// Whether primer made what is there, as an output of this kind. The error says what is there instead.
figures::Status is_own_output(const std::filesystem::path& place, const OutputKind& kind);

// The same, or nothing is there, or, for a directory, an empty one.
figures::Status is_free_or_own(const std::filesystem::path& place, const OutputKind& kind);

// Replaces what is_free_or_own() accepts; anything else stays unchanged and is the error. The place has
// the old output or the new one, whole. `bytes` begin with the mark.
figures::Status write_own_file(const std::filesystem::path& place, const OutputKind& kind,
                               std::string_view bytes);
// These files by their paths in the directory, and the marker.
figures::Status write_own_directory(const std::filesystem::path& place, const OutputKind& kind,
                                    const std::map<std::string, std::string>& files);

// Whether the directory has a marker that begins with this mark and belongs to this user.
bool is_marked(const Directory& directory, std::string_view mark);
// Writes a marker that lists no files, for a directory whose content primer keeps changing.
std::error_code write_marker(const Directory& directory, std::string_view mark);

}  // namespace primer
