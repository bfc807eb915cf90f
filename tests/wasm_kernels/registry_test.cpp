#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "catch.hpp"
#include "kernel_run.hpp"

using kernels::Kernel;

namespace {

// Arguments at one end of each range, as far as a test has the memory.
kernels::Args smallest(const Kernel& kernel) {
  kernels::Args args = kernel.defaults();
  for (int i = 0; i < kernel.param_count(); ++i) args.value[i] = kernel.params[i].min;
  return args;
}

}  // namespace

TEST_CASE("names are unique and parameters are well formed") {
  std::set<std::string> names;
  for (const Kernel* each : every_kernel()) {
    const Kernel& kernel = *each;
    INFO(kernel.id << ' ' << kernel.variant);
    CHECK(names.insert(std::string(kernel.id) + " " + kernel.variant).second);
    for (int i = 0; i < kernel.param_count(); ++i) {
      const kernels::Param& p = kernel.params[i];
      CHECK(p.min <= p.default_value);
      CHECK(p.default_value <= p.max);
      CHECK(std::strlen(p.doc) > 0);
      bool allowed = p.choice_count == 0;
      for (int c = 0; c < p.choice_count; ++c) allowed |= p.choices[c] == p.default_value;
      CHECK(allowed);
    }
    CHECK((kernel.team > 0) == (kernel.run_part != nullptr));
  }
}

TEST_CASE("every kernel is right at the smallest values of its parameters") {
  for (const Kernel* each : every_kernel()) {
    const Kernel& kernel = *each;
    INFO(kernel.id << ' ' << kernel.variant);
    const KernelRun run = run_kernel(kernel, smallest(kernel));
    CHECK(run.error <= run.tolerance);
  }
}

// A check must be able to fail: verify must accept the result of a run, and reject the memory if
// the run did not happen.
TEST_CASE("every kernel's check notices that the kernel did not run") {
  for (const Kernel* each : every_kernel()) {
    const Kernel& kernel = *each;
    INFO(kernel.id << ' ' << kernel.variant);
    KernelRun run = prepared(kernel, smallest(kernel));
    run.error = kernel.verify(run.args, run.memory.get(), &run.tolerance);
    CHECK_FALSE(run.error <= run.tolerance);
  }
}

TEST_CASE("describe writes a kernel as JSON") {
  std::vector<char> text(4096);
  const Kernel& read = find_kernel("stream.read");
  const std::size_t length = kernels::describe(read, text.data(), text.size());
  CHECK(std::string(text.data(), length) ==
        R"({"id":"stream.read","variant":"","title":"Read an array","unit":"GB/s",)"
        R"("class":"memory","element":"f32","requires":"",)"
        R"("source":"wasm_kernels/stream/stream.cpp#read",)"
        R"("bytes_count":"each float once, read","team":0,"params":[)"
        R"({"name":"w","unit":"B","default":67108864,"min":4096,"max":1073741824,)"
        R"("doc":"working set: all arrays together"},)"
        R"({"name":"chains","unit":"","default":12,"min":1,"max":16,)"
        R"("choices":[1,2,4,8,12,16],"doc":"independent sums"}]})");
  CHECK(kernels::describe(read, text.data(), length) == 0);
  CHECK(kernels::describe(read, text.data(), length + 1) == length);
  for (const Kernel* kernel : every_kernel())
    CHECK(kernels::describe(*kernel, text.data(), text.size()) > 0);
}
