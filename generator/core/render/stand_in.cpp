#include "generator/core/render/stand_in.hpp"

#include <algorithm>

namespace primer {
namespace {

using figures::KernelInfo;
using figures::Measurement;
using figures::Name;

Measurement made_up(const Name& name, const KernelInfo& kernel) {
  Measurement result;
  result.kernel = kernel.id;
  result.variant = kernel.variant;
  if (figures::is_gpu_kernel(kernel.id)) result.device = "gpu";
  result.unit = kernel.unit;
  result.measured = result.verified = true;
  result.best = result.median = result.p90 = result.p99 = 1;
  for (const auto& param : kernel.params) result.params.push_back({param.name, param.fallback});
  for (const auto& argument : name.arguments) {
    if (argument.name == "threads") result.threads = static_cast<int>(argument.number.value);
    if (argument.name == "device") result.device = argument.word;
    if (argument.name == "module") result.module = argument.word;
    for (auto& param : result.params) {
      if (param.name == argument.name) param.value = argument.number.value;
    }
  }
  return result;
}

// Whether the profile gets a fake result for this kernel. A CPU kernel that the reference machine
// has run gets none: if a run of it is missing, the author probably mistyped a parameter.
bool is_made_up(const KernelInfo& kernel, const Values& values) {
  if (figures::is_gpu_kernel(kernel.id)) return true;
  return !values.reference ||
         std::none_of(values.reference->results.begin(), values.reference->results.end(),
                      [&](const Measurement& result) { return result.kernel == kernel.id; });
}

}  // namespace

const KernelInfo* kernel_of(const Name& name, const Values& values) {
  std::string variant;
  for (const auto& argument : name.arguments) {
    if (argument.name == "variant") variant = argument.word;
  }
  return values.catalogue.find(name.id, variant);
}

bool needs_gpu(std::span<const Name> names) {
  return std::any_of(names.begin(), names.end(),
                     [](const Name& name) { return figures::is_gpu_kernel(name.id); });
}

bool needs_stand_in(std::span<const Name> names, const Values& values) {
  return std::any_of(names.begin(), names.end(), [&](const Name& name) {
    const KernelInfo* kernel = kernel_of(name, values);
    return kernel && is_made_up(*kernel, values);
  });
}

figures::Profile stand_in(std::span<const Name> names, const Values& values) {
  figures::Profile profile = values.reference ? *values.reference : figures::Profile();
  for (const Name& name : names) {
    const KernelInfo* kernel = kernel_of(name, values);
    if (kernel && is_made_up(*kernel, values)) profile.results.push_back(made_up(name, *kernel));
  }
  return profile;
}

}  // namespace primer
