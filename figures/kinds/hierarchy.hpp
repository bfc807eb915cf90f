// A machine as what it is made of, from the memory to the arithmetic: how much each level holds, and
// pipes between them as thick as what they deliver.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_hierarchy(const nlohmann::json& spec, const Inputs& inputs,
                                   const Options& options);

}  // namespace figures
