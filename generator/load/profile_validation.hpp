// Whether a profile is one: `primer profile validate`.
//
// Four questions, each asked only when the one before found nothing: is it JSON (whoever reads the
// file), does it follow the published JSON Schema (schema.hpp), does the reader that pages use accept
// it (figures/quantities/profile.hpp), and does it name kernels and parameters that the registry has.
#pragma once

#include <optional>

#include "figures/quantities/catalogue.hpp"
#include "figures/quantities/profile.hpp"
#include "generator/formats/json_file.hpp"

namespace primer {

// The profile; nothing after diagnostics, one for each thing that is wrong.
std::optional<figures::Profile> validate_profile(const JsonFile& file,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics);

}  // namespace primer
