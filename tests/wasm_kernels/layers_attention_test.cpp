// attention.heads and its exponential: wasm_kernels/layers/.
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/layers/exp2.hpp"

TEST_CASE("the vector's power of two is right to 3e-7 and never denormal") {
  double worst = 0;
  for (int i = 0; i <= 1260000; ++i) {
    const float x = -float(i) / 10000;
    const kernels::f32x4 power = kernels::layers::exp2(kernels::splat(x));
    worst = std::max(worst, std::abs(power[i % 4] / std::exp2(double(x)) - 1));
  }
  CHECK(worst < 3e-7);
  for (float x : {-126.5f, -1e30f})
    CHECK(std::isnormal(kernels::layers::exp2(kernels::splat(x))[0]));
}

TEST_CASE("attention of several heads is right around tiles, strips and blocks") {
  for (int d : {1, 3, 4, 7, 13, 64})
    for (int n : {1, 2, 5, 6, 7, 8, 9, 17, 47, 239, 240, 241, 300})
      for (int causal : {0, 1}) {
        INFO("n " << n << " d " << d << " causal " << causal);
        CHECK(run_kernel("attention.heads", {{"n", n}, {"d", d}, {"heads", 2}, {"causal", causal}})
                  .correct());
      }
  for (int tile : {408, 508, 608, 808, 216, 616, 324, 424})
    for (int causal : {0, 1}) {
      INFO("tile " << tile << " causal " << causal);
      CHECK(run_kernel("attention.heads",
                       {{"n", 251}, {"d", 10}, {"heads", 3}, {"causal", causal}, {"tile", tile}})
                .correct());
    }
}

TEST_CASE("attention with several heads counts only visible tokens") {
  const auto flops = [](int causal) {
    return run_kernel("attention.heads", {{"n", 10}, {"d", 4}, {"heads", 3}, {"causal", causal}})
        .flops();
  };
  CHECK(flops(0) == 4 * 100 * 4 * 3);
  CHECK(flops(1) == 4 * 55 * 4 * 3);
  CHECK(run_kernel("attention.heads", {{"n", 10}, {"d", 4}, {"heads", 3}}).bytes() ==
        4 * 4 * 10 * 4 * 3);
}
