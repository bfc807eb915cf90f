// Quantities as lengths, a row each, on one scale, linear or logarithmic: what an operation costs,
// what was measured of what was promised, where a speed-up came from.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_lengths(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
