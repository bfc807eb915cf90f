// Where the time of a piece of work goes: moving bytes, arithmetic, and what comes before either can
// begin. Two lanes side by side while the two overlap, one after the other where they do not.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_split(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
