// Checksums that others know too: those of WebAssembly modules, which a page prints, and the names that git gives to
// files. For our own records: digest.hpp.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// Hexadecimal.
std::string sha1(std::string_view bytes);
std::string sha256(std::string_view bytes);

// "sha256-…", as policies and integrity attributes of pages name bytes.
std::string integrity(std::string_view bytes);

}  // namespace primer
