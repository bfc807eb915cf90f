// The chases and the sweep along the roofline.
#include <set>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"

TEST_CASE("a chase visits every line in one cycle, whatever its order and size") {
  for (int order : {0, 1, 2, 3}) {
    for (int line : {64, 128}) {
      for (int w : {4096, 12288, 65536, 262144, 262144 + 4096, 1000000, 3 << 20}) {
        INFO("order " << order << " line " << line << " w " << w);
        const auto values = {
            std::pair<const char*, double>{"w", w}, {"order", order}, {"line", line}};
        const KernelRun one = run_kernel("latency.chase", values);
        CHECK(one.error == 0);
        CHECK(one.flops() == 4096);
        CHECK(one.bytes() == 4096 * line);
        CHECK(run_kernel("parallelism.chase", values).error == 0);
      }
    }
  }
}

TEST_CASE("several chases at once each go their own way") {
  for (int chains = 1; chains <= 16; ++chains) {
    INFO("chains " << chains);
    const KernelRun run = run_kernel("parallelism.chase", {{"w", 1 << 20}, {"chains", chains}});
    CHECK(run.error == 0);
    CHECK(run.flops() == 4096 * chains);
  }
}

// The nodes of a group of 64 or 8 pages come before those of the next group, and the lines of each
// page are among them in a mixed order.
TEST_CASE("a chase that stays near finishes its pages before it moves on") {
  const int order = GENERATE(0, 3);
  const int group = (order == 3 ? 8 : 64) * 4096, lines = group / 64;
  const auto& chase = find_kernel("latency.chase");
  const KernelRun run = prepared(chase, arguments(chase, {{"w", 3 * group}, {"order", order}}));
  char* const buffer = static_cast<char*>(run.memory.get());
  char* at = buffer;
  std::set<long> distances;
  int changes = 0;
  for (int step = 0; step < 3 * lines; ++step) {
    char* const next = *reinterpret_cast<char**>(at);
    changes += (next - buffer) / group != (at - buffer) / group;
    distances.insert(next - at);
    at = next;
  }
  CHECK(at == buffer);
  CHECK(changes == 3);
  CHECK(distances.size() > std::size_t(lines) / 2);
}

TEST_CASE("each preparation of a chase chooses a new order") {
  const auto& chase = find_kernel("latency.chase");
  const auto successors = [&] {
    const KernelRun run = prepared(chase, arguments(chase, {{"w", 65536}}));
    char* const buffer = static_cast<char*>(run.memory.get());
    std::vector<long> all;
    for (int i = 0; i < 1024; ++i)
      all.push_back(*reinterpret_cast<char**>(buffer + 64 * i) - buffer);
    return all;
  };
  CHECK(successors() != successors());
}

TEST_CASE("the sweep is right at every degree and counts its operations") {
  for (int degree : {1, 2, 3, 7, 8, 64, 255}) {
    for (int w : {4096, 10000, 64000}) {
      INFO("degree " << degree << " w " << w);
      CHECK(run_kernel("roof.sweep", {{"w", w}, {"degree", degree}}).correct());
    }
  }
  // 64000 bytes are 400 turns of 10 vectors.
  const KernelRun run = run_kernel("roof.sweep", {{"w", 64000}, {"degree", 8}});
  CHECK(run.flops() == 16000 * 16);
  CHECK(run.bytes() == 64000);
}
