// Whether a profile is one: `primer profile validate`.
//
// Five questions, each asked only when the one before found nothing: is it JSON (whoever reads the
// file), does it follow the published JSON Schema (schema.hpp), does the reader that pages use accept
// it (figures/quantities/profile.hpp), does it name kernels and parameters that the registry has, and can a machine
// have measured that (profile_plausibility.hpp).
#pragma once

#include <optional>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/profile.hpp"
#include "generator/base/calendar.hpp"
#include "generator/formats/json_file.hpp"

namespace primer {

// The profile; nothing after diagnostics, one for each thing that is wrong. `latest`: the last day on which
// something can have been measured.
std::optional<figures::Profile> validate_profile(const JsonFile& file,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics,
                                                 const std::string& latest = latest_day({}));

}  // namespace primer
