// The files of a book that git tracks: what its authors have decided to publish.
#pragma once

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace primer {

// Paths from the book's directory.
using TrackedFiles = std::set<std::string, std::less<>>;

// One call of git. Nothing where it cannot be known: git is missing, the book is in no repository, or
// nothing of it is tracked.
std::optional<TrackedFiles> tracked_files(const std::string& book);

// What `git ls-files` printed, a path a line; a path that git puts in quotation marks is left out.
std::optional<TrackedFiles> parse_tracked(std::string_view list);

}  // namespace primer
