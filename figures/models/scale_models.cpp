#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> scale_models() {
  static constexpr Named group[] = {
      {"allreduce", make_allreduce},
      {"pipeline", make_pipeline},
      {"planner", make_planner},
  };
  return group;
}

}  // namespace figures::models
