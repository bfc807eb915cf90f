// Lanes over time: what several parts of a machine do at once, when, and where each of them waits.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

// Fails, with the member's path, where a span has no length or begins before the one before it ends.
Result<Rendering> render_lanes(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
