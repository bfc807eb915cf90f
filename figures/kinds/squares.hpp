// Kind "squares": amounts as areas on one scale, linear from zero; the largest is the drawing itself.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_squares(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
