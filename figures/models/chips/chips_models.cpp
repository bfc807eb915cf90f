#include "figures/models/registry.hpp"

namespace figures::models {

std::span<const Named> chips_models() {
  static constexpr Named group[] = {
      {"accelerator", make_accelerator},
      {"chooser", make_chooser},
      {"dataflow-energy", make_dataflow_energy},
      {"little", make_little},
      {"loom", make_loom},
      {"occupancy", make_occupancy},
      {"row-stationary", make_row_stationary},
      {"sectors", make_sectors},
      {"simt", make_simt},
      {"systolic", make_systolic},
      {"tpu1-budget", make_tpu1_budget},
  };
  return group;
}

}  // namespace figures::models
