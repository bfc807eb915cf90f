// The files of a book that its repository has: what its authors have decided to publish (history.hpp asks git).
#pragma once

#include <set>
#include <string>

namespace primer {

// Paths from the book's directory.
using TrackedFiles = std::set<std::string, std::less<>>;

}  // namespace primer
