#include "generator/render/placeholder_gpu.hpp"

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
  result.device = "gpu";
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

}  // namespace

bool needs_gpu(std::span<const Name> names) {
  return std::any_of(names.begin(), names.end(),
                     [](const Name& name) { return figures::is_gpu_kernel(name.id); });
}

figures::Profile stand_in(std::span<const Name> names, const Values& values) {
  figures::Profile profile = values.reference.value_or(figures::Profile());
  for (const Name& name : names) {
    std::string variant;
    for (const auto& argument : name.arguments) {
      if (argument.name == "variant") variant = argument.word;
    }
    const KernelInfo* kernel = values.catalogue.find(name.id, variant);
    if (kernel && figures::is_gpu_kernel(kernel->id)) {
      profile.results.push_back(made_up(name, *kernel));
    }
  }
  return profile;
}

}  // namespace primer
