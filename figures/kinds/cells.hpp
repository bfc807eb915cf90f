// Cells: things counted in equal squares, such as memory, weights or tiles, with arrows between
// them.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

// Panels are next to each other with cells of the same size; in the narrow layout they are stacked.
// Error, with the path of the member: a block or an arrow leaves its panel, or a part leaves its
// block.
Result<Rendering> render_cells(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
