// The memory mountain: what a machine delivers against the working set, a panel for each kernel,
// with the levels that the sweep found.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_sweep(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
