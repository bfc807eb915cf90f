#include "catch.hpp"
#include "kernel_run.hpp"

namespace {

const char* const formats[] = {"matvec.f32", "matvec.bf16", "matvec.i8", "matvec.i4"};

}  // namespace

TEST_CASE("matrix times vector is right around every step of rows, columns and batch") {
  for (const char* id : formats) {
    for (int rows : {1, 4, 7, 8, 9, 17}) {
      for (int columns : {1, 4, 7, 8, 15, 16, 17, 33, 63, 64, 65, 100, 130}) {
        for (int batch : {1, 2, 3, 4, 5, 7}) {
          INFO(id << ' ' << rows << 'x' << columns << " batch " << batch);
          const KernelRun run =
              run_kernel(id, {{"rows", rows}, {"cols", columns}, {"batch", batch}});
          CHECK(run.error <= run.tolerance);
          CHECK(run.flops() == 2.0 * rows * columns * batch);
        }
      }
    }
    CHECK(run_kernel(id, {{"rows", 700}, {"cols", 3000}, {"batch", 16}}).correct());
  }
}

TEST_CASE("the sums of long rows of bytes are still exact") {
  for (const char* id : formats)
    CHECK(run_kernel(id, {{"rows", 65}, {"cols", 16384}, {"batch", 2}}).correct());
}

// 1000 x 512 weights. A vector x has 512 numbers, y has 1000.
TEST_CASE("bytes are those of the weights, with their scales, and of the vectors") {
  const auto bytes = [](const char* id, int batch) {
    return run_kernel(id, {{"rows", 1000}, {"cols", 512}, {"batch", batch}}).bytes();
  };
  CHECK(bytes("matvec.f32", 1) == 4 * 512000 + 4 * 512 + 4 * 1000);
  CHECK(bytes("matvec.f32", 8) == 4 * 512000 + 8 * (4 * 512 + 4 * 1000));
  CHECK(bytes("matvec.bf16", 1) == 2 * 512000 + 4 * 512 + 4 * 1000);
  CHECK(bytes("matvec.i8", 1) == 512000 + 8 * 1000 + 512 + 4 * 1000);
  CHECK(bytes("matvec.i4", 1) == 256000 + 4 * 8000 + 512 + 4 * 1000);
}
