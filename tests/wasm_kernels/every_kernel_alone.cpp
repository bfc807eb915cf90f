#include "kernel_run.hpp"

// Those of the one registry that this program has.
std::vector<const kernels::Kernel*> every_kernel() {
  std::vector<const kernels::Kernel*> all;
  for (const kernels::Kernel& kernel : kernels::registry()) all.push_back(&kernel);
  return all;
}
