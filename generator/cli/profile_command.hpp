// `primer profile validate` and `primer profile compare`.
#pragma once

#include <optional>
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
// (docs/reference/profile-format.md). Values without a spread differ at 3 % and above. Capacities
// of caches are known to half a step of the sweep, so they differ at a factor of 1.5 and above.

struct NamedProfile {
  std::string name;  // how the table names it: its file
  figures::Profile profile;
};

// The table as text. An unavailable result has its reason below the table, a flagged one an
// asterisk and its flags. A result that only one profile has is "–" in the other.
std::string compare_profiles(const NamedProfile& a, const NamedProfile& b,
                             const figures::Catalogue& catalogue);

// In the functions below, `book` is the directory of a book whose kernels a profile may have;
// where there is none, only primer's own kernels are known. Paths of profiles may be absolute.

// Checks every file. Returns one line per valid file and reports the rest.
std::string validate_profiles(const std::vector<std::string>& files, const std::string& book,
                              Diagnostics& diagnostics);

// The table for two files. Empty after diagnostics if one of them is invalid.
std::string compare_profile_files(const std::string& a, const std::string& b,
                                  const std::string& book, Diagnostics& diagnostics);

// The text of a profile. No value after diagnostics.
std::optional<std::string> valid_profile_text(const std::string& file, const std::string& book,
                                              Diagnostics& diagnostics);

struct ValidateCommand {
  std::string book;
  std::vector<std::string> profiles;
  std::string format = "text";
  bool no_sandbox = false;
};

struct CompareCommand {
  std::string book;
  std::vector<std::string> profiles;  // exactly two
  bool no_sandbox = false;
};

// These return the exit status.
int run(const ValidateCommand& command);
int run(const CompareCommand& command);

}  // namespace primer
