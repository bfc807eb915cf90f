// The kernels of the lab: their results, alone and as teams on std::thread.
#include <atomic>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"

namespace {

bool is_op(const kernels::Kernel& kernel) { return std::string(kernel.id).starts_with("op."); }

KernelRun run_team(const std::string& id, int threads,
                   std::initializer_list<std::pair<const char*, double>> values, int calls = 2) {
  const kernels::Kernel& kernel = find_kernel(id);
  kernels::Args args = arguments(kernel, values);
  args.threads = threads;
  KernelRun run = prepared(kernel, args);
  for (int call = 0; call < calls; ++call) {
    std::atomic<int> complete{0};
    std::vector<std::thread> team;
    for (int thread = 0; thread < threads; ++thread)
      team.emplace_back(
          [&, thread] { complete += kernel.run_part(args, run.memory.get(), 2, thread); });
    for (std::thread& thread : team) thread.join();
    CHECK(complete == threads);
  }
  run.error = kernel.verify(args, run.memory.get(), &run.tolerance);
  return run;
}

std::uint32_t& word_at(const KernelRun& run, std::size_t word) {
  return static_cast<std::uint32_t*>(run.memory.get())[word];
}

}  // namespace

TEST_CASE("lab: an instruction does the same in any number of chains, and each is counted once") {
  int ops = 0;
  for (const kernels::Kernel& kernel : kernels::registry()) {
    if (!is_op(kernel)) continue;
    ++ops;
    for (int i = 0; i < kernel.params[0].choice_count; ++i) {
      const double chains = kernel.params[0].choices[i];
      const auto run = run_kernel(kernel, arguments(kernel, {{"chains", chains}}));
      INFO(kernel.id << ", " << chains << " chains");
      CHECK(run.correct());
      const int operations = std::string(kernel.id) == "op.add.i32" ? 2 : 1;
      CHECK(run.flops() == chains * 2048 * operations);
    }
  }
  CHECK(ops == 12);
}

TEST_CASE("lab: it is noticed that nothing ran") {
  for (const kernels::Kernel& kernel : kernels::registry()) {
    kernels::Args args = kernel.defaults();
    args.threads = 2;
    if (std::string(kernel.id) == "core.loaded") args.value[0] = args.value[3] = 1 << 20;
    KernelRun run = prepared(kernel, args);
    run.error = kernel.verify(args, run.memory.get(), &run.tolerance);
    INFO(kernel.id);
    CHECK_FALSE(run.correct());
  }
}

TEST_CASE("lab: a result that is off by one bit is wrong") {
  const kernels::Kernel& kernel = find_kernel("op.add.f32");
  KernelRun run = run_kernel(kernel, arguments(kernel, {{"chains", 4}}));
  // Adding one 2048 times to 1, 2, 3, …
  const auto* floats = static_cast<const float*>(run.memory.get());
  std::size_t at = 64;
  while (floats[at] != 2049) ++at;
  CHECK(floats[at + 1] == 2050);
  word_at(run, at) ^= 1;
  CHECK(kernel.verify(run.args, run.memory.get(), &run.tolerance) == 1);
}

TEST_CASE("lab: a line is handed to any partner and back, as often as was asked") {
  for (int threads : {2, 3, 4})
    for (int partner = 1; partner < threads; ++partner) {
      INFO(threads << " threads, partner " << partner);
      CHECK(run_team("core.pingpong", threads, {{"partner", partner}}).correct());
    }
  CHECK(run_team("core.pingpong", 2, {{"partner", 9}}).correct());  // the last partner
  CHECK(run_kernel("core.pingpong").correct());
  CHECK(find_kernel("core.pingpong").flops({}) == 64);
}

TEST_CASE("lab: each thread's counter holds its own count, in one line and apart") {
  for (int threads : {2, 3, 5})
    for (int apart : {4, 64, 128, 256}) {
      INFO(threads << " threads, " << apart << " B");
      CHECK(run_team("core.sharing", threads, {{"apart", apart}}).correct());
    }
  CHECK(run_kernel("core.sharing").correct());
}

TEST_CASE("lab: a chase runs while others read, and their reads are counted") {
  for (int readers : {0, 1, 3}) {
    INFO(readers << " readers");
    const auto run = run_team(
        "core.loaded", 4, {{"w", 1 << 20}, {"readers", readers}, {"data", 1 << 20}, {"pause", 10}});
    CHECK(run.correct());
    const auto read_kib = [&](std::size_t thread) { return word_at(run, thread * 16); };
    CHECK(read_kib(0) == 0);
    for (std::size_t thread = 1; thread < 4; ++thread) {
      if (thread > std::size_t(readers)) CHECK(read_kib(thread) == 0);
      CHECK(read_kib(thread) % 16 == 0);
    }
  }
  auto run = run_team("core.loaded", 2, {{"w", 1 << 20}, {"data", 1 << 20}});
  word_at(run, 16) += 16;  // more than was read
  CHECK(run.kernel.verify(run.args, run.memory.get(), &run.tolerance) == 1);
}
