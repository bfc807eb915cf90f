// The kernels' own registry, compiled in, as the evaluator sees it.
#pragma once

#include <nlohmann/json.hpp>

#include "figures/quantities/catalogue.hpp"

namespace primer {

// Every kernel's description: what registry.json holds.
const nlohmann::json& kernel_descriptions();

// Counts by the kernels' own functions.
class NativeWork : public figures::WorkCounter {
 public:
  bool count(const figures::KernelInfo& kernel, const std::vector<double>& values, double* flops,
             double* bytes) const override;
};

}  // namespace primer
