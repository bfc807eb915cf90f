// Runs one registered kernel in a test: memory, arguments by name, and the result of verify.
#pragma once
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "wasm_kernels/registry.hpp"

struct KernelRun {
  const kernels::Kernel& kernel;
  kernels::Args args;
  std::unique_ptr<void, decltype(&std::free)> memory{nullptr, &std::free};
  double error = 0, tolerance = -1;

  double flops() const { return kernel.flops(args); }
  double bytes() const { return kernel.bytes(args); }
  bool correct() const { return error <= tolerance; }
};

// The kernels that this program tests. Each test program defines it.
std::vector<const kernels::Kernel*> every_kernel();

inline const kernels::Kernel& find_kernel(const std::string& id, const std::string& variant = "") {
  for (const kernels::Kernel* kernel : every_kernel())
    if (kernel->id == id && kernel->variant == variant) return *kernel;
  throw std::runtime_error("no kernel " + id + " " + variant);
}

inline kernels::Args arguments(const kernels::Kernel& kernel,
                               std::initializer_list<std::pair<const char*, double>> values) {
  kernels::Args args = kernel.defaults();
  for (const auto& [name, value] : values) {
    int i = 0;
    while (i < kernel.param_count() && std::strcmp(kernel.params[i].name, name) != 0) ++i;
    if (i == kernel.param_count()) throw std::runtime_error(std::string("no parameter ") + name);
    args.value[i] = value;
  }
  return args;
}

// Prepares, but does not run. The memory is poisoned first, so that values that prepare does not
// set become NaN.
inline KernelRun prepared(const kernels::Kernel& kernel, kernels::Args args) {
  KernelRun run{kernel, args};
  const std::size_t size = (kernel.memory(args) + 63) / 64 * 64;
  run.memory.reset(std::aligned_alloc(64, size));
  std::memset(run.memory.get(), 0xff, size);
  kernel.prepare(args, run.memory.get());
  return run;
}

// Prepares, runs `reps` times and verifies.
inline KernelRun run_kernel(const kernels::Kernel& kernel, kernels::Args args, int reps = 2) {
  KernelRun run = prepared(kernel, args);
  kernel.run(args, run.memory.get(), reps);
  run.error = kernel.verify(args, run.memory.get(), &run.tolerance);
  return run;
}

inline KernelRun run_kernel(const std::string& id,
                            std::initializer_list<std::pair<const char*, double>> values = {},
                            const std::string& variant = "") {
  const kernels::Kernel& kernel = find_kernel(id, variant);
  return run_kernel(kernel, arguments(kernel, values));
}
