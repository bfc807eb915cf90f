// Google Benchmark over the native twin of every registered kernel, named as in the book's
// expressions:
//   bench_kernels --benchmark_filter='matmul.packed'
// Sizes are chosen to show each kernel in its typical range in the book. GFLOP/s and GB/s are
// counters.
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "wasm_kernels/registry.hpp"

namespace {

using kernels::Args;
using kernels::Kernel;

struct Case {
  const Kernel* kernel;
  Args args;
  std::string name;
};

// A working set is swept over the cache levels; other parameters keep their defaults.
std::vector<double> values_of(const kernels::Param& param) {
  if (!std::strcmp(param.name, "w")) return {16 << 10, 512 << 10, 64 << 20};
  return {param.default_value};
}

std::vector<Case> cases_of(const Kernel& kernel) {
  std::string id = kernel.id;
  if (*kernel.variant) id += std::string("/") + kernel.variant;
  std::vector<Case> cases{{&kernel, kernel.defaults(), id}};
  for (int i = 0; i < kernel.param_count(); ++i) {
    const std::vector<double> values = values_of(kernel.params[i]);
    if (values.size() < 2) continue;
    std::vector<Case> more;
    for (const Case& base : cases) {
      for (double value : values) {
        Case with = base;
        with.args.value[i] = value;
        with.name += std::string("/") + kernel.params[i].name + ":" + std::to_string(long(value));
        more.push_back(std::move(with));
      }
    }
    cases = std::move(more);
  }
  return cases;
}

void measure(benchmark::State& state, const Case& the_case) {
  const Kernel& kernel = *the_case.kernel;
  const std::size_t size = (kernel.memory(the_case.args) + 63) / 64 * 64;
  const std::unique_ptr<void, decltype(&std::free)> memory(std::aligned_alloc(64, size),
                                                           &std::free);
  kernel.prepare(the_case.args, memory.get());
  for (auto _ : state) {
    kernel.run(the_case.args, memory.get(), 1);
    benchmark::ClobberMemory();
  }
  double tolerance = 0;
  const double error = kernel.verify(the_case.args, memory.get(), &tolerance);
  if (!(error <= tolerance)) state.SkipWithError("wrong result");
  using benchmark::Counter;
  state.counters["FLOP/s"] =
      Counter(kernel.flops(the_case.args), Counter::kIsIterationInvariantRate, Counter::kIs1000);
  state.counters["B/s"] =
      Counter(kernel.bytes(the_case.args), Counter::kIsIterationInvariantRate, Counter::kIs1000);
}

}  // namespace

int main(int argc, char** argv) {
  for (const Kernel& kernel : kernels::registry())
    for (Case& the_case : cases_of(kernel))
      benchmark::RegisterBenchmark(the_case.name.c_str(), measure, the_case);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 1;
  benchmark::RunSpecifiedBenchmarks();
}
