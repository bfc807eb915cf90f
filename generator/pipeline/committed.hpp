// Whether readers see only what has been committed.
#pragma once

#include "generator/pipeline/rendered.hpp"

namespace primer {

// Of a site with a public address: reports files that pages show and that are not committed, where that is known.
void check_committed(const Loaded& loaded, const RenderedBook& rendered, Diagnostics& diagnostics);

}  // namespace primer
