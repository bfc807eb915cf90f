// Validates a profile, as in `primer profile validate`.
//
// There are five checks, and each runs only if the previous ones found nothing:
//
//   1. It is JSON (read_json).
//   2. It conforms to the published JSON Schema (schema.hpp).
//   3. The reader that pages use accepts it (figures/quantities/profile.hpp).
//   4. Its kernels and parameters are in the registry.
//   5. A machine can have measured these numbers on that day.
#pragma once

#include <optional>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/profile.hpp"
#include "generator/core/base/calendar.hpp"
#include "generator/core/formats/json.hpp"

namespace primer {

// Returns nothing after diagnostics, one per mistake. `latest` is the last day on which something
// can have been measured.
std::optional<figures::Profile> validate_profile(const JsonFile& file,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics,
                                                 const std::string& latest = latest_day({}));

}  // namespace primer
