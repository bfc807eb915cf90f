// conv.packed: wasm_kernels/layers/convolution.cpp.
#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("packed convolution is right around tiles, rims and strides") {
  for (int in : {1, 3, 80})
    for (int out : {1, 5, 6, 13})
      for (int side : {1, 2, 7, 8, 9, 17})
        for (int filter : {1, 3, 5, 7})
          for (int stride : {1, 2}) {
            INFO(in << " to " << out << ", side " << side << " filter " << filter << " stride "
                    << stride);
            CHECK(run_kernel("conv.packed", {{"in", in},
                                             {"out", out},
                                             {"side", side},
                                             {"filter", filter},
                                             {"stride", stride}})
                      .correct());
          }
}

TEST_CASE("packed convolution is right with every tile and over several blocks of depth") {
  for (int tile : {408, 508, 808, 216, 616, 324, 424})
    for (int stride : {1, 2})
      CHECK(run_kernel("conv.packed", {{"in", 150},
                                       {"out", 9},
                                       {"side", 11},
                                       {"filter", 3},
                                       {"stride", stride},
                                       {"tile", tile}})
                .correct());
}

TEST_CASE("packed convolution counts as the plain one, and fewer pixels where it leaves some out") {
  const KernelRun plain = run_kernel("conv.direct", {{"in", 3}, {"out", 4}, {"side", 9}});
  const KernelRun packed = run_kernel("conv.packed", {{"in", 3}, {"out", 4}, {"side", 9}});
  CHECK(packed.flops() == plain.flops());
  CHECK(packed.bytes() == plain.bytes());
  const KernelRun strided =
      run_kernel("conv.packed", {{"in", 3}, {"out", 4}, {"side", 9}, {"stride", 2}});
  CHECK(strided.flops() == 2 * 9 * 3 * 4 * 25);
  CHECK(strided.bytes() == 4 * (3 * 81 + 9 * 3 * 4 + 4 * 25));
}
