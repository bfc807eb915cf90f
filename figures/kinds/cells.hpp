// Cells: things counted in equal squares, such as memory, weights or tiles, and arrows between them.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

// Panels stand side by side, one cell being as large in all of them; narrow, below each other. Fails,
// with the member's path, where a block or an arrow leaves its panel or a part its block.
Result<Rendering> render_cells(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
