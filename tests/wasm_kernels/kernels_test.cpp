// Peaks and streams.
#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("peaks are right with every number of chains") {
  for (const char* id : {"peak.scalar", "peak.simd", "peak.fma", "peak.i8dot"}) {
    for (int chains : {1, 2, 4, 8, 12, 16, 24}) {
      INFO(id << " chains " << chains);
      const KernelRun run = run_kernel(id, {{"chains", chains}});
      CHECK(run.error <= run.tolerance);
      CHECK(run.bytes() == 0);
    }
  }
  // 12 chains of 2049 steps. A step is 2 operations on 1, 4, 4 and 16 elements.
  CHECK(run_kernel("peak.scalar").flops() == 12 * 2049 * 2);
  CHECK(run_kernel("peak.simd").flops() == 12 * 2049 * 2 * 4);
  CHECK(run_kernel("peak.fma").flops() == 12 * 2049 * 2 * 4);
  CHECK(run_kernel("peak.i8dot").flops() == 12 * 2049 * 2 * 16);
}

TEST_CASE("streams are right at sizes that do not divide evenly") {
  for (const char* id : {"stream.read", "stream.write", "stream.add", "stream.copy", "stream.triad",
                         "stream.memcopy"}) {
    for (int w : {4096, 5000, 12345, 65536, 100001}) {
      INFO(id << " w " << w);
      const KernelRun run = run_kernel(id, {{"w", w}});
      CHECK(run.error <= run.tolerance);
      CHECK(run.bytes() <= w);
      CHECK(run.bytes() > w - 3 * 256 - 12);
    }
  }
  for (int chains : {1, 2, 4, 8, 12, 16}) {
    INFO("chains " << chains);
    CHECK(run_kernel("stream.read", {{"w", 8448}, {"chains", chains}}).correct());
  }
}

TEST_CASE("streams count bytes and operations as STREAM does") {
  const double w = 3 * 65536;  // 65536 bytes, or 16384 floats, in each of three arrays
  CHECK(run_kernel("stream.triad", {{"w", w}}).flops() == 2 * 16384);
  CHECK(run_kernel("stream.triad", {{"w", w}}).bytes() == 3 * 65536);
  CHECK(run_kernel("stream.add", {{"w", w}}).flops() == 16384);
  CHECK(run_kernel("stream.add", {{"w", w}}).bytes() == 3 * 65536);
  CHECK(run_kernel("stream.copy", {{"w", w}}).flops() == 0);
  CHECK(run_kernel("stream.copy", {{"w", w}}).bytes() == w);
  CHECK(run_kernel("stream.write", {{"w", w}}).flops() == 0);
  CHECK(run_kernel("stream.read", {{"w", w}}).flops() == 3 * 16384);
}
