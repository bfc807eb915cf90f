#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> scale_models() {
  static constexpr Named group[] = {
      {"allreduce", make_allreduce},
      {"attention-io", make_attention_io},
      {"batch-explorer", make_batch_explorer},
      {"core-scaling", make_core_scaling},
      {"decode-floor", make_decode_floor},
      {"fusion", make_fusion},
      {"pipeline", make_pipeline},
      {"planner", make_planner},
      {"rounded-sum", make_rounded_sum},
      {"shared-scale", make_shared_scale},
      {"tiny-digits", make_tiny_digits},
      {"zero-memory", make_zero_memory},
  };
  return group;
}

}  // namespace figures::models
