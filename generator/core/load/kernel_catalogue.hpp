// The compiled-in registry of kernels, in the form that the evaluator needs.
#pragma once

#include <nlohmann/json.hpp>

#include "figures/quantities/catalogue.hpp"

namespace primer {

// Descriptions of all kernels, equal to registry.json.
const nlohmann::json& kernel_descriptions();

// Computes FLOPs and bytes with the kernels' own functions.
class NativeWork : public figures::WorkCounter {
 public:
  bool count(const figures::KernelInfo& kernel, const std::vector<double>& values, double* flops,
             double* bytes) const override;
};

}  // namespace primer
