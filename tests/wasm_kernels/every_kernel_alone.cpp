#include "kernel_run.hpp"

// The kernels of the only registry in this program.
std::vector<const kernels::Kernel*> every_kernel() {
  std::vector<const kernels::Kernel*> all;
  for (const kernels::Kernel& kernel : kernels::registry()) all.push_back(&kernel);
  return all;
}
