#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> many_models() {
  static constexpr Named group[] = {
      {"allreduce", make_allreduce},     {"comm-roofline", make_comm_roofline},
      {"datasheet", make_datasheet},     {"pipeline", make_pipeline},
      {"planner", make_planner},         {"ridge-timeline", make_ridge_timeline},
      {"zero-memory", make_zero_memory},
  };
  return group;
}

}  // namespace figures::models
