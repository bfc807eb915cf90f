// block.gpt2: wasm_kernels/layers/block.cpp.
#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("a block of GPT-2 is right for tokens and widths that fill no tile") {
  for (int n : {1, 2, 5, 9, 33})
    for (int d : {1, 3, 4, 7, 64})
      for (int heads : {1, 2, 3}) {
        INFO(n << " tokens, " << heads << " heads of " << d);
        CHECK(run_kernel("block.gpt2", {{"n", n}, {"d", d}, {"heads", heads}}).correct());
      }
  for (int tile : {408, 508, 808, 216, 616, 324, 424})
    CHECK(run_kernel("block.gpt2", {{"n", 19}, {"d", 20}, {"heads", 5}, {"tile", tile}}).correct());
}

TEST_CASE("a block of GPT-2 counts its products and its weights") {
  const KernelRun run = run_kernel("block.gpt2", {{"n", 10}, {"d", 8}, {"heads", 2}});
  CHECK(run.flops() == 24 * 10 * 16 * 16 + 4 * 16 * 55);
  CHECK(run.bytes() == 4 * (12 * 16 * 16 + 13 * 16 + 2 * 10 * 16));
}
