// A network as the kernels that a machine runs: each with its arithmetic, its bytes and what is
// between them, its intensity, held against a machine's ridge.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_layers(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options);

}  // namespace figures
