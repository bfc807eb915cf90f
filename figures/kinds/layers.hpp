// A network as the list of its kernels: the FLOPs, the bytes and the intensity of each, compared
// with the ridge point of a machine.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_layers(const nlohmann::json& spec, const Inputs& inputs,
                                const Options& options);

}  // namespace figures
