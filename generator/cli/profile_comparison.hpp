// Two profiles side by side: `primer profile compare A B`.
//
// Every measurement that either has, with both typical values, their ratio and whether they differ;
// then roofs, levels and the clock. Two typical values differ when they lie further apart than
// three standard errors, which follow from each one's MAD and number of samples, and further than
// 3 %, within which one machine repeats itself (docs/measuring.md). What has no spread differs from
// 3 % on; capacities of caches are known to half a step of a sweep and differ from 1.5 times on.
#pragma once

#include <string>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/profile.hpp"

namespace primer {

struct NamedProfile {
  std::string name;  // as the reader of the table knows it: its file
  figures::Profile profile;
};

// The table as text, lines ended. A result that is unavailable shows its reason below the table,
// one that is flagged an asterisk and its flags; what only one profile has is "–" in the other.
std::string compare_profiles(const NamedProfile& a, const NamedProfile& b,
                             const figures::Catalogue& catalogue);

}  // namespace primer
