// `primer profile validate` and `primer profile compare`.
#pragma once

#include <string>
#include <vector>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/profile.hpp"
#include "generator/core/diagnostic/diagnostic.hpp"

namespace primer {

// `primer profile compare A B` shows two profiles next to each other: every measurement that either
// has, with both medians, their ratio and whether they differ, then roofs, cache levels and the
// clock.
//
// Two medians differ if they are more than three standard errors apart (computed from MAD and
// number of samples) and more than 3 %, within which one machine repeats its results
// (docs/reference/profile-format.md). Values without a spread differ from 3 % on. Capacities of
// caches are known to half a step of the sweep, so they differ from a factor of 1.5 on.

struct NamedProfile {
  std::string name;  // how the table names it: its file
  figures::Profile profile;
};

// The table as text. An unavailable result has its reason below the table, a flagged one an
// asterisk and its flags. What only one profile has is "–" in the other.
std::string compare_profiles(const NamedProfile& a, const NamedProfile& b,
                             const figures::Catalogue& catalogue);

// Checks every file. Returns one line per valid file and reports the rest. Paths may be absolute.
std::string validate_profiles(const std::vector<std::string>& files, Diagnostics& diagnostics);

// The table for two files. Empty after diagnostics if one of them is invalid.
std::string compare_profile_files(const std::string& a, const std::string& b,
                                  Diagnostics& diagnostics);

struct ValidateCommand {
  std::vector<std::string> profiles;
  std::string format = "text";
  bool no_sandbox = false;
};

struct CompareCommand {
  std::vector<std::string> profiles;  // exactly two
  bool no_sandbox = false;
};

// These return the exit status.
int run(const ValidateCommand& command);
int run(const CompareCommand& command);

}  // namespace primer
