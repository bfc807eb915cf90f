// Converts TeX to MathML in the worker that runs the module.
#pragma once

#include <string>
#include <vector>

#include "generator/core/typeset/typesetting.hpp"

namespace primer {

// Implements Typesetting::Convert.
std::vector<figures::Result<std::string>> convert_in_page(
    const std::vector<const Formula*>& formulas);

}  // namespace primer
