// Colours for WGSL. Its grammar on npm is stale, and the language is regular enough for a scanner.
#pragma once

#include <string_view>

#include "generator/code/paint.hpp"

namespace primer {

Painting paint_wgsl(std::string_view code);

}  // namespace primer
