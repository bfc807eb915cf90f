// Quantities as lengths, one row each, on one linear or logarithmic scale: the cost of an
// operation, the measured part of a promised rate, the sources of a speedup.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_lengths(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
