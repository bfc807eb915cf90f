// Figures of the page: figures::render behind the cache.
#pragma once

#include "figures/draw/rendering.hpp"
#include "generator/base/cache.hpp"
#include "generator/base/digest.hpp"

namespace primer {

// figures::render(spec, inputs, options), or what the cache has of it, which is the same for every id_prefix. `values` names everything
// that `inputs` holds. `cache` may be null.
figures::Result<figures::Rendering> draw(Cache* cache, const Digest& values,
                                         const nlohmann::json& spec, const figures::Inputs& inputs,
                                         const figures::Options& options);

}  // namespace primer
