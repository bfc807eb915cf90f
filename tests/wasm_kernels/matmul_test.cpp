// Compares the matmul ladder with the definition, element by element, for all kinds of odd shapes.
#include <algorithm>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/matmul/packed.hpp"

namespace {

// The number of elements of C that differ from the definition computed in double. The inputs need
// no rounding, so the expected result is 0.
int wrong_elements(const KernelRun& run) {
  kernels::Arena arena(run.memory.get());
  const kernels::matmul::Matrices m = kernels::matmul::lay_out(run.args, arena);
  const auto [rows, columns, depth] = m.shape;
  int wrong = 0;
  for (int i = 0; i < rows; ++i) {
    for (int j = 0; j < columns; ++j) {
      double sum = 0;
      for (int p = 0; p < depth; ++p) sum += double(m.a[i * depth + p]) * m.b[p * columns + j];
      wrong += !(m.c[i * columns + j] == sum);
    }
  }
  return wrong;
}

struct Rung {
  const char* id;
  const char* variant;
};
const Rung rungs[] = {{"matmul.naive", ""}, {"matmul.reordered", ""},  {"matmul.vector", ""},
                      {"matmul.tiled", ""}, {"matmul.tiled", "cache"}, {"matmul.packed", ""}};

}  // namespace

TEST_CASE("every rung agrees with the definition around the lane width and at odd shapes") {
  for (const Rung& rung : rungs) {
    for (int n : {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 33, 63, 65, 97, 100}) {
      const KernelRun run = run_kernel(rung.id, {{"n", n}}, rung.variant);
      INFO(rung.id << ' ' << rung.variant << " n " << n);
      CHECK(wrong_elements(run) == 0);
      CHECK(run.correct());
      CHECK(run.flops() == 2.0 * n * n * n);
      CHECK(run.bytes() == 3 * 4.0 * n * n);
    }
    for (const auto& [m, n, k] :
         {std::tuple{1, 40, 7}, {13, 1, 300}, {97, 64, 3}, {6, 8, 513}, {3, 129, 256}}) {
      const KernelRun run = run_kernel(rung.id, {{"m", m}, {"n", n}, {"k", k}}, rung.variant);
      INFO(rung.id << ' ' << rung.variant << ' ' << m << 'x' << n << 'x' << k);
      CHECK(wrong_elements(run) == 0);
      CHECK(run.correct());
      CHECK(run.flops() == 2.0 * m * n * k);
      CHECK(run.bytes() == 4.0 * (m * k + k * n + m * n));
    }
  }
}

TEST_CASE("every tile is right, with B packed beforehand or not") {
  const kernels::Kernel& packed = find_kernel("matmul.packed");
  const kernels::Param& tile = packed.params[4];
  REQUIRE(tile.choice_count == 9);
  for (int t = 0; t < tile.choice_count; ++t) {
    for (int prepacked : {0, 1}) {
      for (const auto& [m, n, k] :
           {std::tuple{48, 48, 48}, {101, 67, 300}, {97, 33, 600}, {1, 1, 1}, {9, 1031, 257}}) {
        const KernelRun run = run_kernel(
            "matmul.packed",
            {{"m", m}, {"n", n}, {"k", k}, {"prepacked", prepacked}, {"tile", tile.choices[t]}});
        INFO("tile " << tile.choices[t] << " prepacked " << prepacked << ' ' << m << 'x' << n << 'x'
                     << k);
        CHECK(wrong_elements(run) == 0);
        CHECK(run.correct());
      }
    }
  }
}

TEST_CASE("any number of rows is right, those that fill no tile too") {
  const kernels::Param& tile = find_kernel("matmul.packed").params[4];
  for (int t = 1; t < tile.choice_count; ++t) {
    for (int m = 1; m <= 34; ++m) {
      const KernelRun run = run_kernel(
          "matmul.packed",
          {{"m", m}, {"n", 53}, {"k", 330}, {"prepacked", m % 2}, {"tile", tile.choices[t]}});
      INFO("tile " << tile.choices[t] << " rows " << m);
      CHECK(wrong_elements(run) == 0);
      CHECK(run.correct());
    }
  }
}

TEST_CASE("a lower tile of the same width is as high as the rows that are left") {
  using kernels::matmul::lowest;
  using kernels::matmul::tile_of;
  for (const auto& [tile, rows, expected] : {std::tuple{608, 6, 6},
                                             {608, 5, 5},
                                             {608, 4, 4},
                                             {608, 3, 4},
                                             {608, 2, 2},
                                             {608, 1, 2},
                                             {616, 5, 6},
                                             {616, 3, 6},
                                             {616, 2, 2},
                                             {424, 4, 4},
                                             {424, 2, 3},
                                             {216, 1, 2}}) {
    INFO(tile << ' ' << rows);
    CHECK(lowest(tile_of(tile), rows).rows == expected);
    CHECK(lowest(tile_of(tile), rows).columns == tile % 100);
  }
}

TEST_CASE("blocks are whole steps, as even as can be, and all of them are everything") {
  using kernels::matmul::share;
  for (int count : {1, 7, 8, 257, 1031, 2049}) {
    for (int step : {1, 8, 24}) {
      for (int parts : {1, 2, 3, 5}) {
        int next = 5, least = count, most = 0;
        for (int part = 0; part < parts; ++part) {
          const kernels::matmul::Range range = share({5, count}, step, part, parts);
          CHECK(range.first == next);
          CHECK((range.first - 5) % step % count == 0);
          next += range.count;
          if (part < parts - 1) least = std::min(least, range.count);
          most = std::max(most, range.count);
        }
        CHECK(next == 5 + count);
        CHECK((parts == 1 || most - least <= step));
      }
    }
  }
}

TEST_CASE("Freivalds' check finds one wrong element") {
  for (int place : {0, 40 * 40 / 2, 40 * 40 - 1}) {
    KernelRun run = run_kernel("matmul.packed", {{"n", 40}});
    REQUIRE(run.correct());
    kernels::Arena arena(run.memory.get());
    kernels::matmul::lay_out(run.args, arena).c[place] += 0.25f;
    run.error = run.kernel.verify(run.args, run.memory.get(), &run.tolerance);
    CHECK(run.error > run.tolerance);
  }
}
