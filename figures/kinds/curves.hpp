// Curves: closed formulas over a swept variable, with points from facts and measurements.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_curves(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options);

}  // namespace figures
