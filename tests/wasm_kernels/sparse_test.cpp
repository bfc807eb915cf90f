#include <set>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/sparse/problem.hpp"

TEST_CASE("each row keeps different columns, in rising order") {
  for (int columns : {1, 3, 8, 100, 4096}) {
    for (double density : {0.01, 0.1, 0.3, 0.5, 0.9, 1.0}) {
      const kernels::sparse::Shape s = kernels::sparse::shape_of(3, columns, density);
      for (int row = 0; row < s.rows; ++row) {
        std::set<int> places;
        int before = -1;
        kernels::sparse::for_each_place(s, row, [&](int, int column) {
          CHECK((column > before && column < columns));
          before = column;
          places.insert(column);
        });
        CHECK(int(places.size()) == s.kept);
      }
    }
  }
}

TEST_CASE("sparse products are those of the dense matrix, at all densities and odd shapes") {
  for (int rows : {1, 3, 4, 5, 17}) {
    for (int columns : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 33, 100, 1000}) {
      INFO(rows << 'x' << columns);
      CHECK(run_kernel("sparse.2to4", {{"rows", rows}, {"cols", columns}}).correct());
      for (double density : {0.01, 0.1, 0.37, 0.5, 1.0}) {
        INFO("density " << density);
        CHECK(run_kernel("sparse.bitmap", {{"rows", rows}, {"cols", columns}, {"density", density}})
                  .correct());
        for (int index : {16, 32})
          CHECK(run_kernel(
                    "sparse.csr",
                    {{"rows", rows}, {"cols", columns}, {"density", density}, {"index", index}})
                    .correct());
      }
    }
  }
}

// 100 rows of 800 columns, of which 80 are stored (a tenth), or 400 (two of four).
TEST_CASE("sparse formats count what they store") {
  const double vectors = 4 * 800 + 4 * 100;
  const auto csr = [](int index) {
    return run_kernel("sparse.csr",
                      {{"rows", 100}, {"cols", 800}, {"density", 0.1}, {"index", index}});
  };
  const KernelRun bitmap =
      run_kernel("sparse.bitmap", {{"rows", 100}, {"cols", 800}, {"density", 0.1}});
  const KernelRun two_of_four = run_kernel("sparse.2to4", {{"rows", 100}, {"cols", 800}});
  CHECK(csr(16).flops() == 2 * 100 * 80);
  CHECK(csr(16).bytes() == 100 * 80 * 6 + 4 * 101 + vectors);
  CHECK(csr(32).bytes() == 100 * 80 * 8 + 4 * 101 + vectors);
  CHECK(bitmap.flops() == 2 * 100 * 80);
  CHECK(bitmap.bytes() == 100 * (80 * 4 + 100) + vectors);
  CHECK(two_of_four.flops() == 2 * 100 * 400);
  CHECK(two_of_four.bytes() == 100 * 400 * 4.25 + vectors);
}
