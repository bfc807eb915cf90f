// Whether a profile is one: `primer profile validate`.
//
// Four questions, each asked only when the one before found nothing: is it JSON, does it follow the
// published JSON Schema (site/static/schemas/profile.json), does the reader that pages use accept it
// (figures/profile.hpp), and does it name kernels and parameters that the registry has. The schema
// says where something is wrong; the words are ours, made from the schema's own entry for that
// place, so that a message says what stands there, what was expected and the nearest valid name.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>

#include "figures/catalogue.hpp"
#include "figures/profile.hpp"
#include "generator/diagnostic.hpp"

namespace primer {

// The profile; nothing after diagnostics, one for each thing that is wrong.
std::optional<figures::Profile> validate_profile(const Source& source, const nlohmann::json& schema,
                                                 const figures::Catalogue& catalogue,
                                                 Diagnostics& diagnostics);

}  // namespace primer
