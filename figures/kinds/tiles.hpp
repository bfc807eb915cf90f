// A loop nest over C = A · B: which piece of each matrix stays where while a loop runs, and how often
// each of its numbers is used before it leaves.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_tiles(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
