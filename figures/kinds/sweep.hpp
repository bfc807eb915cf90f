// The memory mountain: the bandwidth of a machine against the working set, one panel per kernel,
// with the cache levels that the sweep found.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_sweep(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
