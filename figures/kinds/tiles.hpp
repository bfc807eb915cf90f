// A loop nest over C = A · B: which piece of each matrix stays in which memory level while a loop
// runs, and how often each of its numbers is used before it is evicted.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_tiles(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
