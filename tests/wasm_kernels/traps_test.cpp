// The kernels of /traps/: all compute correct results, except the one that computes nothing.
#include "catch.hpp"
#include "kernel_run.hpp"

namespace {

// Memory as the system provides it: zero.
KernelRun run_on_zeros(const kernels::Kernel& kernel, int reps) {
  KernelRun run{kernel, kernel.defaults()};
  if (std::string(kernel.params[0].name ? kernel.params[0].name : "") == "w")
    run.args.value[0] = 64 << 10;
  const std::size_t size = (kernel.memory(run.args) + 63) / 64 * 64;
  run.memory.reset(std::aligned_alloc(64, size));
  std::memset(run.memory.get(), 0, size);
  kernel.prepare(run.args, run.memory.get());
  if (reps > 0) kernel.run(run.args, run.memory.get(), reps);
  run.error = kernel.verify(run.args, run.memory.get(), &run.tolerance);
  return run;
}

bool computes(const kernels::Kernel& kernel) { return std::string(kernel.variant) != "dead"; }

}  // namespace

TEST_CASE("traps compute what they say") {
  for (const kernels::Kernel& kernel : kernels::registry()) {
    for (const int reps : {1, 2, 3}) {
      INFO(kernel.id << ' ' << kernel.variant << ' ' << reps);
      CHECK(run_on_zeros(kernel, reps).correct() == computes(kernel));
    }
  }
}

// Adding zeros keeps the previous value.
TEST_CASE("traps notice that nothing ran") {
  for (const kernels::Kernel& kernel : kernels::registry()) {
    const std::string name = std::string(kernel.id) + ' ' + kernel.variant;
    if (name == "trap.pages untouched") continue;
    INFO(name);
    CHECK_FALSE(run_on_zeros(kernel, 0).correct());
  }
}
