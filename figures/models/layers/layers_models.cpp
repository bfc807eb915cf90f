#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> layers_models() {
  static constexpr Named group[] = {
      {"cache-tiling", make_cache_tiling},
      {"layer-counter", make_layer_counter},
      {"roofline-explorer", make_roofline_explorer},
  };
  return group;
}

}  // namespace figures::models
