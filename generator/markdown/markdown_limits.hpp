// What is refused before cmark-gfm sees it.
#pragma once

#include "generator/markdown/markdown.hpp"

namespace primer {

// False after a diagnostic.
bool within_limits(const Extract& extract, const Limits& limits, Diagnostics& diagnostics);

}  // namespace primer
