// What is said of characters that a reader does not see (characters.hpp), at their places.
#pragma once

#include <cstddef>
#include <string_view>

#include "generator/base/characters.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// What the prose of a file of the book, or of site/locales/, is: right_to_left below
// chapters/<language>/ and in words/<language>.json of a language that is written so.
TextKind prose_of(std::string_view path);

// Whether a file's text may be used. Else says so at its place: the first byte that is not UTF-8, or each hidden
// character (of the first twenty). A byte order mark at the beginning is none (source.hpp).
bool check_text(const Source& source, TextKind kind, Diagnostics& diagnostics);

// An error about a character of a text that stands at `offset` of the source.
void refuse_hidden(const Source& source, std::size_t offset, std::size_t length,
                   const NamedCharacter& character, TextKind kind, Diagnostics& diagnostics);

}  // namespace primer
