// Kind "machine": a chip in three steps: the whole chip, one of its units, and a part of the unit.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_machine(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
