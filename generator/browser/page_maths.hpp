// TeX → MathML by the worker that the module runs in.
#pragma once

#include <string>
#include <vector>

#include "generator/typeset/typesetting.hpp"

namespace primer {

// Typesetting::Convert.
std::vector<figures::Result<std::string>> convert_in_page(
    const std::vector<const Formula*>& formulas);

}  // namespace primer
