#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("a layer is the same with its bias and ReLU fused or not") {
  for (const char* id : {"mlp.unfused", "mlp.fused"}) {
    for (int m : {1, 3, 4, 5, 6, 7, 11, 13, 97, 103}) {
      for (int n : {1, 4, 7, 8, 9, 16, 23}) {
        for (int k : {1, 2, 16, 33}) {
          INFO(id << ' ' << m << 'x' << n << 'x' << k);
          CHECK(run_kernel(id, {{"m", m}, {"n", n}, {"k", k}}).correct());
        }
      }
    }
    for (int k : {511, 512, 513, 1025}) {
      INFO(id << " k " << k);
      CHECK(run_kernel(id, {{"m", 10}, {"n", 20}, {"k", k}}).correct());
    }
  }
}

TEST_CASE("fusing a layer saves two passes over its result") {
  const auto at = [](const char* id) { return run_kernel(id, {{"m", 10}, {"n", 20}, {"k", 30}}); };
  CHECK(at("mlp.unfused").flops() == 2 * 10 * 20 * 30 + 2 * 10 * 20);
  CHECK(at("mlp.fused").flops() == at("mlp.unfused").flops());
  CHECK(at("mlp.fused").bytes() == 4 * (300 + 600 + 20 + 200));
  CHECK(at("mlp.unfused").bytes() == 4 * (300 + 600 + 20 + 5 * 200));
}
