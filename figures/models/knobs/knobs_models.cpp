#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> knobs_models() {
  static constexpr Named group[] = {
      {"attention-io", make_attention_io},
      {"batch-explorer", make_batch_explorer},
      {"core-scaling", make_core_scaling},
      {"decode-floor", make_decode_floor},
      {"fusion", make_fusion},
      {"number-explorer", make_number_explorer},
      {"rounded-sum", make_rounded_sum},
      {"shared-scale", make_shared_scale},
      {"tiny-digits", make_tiny_digits},
  };
  return group;
}

}  // namespace figures::models
