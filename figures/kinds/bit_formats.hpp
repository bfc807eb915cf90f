// Number formats as strips of bits to scale: sign, exponent, mantissa.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_formats(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
