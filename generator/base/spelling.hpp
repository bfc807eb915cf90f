// "Did you mean …": the nearest of the valid names.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace primer {

// The nearest candidate (the first of several), or "" when none is close enough to be worth
// suggesting: one edit for up to five letters, then one for every third letter, at most four; else
// a name that holds the other, when at least half of the longer one is common.
std::string nearest(std::string_view name, const std::vector<std::string>& candidates);

}  // namespace primer
