// The levels of a machine, from memory to the compute units: the capacity of each level, and pipes
// between levels whose width shows their bandwidth.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_hierarchy(const nlohmann::json& spec, const Inputs& inputs,
                                   const Options& options);

}  // namespace figures
