// The layers of a configuration.
#pragma once

#include <vector>

#include "figures/costs/config_keys.hpp"

namespace figures::costs {

// Equal layers are one entry, in the order of their first. Problems are stored in `keys`.
std::vector<Layer> read_layers(Keys& keys, double width, double layers);

}  // namespace figures::costs
