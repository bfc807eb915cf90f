// How many dashes a drawing's lines come to. A line of a few letters with dashes of a ten-thousandth keeps a
// browser busy for minutes.
#pragma once

#include "figures/base/result.hpp"
#include "generator/pictures/svg_tree.hpp"

namespace primer {

inline constexpr double most_svg_dashes = 100'000;  // dashes and gaps of all lines together

// An error when there are more of them, each as often as it is drawn, or when they cannot be counted: lengths in
// "em" and the like, strokes that do not scale. Call after check_expansion(), which bounds what is looked at.
figures::Status check_dashes(const SvgNode& root);

}  // namespace primer
