// The files of a book that its repository has: what its authors have decided to publish (git_history.hpp asks it).
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace primer {

// Path from the book's directory → git's name of what was committed there.
using TrackedFiles = std::map<std::string, std::string, std::less<>>;

// Whether git gives these bytes that name, or would if their lines ended in LF alone.
bool is_committed(std::string_view bytes, std::string_view object);

}  // namespace primer
