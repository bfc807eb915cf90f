// Breaks a displayed formula for narrow screens. MathML does not break lines, so a formula too long
// for a phone is written a second time, broken before its relations, and CSS shows one of the two.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// The TeX of the broken formula. Empty if the formula fits a screen of 390 px (estimated from its
// symbols), has no relation outside of brackets, or already contains line breaks.
std::string broken_formula(std::string_view tex);

}  // namespace primer
