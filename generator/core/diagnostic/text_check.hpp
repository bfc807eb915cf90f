// Reports files that cannot be read, are not UTF-8 or contain hidden characters (characters.hpp).
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "generator/core/base/characters.hpp"
#include "generator/core/base/file_system.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// Reports why an existing file was not read (FileSystem::why_unreadable). `root` is printed before
// the path. Returns false and reports nothing if there is no such file.
bool report_unreadable(const FileSystem& files, const std::string& path, Diagnostics& diagnostics,
                       const std::string& root = {});

// The text kind of prose in a file of the book or of site/locales/: right_to_left if the path names
// a right-to-left language, as in chapters/<language>/ or <language>.json.
TextKind prose_of(std::string_view path);

// Whether the text of a file may be used. Otherwise reports the first byte that is not UTF-8, or
// the first twenty hidden characters. A leading byte order mark is allowed (source.hpp).
bool check_text(const Source& source, TextKind kind, Diagnostics& diagnostics);

// Reports a hidden character at `offset` of the source.
void refuse_hidden(const Source& source, std::size_t offset, std::size_t length,
                   const NamedCharacter& character, TextKind kind, Diagnostics& diagnostics);

}  // namespace primer
