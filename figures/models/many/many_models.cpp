#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> many_models() {
  static constexpr Named group[] = {
      {"allreduce", make_allreduce}, {"cluster-sim", make_cluster_sim}, {"pipeline", make_pipeline},
      {"planner", make_planner},     {"zero-memory", make_zero_memory},
  };
  return group;
}

}  // namespace figures::models
