// The rights that a command keeps (sandbox.hpp).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "generator/host/sandbox.hpp"

namespace primer {

// Nothing of a book is read before this. False, after a message, when the process must not go on. Notes what is not
// limited.
bool enter(Sandbox sandbox, bool no_sandbox);

// For what looks at some files only.
Sandbox reading(std::vector<std::filesystem::path> paths);
// For what changes the book.
Sandbox changing(const std::string& book);

// Of a book's directory, where commands that change a book write: what is a link leads elsewhere.
std::vector<std::filesystem::path> places_to_write(const std::filesystem::path& book);

}  // namespace primer
