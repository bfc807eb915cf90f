// What no machine can have measured: a profile that says so was made up, or its clock was wrong.
#pragma once

#include <optional>
#include <string>

#include "figures/quantities/profile.hpp"

namespace primer {

struct Implausible {
  std::string member;   // "levels[2].read_gbs"
  std::string message;  // why
};

// The first number that cannot be. The limits are far beyond what there is: they tell mistakes, not records.
std::optional<Implausible> implausible(const figures::Profile& profile);

// Why nobody can have measured on this day, "2026-11-21T18:05:58Z" or "2026-11-21", by what was known on the
// `latest` one; empty when somebody can.
std::string date_of_measuring_fault(const std::string& date, const std::string& latest);

}  // namespace primer
