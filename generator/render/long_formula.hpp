// A displayed formula for a narrow screen: MathML breaks no lines, so one that is too long for a phone is written a
// second time, broken before its relations.
#pragma once

#include <string>
#include <string_view>

namespace primer {

// The TeX of the broken formula; empty where the whole one fits 390 px, as far as its signs tell, where it has no
// relation outside of brackets and braces, or where its author has broken it already.
std::string broken_formula(std::string_view tex);

}  // namespace primer
