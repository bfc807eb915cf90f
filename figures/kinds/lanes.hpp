// Lanes over time: what the parts of a machine do at the same time, and where each of them stalls.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

// Error, with the path of the member: a span has no length, or begins before the previous one ends.
Result<Rendering> render_lanes(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
