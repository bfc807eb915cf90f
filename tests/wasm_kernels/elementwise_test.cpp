#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("four elementwise operations are the same in four loops and in one") {
  for (const char* id : {"elementwise.unfused", "elementwise.fused"}) {
    for (int w : {4096, 5000, 12345, 65536, 100001}) {
      INFO(id << " w " << w);
      CHECK(run_kernel(id, {{"w", w}}).correct());
    }
  }
}

TEST_CASE("fusing saves passes, not operations") {
  const double count = 16384;
  const double w = 3 * 4 * count;
  const KernelRun unfused = run_kernel("elementwise.unfused", {{"w", w}});
  const KernelRun fused = run_kernel("elementwise.fused", {{"w", w}});
  CHECK(unfused.flops() == 4 * count);
  CHECK(fused.flops() == 4 * count);
  CHECK(unfused.bytes() == 9 * 4 * count);
  CHECK(fused.bytes() == 3 * 4 * count);
  CHECK(unfused.kernel.memory(unfused.args) == fused.kernel.memory(fused.args));
}
