#include "kernel_run.hpp"

#include "wasm_kernels/layers/layers.hpp"

// The kernels of the ladders and of the layers.
std::vector<const kernels::Kernel*> every_kernel() {
  std::vector<const kernels::Kernel*> all;
  for (const kernels::Registry registry : {kernels::registry(), kernels::layers_registry()})
    for (const kernels::Kernel& kernel : registry) all.push_back(&kernel);
  return all;
}
