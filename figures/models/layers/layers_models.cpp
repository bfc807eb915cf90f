#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> layers_models() {
  static constexpr Named group[] = {
      {"cache-tiling", make_cache_tiling},           {"datasheet", make_datasheet},
      {"layer-counter", make_layer_counter},         {"ridge-timeline", make_ridge_timeline},
      {"roofline-explorer", make_roofline_explorer},
  };
  return group;
}

}  // namespace figures::models
