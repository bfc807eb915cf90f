// Compares convolutions with the definition, which tests for borders, element by element.
#include <tuple>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/conv/problem.hpp"

namespace {

const char* const ways[] = {"conv.direct", "conv.blocked", "conv.im2col"};

int wrong_elements(const KernelRun& run) {
  kernels::Arena arena(run.memory.get());
  const kernels::conv::Problem p = kernels::conv::lay_out(run.args, arena);
  const auto [in, out, side] = p.shape;
  const auto pixel = [&](int c, int y, int x) {
    const bool inside = y >= 0 && y < side && x >= 0 && x < side;
    return inside ? p.image[c * p.plane + (y + 1) * p.pitch + x + 1] : 0;
  };
  int wrong = 0;
  for (int o = 0; o < out; ++o) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        double sum = 0;
        for (int c = 0; c < in; ++c)
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -1; dx <= 1; ++dx)
              sum += p.filters[((o * in + c) * 3 + dy + 1) * 3 + dx + 1] * pixel(c, y + dy, x + dx);
        wrong += !(p.result[(o * side + y) * side + x] == sum);
      }
    }
  }
  return wrong;
}

KernelRun convolve(const char* id, int in, int out, int side) {
  return run_kernel(id, {{"in", in}, {"out", out}, {"side", side}});
}

}  // namespace

TEST_CASE("convolutions agree with the definition at every kind of odd shape") {
  for (const char* id : ways) {
    for (int side : {1, 2, 3, 4, 5, 6, 7, 8, 9, 13}) {
      for (const auto& [in, out] : {std::tuple{1, 1}, {3, 5}, {2, 6}, {5, 7}, {1, 13}, {60, 4}}) {
        INFO(id << ' ' << in << " -> " << out << " at " << side);
        const KernelRun run = convolve(id, in, out, side);
        CHECK(wrong_elements(run) == 0);
        CHECK(run.correct());
      }
    }
  }
}

TEST_CASE("convolutions count multiply-adds and copied bytes") {
  for (const char* id : ways) CHECK(convolve(id, 3, 5, 10).flops() == 2 * 9 * 3 * 5 * 100);
  const double once = 4 * (3 * 100 + 9 * 3 * 5 + 5 * 100);
  CHECK(convolve("conv.direct", 3, 5, 10).bytes() == once);
  CHECK(convolve("conv.blocked", 3, 5, 10).bytes() == once);
  CHECK(convolve("conv.im2col", 3, 5, 10).bytes() == once + 2 * 4 * 9 * 3 * 100);
}

TEST_CASE("the convolutions' check finds one wrong element") {
  for (int place : {0, 5 * 100 - 1}) {
    KernelRun run = convolve("conv.blocked", 3, 5, 10);
    kernels::Arena arena(run.memory.get());
    kernels::conv::lay_out(run.args, arena).result[place] += 0.25f;
    run.error = run.kernel.verify(run.args, run.memory.get(), &run.tolerance);
    CHECK(run.error > run.tolerance);
  }
}
