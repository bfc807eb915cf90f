// A file of YAML that is long, as it was read when its text was last the same: reading one takes as long as a hundred
// pages that have not changed.
#pragma once

#include "generator/base/cache.hpp"
#include "generator/formats/yaml.hpp"

namespace primer {

// parse_yaml() of the whole text. `cache` may be null.
std::optional<Yaml> parse_kept_yaml(const Source& source, Cache* cache, Diagnostics& diagnostics);

}  // namespace primer
