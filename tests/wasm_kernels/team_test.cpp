// Kernels that several threads run together, here on std::thread.
#include <atomic>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/barrier.hpp"

namespace {

// Runs run_part on every thread at once; false if one of them saw an incomplete team.
bool run_team(const KernelRun& run, int reps) {
  std::atomic<int> complete{0};
  std::vector<std::thread> team;
  for (int thread = 0; thread < run.args.threads; ++thread)
    team.emplace_back(
        [&, thread] { complete += run.kernel.run_part(run.args, run.memory.get(), reps, thread); });
  for (std::thread& thread : team) thread.join();
  return complete == run.args.threads;
}

void check_team(const std::string& id, int threads,
                std::initializer_list<std::pair<const char*, double>> values) {
  const kernels::Kernel& kernel = find_kernel(id);
  kernels::Args args = arguments(kernel, values);
  args.threads = threads;
  KernelRun run = prepared(kernel, args);
  CHECK(run_team(run, 3));
  run.error = kernel.verify(args, run.memory.get(), &run.tolerance);
  CHECK(run.error <= run.tolerance);
}

}  // namespace

TEST_CASE("a parallel product is right for any team, split, shape and tile") {
  for (int threads : {1, 2, 3, 5}) {
    for (int split : {0, 1}) {
      for (int prepacked : {0, 1}) {
        INFO("threads " << threads << " split " << split << " prepacked " << prepacked);
        const auto check = [&](double m, double n, double k, double tile) {
          INFO(m << " x " << n << " x " << k << " tile " << tile);
          check_team("matmul.parallel", threads,
                     {{"m", m},
                      {"n", n},
                      {"k", k},
                      {"split", split},
                      {"prepacked", prepacked},
                      {"tile", tile}});
        };
        check(1, 1, 1, 608);  // fewer tiles than threads
        check(37, 53, 29, 508);
        check(97, 101, 600, 216);  // several depth blocks
        check(8, 200, 300, 616);
        check(11, 1100, 70, 424);  // several blocks of columns, none a whole number of tiles
      }
    }
  }
}

TEST_CASE("a parallel product counts its work once, whatever the team") {
  const kernels::Kernel& kernel = find_kernel("matmul.parallel");
  kernels::Args args = arguments(kernel, {{"n", 100}});
  args.threads = 4;
  CHECK(kernel.flops(args) == 2e6);
  CHECK(kernel.bytes(args) == 3 * 4 * 1e4);
}

TEST_CASE("all-reduce leaves the sum with every thread") {
  for (const char* id : {"allreduce.ring", "allreduce.tree"}) {
    for (int threads = 1; threads <= 9; ++threads) {
      for (int bytes : {64, 68, 4096, 40004}) {
        INFO(id << " threads " << threads << " bytes " << bytes);
        check_team(id, threads, {{"bytes", bytes}});
      }
    }
  }
}

TEST_CASE("all-reduce counts what a ring sends from each thread") {
  for (const char* id : {"allreduce.ring", "allreduce.tree"}) {
    const kernels::Kernel& kernel = find_kernel(id);
    kernels::Args args = arguments(kernel, {{"bytes", 4096}});
    args.threads = 4;
    CHECK(kernel.bytes(args) == 2 * 3.0 / 4 * 4096);
    CHECK(kernel.flops(args) == 3 * 1024);
  }
}

TEST_CASE("nobody leaves a barrier before everybody has come") {
  constexpr int threads = 4, rounds = 2000;
  kernels::Barrier barrier{};
  std::atomic<int> arrived{0}, early{0};
  std::vector<std::thread> team;
  for (int thread = 0; thread < threads; ++thread)
    team.emplace_back([&] {
      for (int round = 1; round <= rounds; ++round) {
        ++arrived;
        if (!kernels::meet(barrier, threads)) ++early;
        if (arrived < threads * round) ++early;
      }
    });
  for (std::thread& thread : team) thread.join();
  CHECK(early == 0);
}
