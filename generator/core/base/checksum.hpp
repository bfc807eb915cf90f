// Checksums that other programs verify: SHA-256 of WebAssembly modules, which the page prints, and
// the SHA-1 names of git objects. For internal cache keys, use digest.hpp.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// In hexadecimal.
std::string sha1(std::string_view bytes);
std::string sha256(std::string_view bytes);

// "sha256-…", the form that a Content-Security-Policy and integrity attributes use.
std::string integrity(std::string_view bytes);

}  // namespace primer
