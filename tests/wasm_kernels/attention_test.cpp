#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/reference.hpp"
#include "wasm_kernels/vector_math.hpp"

TEST_CASE("the vector exponential is right to 2e-7 and never denormal") {
  double worst = 0;
  for (int i = 0; i <= 870000; ++i) {
    const float x = -float(i) / 10000;
    const kernels::f32x4 power = kernels::exp(kernels::splat(x));
    worst = std::max(worst, std::abs(power[i % 4] / std::exp(double(x)) - 1));
  }
  CHECK(worst < 2e-7);
  CHECK(kernels::exp(kernels::splat(0))[0] == 1);
  for (float x : {-87.5f, -100.f, -1e30f}) CHECK(std::isnormal(kernels::exp(kernels::splat(x))[0]));
  for (double x : {0.0, -1e-9, -0.5, -3.0, -40.0, -100.0})
    CHECK_THAT(kernels::reference_exp(x), WithinRel(std::exp(x), 1e-10));
}

TEST_CASE("attention is right around the lane width, the tiles and the blocks") {
  for (int d : {1, 3, 4, 7, 8, 13, 16, 64}) {
    for (int n : {1, 2, 3, 4, 5, 6, 7, 8, 11, 47, 48, 49, 127, 128, 129, 200, 300}) {
      INFO("n " << n << " d " << d);
      const KernelRun tiled = run_kernel("attention.tiled", {{"n", n}, {"d", d}});
      CHECK(tiled.error <= tiled.tolerance);
      for (int stages : {1, 2, 3}) {
        const KernelRun naive =
            run_kernel("attention.naive", {{"n", n}, {"d", d}, {"stages", stages}});
        INFO("naive, stages " << stages);
        CHECK(naive.error <= naive.tolerance);
      }
    }
  }
}

TEST_CASE("tiled attention does the same work with memory that grows with n, not its square") {
  const auto at = [](const char* id, double n) { return run_kernel(id, {{"n", n}, {"d", 16}}); };
  const auto memory = [](const KernelRun& run) { return double(run.kernel.memory(run.args)); };
  CHECK(at("attention.naive", 100).flops() == 4 * 100 * 100 * 16);
  CHECK(at("attention.tiled", 100).flops() == 4 * 100 * 100 * 16);
  CHECK(at("attention.naive", 100).bytes() == 4 * (4 * 100 * 16 + 4 * 100 * 100));
  CHECK(at("attention.tiled", 100).bytes() == 4 * (4 * 100 * 16));
  CHECK(run_kernel("attention.naive", {{"n", 100}, {"d", 16}, {"stages", 2}}).bytes() ==
        4 * (2 * 100 * 16 + 3 * 100 * 100));

  const KernelRun naive = at("attention.naive", 512), tiled = at("attention.tiled", 512);
  CHECK(memory(naive) - memory(tiled) > 4 * 512 * 512 - 4 * 48 * 128 - 1);
  CHECK(memory(at("attention.tiled", 1024)) < 2 * memory(tiled));
}
