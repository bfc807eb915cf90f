// `primer profile validate` and `primer profile compare`: what they print, as text.
#pragma once

#include <string>
#include <vector>

#include "generator/diagnostic/diagnostic.hpp"

namespace primer {

// Looks at every file: a line for each that is right, diagnostics for the others. Paths may be
// absolute.
std::string validate_profiles(const std::vector<std::string>& files, Diagnostics& diagnostics);

// The table of the two; empty after diagnostics when one of them is wrong.
std::string compare_profile_files(const std::string& a, const std::string& b,
                                  Diagnostics& diagnostics);

}  // namespace primer
