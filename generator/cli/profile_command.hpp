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

struct ValidateCommand {
  std::vector<std::string> profiles;
  std::string format = "text";
  bool no_sandbox = false;
};

struct CompareCommand {
  std::vector<std::string> profiles;  // two
  bool no_sandbox = false;
};

// The exit status.
int run(const ValidateCommand& command);
int run(const CompareCommand& command);

}  // namespace primer
