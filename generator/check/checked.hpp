// What a check says besides the mistakes that it found.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <vector>

#include "generator/base/file_system.hpp"
#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// "checked 12 pages against 3 facts: no errors\n".
std::string checked(std::size_t pages, const FileSystem& book, bool prose);

// What was looked at when the book was checked.
struct Looked {
  std::set<std::string> pages;                            // files; none where the book did not load
  std::function<bool(const std::string& file)> was_read;  // by any page
};

// Leaves of `found` what is about these files, or about files that their pages use; everything if the book did
// not load. What was not checked, and why, a sentence each: then the check has failed.
std::vector<std::string> narrow(const std::set<std::string>& files, const Looked& looked,
                                Diagnostics& found);

}  // namespace primer
