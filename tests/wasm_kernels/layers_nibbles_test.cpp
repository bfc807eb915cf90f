// matmul.i4: wasm_kernels/layers/nibbles.cpp.
#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/layers/words.hpp"

TEST_CASE("products with weights of four bits are right around strips, rows and groups") {
  for (int n : {1, 7, 8, 9, 17})
    for (int m : {1, 2, 3, 4, 5, 7, 9})
      for (int k : {1, 3, 4, 5, 63, 64, 65, 130, 200}) {
        INFO(m << " x " << k << " x " << n);
        CHECK(run_kernel("matmul.i4", {{"m", m}, {"n", n}, {"k", k}}).correct());
      }
  CHECK(run_kernel("matmul.i4", {{"m", 6}, {"n", 40}, {"k", 8192}}).correct());
}

// 1000 columns of 512 weights, which are 8 groups.
TEST_CASE("weights of four bits count half a byte and their scales, activations a float") {
  const auto bytes = [](int m) {
    return run_kernel("matmul.i4", {{"m", m}, {"n", 1000}, {"k", 512}}).bytes();
  };
  CHECK(bytes(1) == 256000 + 4 * 8000 + 4 * 512 + 4 * 1000);
  CHECK(bytes(8) == 256000 + 4 * 8000 + 8 * (4 * 512 + 4 * 1000));
  CHECK(run_kernel("matmul.i4", {{"m", 3}, {"n", 10}, {"k", 20}}).flops() == 2 * 3 * 10 * 20);
}

TEST_CASE("four bytes to a word are multiplied and added up in its lane") {
  using kernels::words::Word;
  const auto word = [](int a, int b, int c, int d) {
    return Word(std::uint32_t(a & 255) | std::uint32_t(b & 255) << 8 |
                std::uint32_t(c & 255) << 16 | std::uint32_t(d & 255) << 24);
  };
  const kernels::i32x4 a = {word(-128, 127, -1, 5), word(1, 2, 3, 4), 0, word(9, -9, 7, -7)};
  const kernels::i32x4 b = {word(15, 0, 127, 3), word(1, 1, 1, 1), word(9, 9, 9, 9),
                            word(2, 3, 4, 5)};
  const kernels::i32x4 sums = kernels::words::dot_add_bytes(a, b, kernels::i32x4{1, 0, 0, 0});
  CHECK(sums[0] == 1 - 128 * 15 - 127 + 15);
  CHECK(sums[1] == 10);
  CHECK(sums[2] == 0);
  CHECK(sums[3] == 18 - 27 + 28 - 35);
}
