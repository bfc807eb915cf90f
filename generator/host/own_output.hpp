// Outputs: files and directories that primer made and may therefore replace or delete. A command
// that writes to a place where something else may be asks here first and refuses anything that
// primer did not make.
//
// An output begins with a mark, a line that only primer writes:
//
//   file         mark, then the content
//   directory    .primer-output: mark, then a line "<digest> <path>" per file in it
//
// It counts as primer's own while it belongs to the user who runs primer. A directory must also
// contain exactly the listed files with the listed bytes, because a file that somebody added or
// edited is their work. A mark is not a secret. It protects authors from mistakes, and
// check_place() protects a book's files even if a mark is forged. The marker of a site's trees
// lists no files (write/output.hpp).
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>

#include "figures/base/result.hpp"
#include "generator/host/directory.hpp"

namespace primer {

// The absolute path without a slash at its end: "/book/build/search" for "build/search/". Empty for
// "".
std::filesystem::path place_of(const std::string& path);

// Whether output may be written at this place at all. It must not replace the book, a directory
// around it or the book's own files. Compares paths only.
figures::Status check_place(const std::filesystem::path& place, const std::string& book);

// A kind of output, with the first bytes of its mark. A file contains the mark itself.
struct OutputKind {
  std::string_view mark;
  bool is_directory = false;
};

// Whether primer made what is there, as this kind of output. The error says what is there instead.
figures::Status is_own_output(const std::filesystem::path& place, const OutputKind& kind);

// The same, but nothing or an empty directory is also fine.
figures::Status is_free_or_own(const std::filesystem::path& place, const OutputKind& kind);

// Replaces what is_free_or_own() accepts. Anything else stays unchanged and is an error. At any
// time, the place has the complete old or new output. `bytes` must begin with the mark.
figures::Status write_own_file(const std::filesystem::path& place, const OutputKind& kind,
                               std::string_view bytes);
// The same for a directory with these files, by path, and the marker.
figures::Status write_own_directory(const std::filesystem::path& place, const OutputKind& kind,
                                    const std::map<std::string, std::string>& files);

// Whether the directory has a marker of this user that begins with this mark.
bool is_marked(const Directory& directory, std::string_view mark);
// Writes a marker without a list of files, for a directory whose content primer keeps changing.
std::error_code write_marker(const Directory& directory, std::string_view mark);

}  // namespace primer
