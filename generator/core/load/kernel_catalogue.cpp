#include "generator/core/load/kernel_catalogue.hpp"

#include <algorithm>
#include <vector>

#include "wasm_kernels/layers/layers.hpp"
#include "wasm_kernels/webgpu/webgpu.hpp"

namespace primer {
namespace {

// CPU kernels, module by module, then GPU kernels.
std::vector<const kernels::Kernel*> every_kernel() {
  std::vector<const kernels::Kernel*> all;
  for (const kernels::Registry registry :
       {kernels::registry(), kernels::layers_registry(), kernels::webgpu_registry()}) {
    for (const kernels::Kernel& kernel : registry) all.push_back(&kernel);
  }
  return all;
}

}  // namespace

const nlohmann::json& kernel_descriptions() {
  static const nlohmann::json descriptions = [] {
    auto all = nlohmann::json::array();
    std::vector<char> buffer(16 * 1024);
    for (const kernels::Kernel* kernel : every_kernel()) {
      const std::size_t length = kernels::describe(*kernel, buffer.data(), buffer.size());
      all.push_back(nlohmann::json::parse(buffer.data(), buffer.data() + length));
    }
    return all;
  }();
  return descriptions;
}

bool native_work(const figures::KernelInfo& kernel, const std::vector<double>& values,
                 double* flops, double* bytes) {
  for (const kernels::Kernel* candidate : every_kernel()) {
    if (candidate->id != kernel.id || candidate->variant != kernel.variant) continue;
    kernels::Args args = candidate->defaults();
    const auto count = std::min<std::size_t>(values.size(), kernels::max_params);
    std::copy_n(values.begin(), count, args.value);
    *flops = candidate->flops(args);
    *bytes = candidate->bytes(args);
    return true;
  }
  return false;
}

}  // namespace primer
