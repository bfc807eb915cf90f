// Kind "machine": a chip in three steps: all of it, one of its units, a part of that.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_machine(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
