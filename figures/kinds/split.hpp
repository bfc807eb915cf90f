// How the time of a piece of work is divided: moving bytes, compute, and the overhead before either
// can start. The two lanes run at the same time if transfer and compute overlap, otherwise one
// after the other.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_split(const nlohmann::json& spec, const Inputs& inputs,
                               const Options& options);

}  // namespace figures
