// Low-bit matmuls: wasm_kernels/layers/.
#include <set>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/layers/words.hpp"

TEST_CASE("products of bytes are exact around every rim, in each form") {
  for (int m : {1, 4, 5, 6, 7, 13, 97}) {
    for (int n : {1, 7, 8, 9, 17}) {
      for (int k : {1, 2, 3, 4, 5, 7, 16, 17, 33}) {
        for (int scaled : {0, 1}) {
          INFO(m << " x " << k << " x " << n << " scaled " << scaled);
          CHECK(run_kernel("matmul.i8", {{"m", m}, {"n", n}, {"k", k}, {"scaled", scaled}}, "plain")
                    .correct());
          for (int form : {1, 2}) {
            for (int prepacked : {0, 1}) {
              INFO("form " << form << " prepacked " << prepacked);
              CHECK(run_kernel("matmul.i8", {{"m", m},
                                             {"n", n},
                                             {"k", k},
                                             {"scaled", scaled},
                                             {"form", form},
                                             {"prepacked", prepacked}})
                        .correct());
            }
          }
        }
      }
    }
  }
}

TEST_CASE("products of bytes are exact over several blocks of rows and depth") {
  for (int form : {1, 2})
    for (int prepacked : {0, 1})
      for (int scaled : {0, 1})
        CHECK(run_kernel("matmul.i8", {{"m", 200},
                                       {"n", 41},
                                       {"k", 2305},
                                       {"form", form},
                                       {"prepacked", prepacked},
                                       {"scaled", scaled}})
                  .correct());
}

TEST_CASE("the packed product of bytes gives the plain one's sums, one by one") {
  const auto sums = [](const char* variant) {
    const KernelRun run = run_kernel("matmul.i8", {{"m", 19}, {"n", 21}, {"k", 300}}, variant);
    const auto* bytes = static_cast<const std::int8_t*>(run.memory.get());
    std::size_t at = 0;  // offset of C, after A and B as Arena allocates them
    for (std::size_t size : {19 * 300, 300 * 21})
      at = (at + size + 63) / 64 * 64 + 3 * 4096 + 5 * 64;
    std::vector<std::int32_t> found(19 * 21);
    std::memcpy(found.data(), bytes + at, found.size() * sizeof found[0]);
    return found;
  };
  const auto plain = sums("plain");
  CHECK(plain == sums(""));
  CHECK(std::set<std::int32_t>(plain.begin(), plain.end()).size() > 350);
}

TEST_CASE("a product of bytes counts its operations and its bytes") {
  const KernelRun run = run_kernel("matmul.i8", {{"m", 10}, {"n", 20}, {"k", 30}});
  CHECK(run.flops() == 2 * 10 * 20 * 30);
  CHECK(run.bytes() == 10 * 30 + 30 * 20 + 4 * 10 * 20);
}

TEST_CASE("numbers of 16 bits are multiplied in pairs") {
  using kernels::words::i16x8;
  const i16x8 a = {1, 2, -3, 4, 127, -128, 0, 5}, b = {7, 1, 2, 2, -128, -128, 9, -1};
  const kernels::i32x4 sums = kernels::words::dot_add(a, b, kernels::i32x4{100, 0, 0, 0});
  for (int i = 0; i < 4; ++i)
    CHECK(sums[i] == (i ? 0 : 100) + a[2 * i] * b[2 * i] + a[2 * i + 1] * b[2 * i + 1]);
}
