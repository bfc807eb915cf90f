// The compiled-in registry of kernels, in the form that the evaluator needs.
#pragma once

#include <nlohmann/json.hpp>

#include "figures/quantities/catalogue.hpp"

namespace primer {

// Descriptions of all kernels, as in registry.json.
const nlohmann::json& kernel_descriptions();

// Computes FLOPs and bytes with a kernel's own functions, like figures::WorkCounter::count().
bool native_work(const figures::KernelInfo& kernel, const std::vector<double>& values,
                 double* flops, double* bytes);

}  // namespace primer
