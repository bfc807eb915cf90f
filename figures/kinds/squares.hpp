// Kind "squares": amounts as areas on one linear scale from zero. The largest square fills the
// figure.
#pragma once

#include "figures/draw/rendering.hpp"

namespace figures {

Result<Rendering> render_squares(const nlohmann::json& spec, const Inputs& inputs,
                                 const Options& options);

}  // namespace figures
