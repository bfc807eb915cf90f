// The C++ part of the WGSL kernels: descriptions, counts, and that the reference accepts its own
// results and no others. tests/site/runtime/gpu/kernels.test.mjs runs the WGSL.
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

#include "catch.hpp"
#include "kernel_run.hpp"
#include "wasm_kernels/webgpu/webgpu.hpp"

using kernels::Args;
using kernels::Kernel;
using kernels::webgpu_registry;

namespace {

const Kernel& find(const std::string& id, const std::string& variant = "") {
  for (const Kernel& kernel : webgpu_registry())
    if (kernel.id == id && kernel.variant == variant) return kernel;
  throw std::runtime_error("no kernel " + id + ' ' + variant);
}

// Small enough for a test: sizes of 0 mean hundreds of MiB, of which only samples are checked.
Args small(const Kernel& kernel) {
  Args args = kernel.defaults();
  for (int i = 0; i < kernel.param_count(); ++i) {
    const kernels::Param& p = kernel.params[i];
    if (std::strcmp(p.name, "w") == 0) args.value[i] = 65536;
    if (std::strcmp(p.name, "groups") == 0) args.value[i] = 2;
    if (std::strcmp(p.name, "n") == 0) args.value[i] = 64;
    if (std::strcmp(p.name, "bytes") == 0) args.value[i] = 65536;
    if (std::strcmp(p.name, "lanes") == 0) args.value[i] = 1024;
  }
  return args;
}

}  // namespace

TEST_CASE("GPU kernels are named once, are not kernels of the processor, and have their WGSL") {
  std::set<std::string> names;
  for (const Kernel& kernel : kernels::registry())
    names.insert(std::string(kernel.id) + ' ' + kernel.variant);
  for (const Kernel& kernel : webgpu_registry()) {
    INFO(kernel.id << ' ' << kernel.variant);
    CHECK(names.insert(std::string(kernel.id) + ' ' + kernel.variant).second);
    CHECK(std::string(kernel.id).rfind("gpu.", 0) == 0);
    const std::string source = kernel.source;
    std::ifstream file(std::string(SOURCE_DIRECTORY) + '/' + source.substr(0, source.find('#')));
    REQUIRE(file.good());
    if (source.find('#') == source.npos) continue;
    std::ostringstream text;
    text << file.rdbuf();
    const std::string region = "// region: " + source.substr(source.find('#') + 1) + '\n';
    CHECK(text.str().find(region) != std::string::npos);
  }
}

TEST_CASE("a GPU kernel's reference passes its own check, which nothing else does") {
  for (const Kernel& kernel : webgpu_registry()) {
    INFO(kernel.id << ' ' << kernel.variant);
    KernelRun run = prepared(kernel, small(kernel));
    const auto error = [&] { return kernel.verify(run.args, run.memory.get(), &run.tolerance); };
    run.error = error();
    CHECK_FALSE(run.correct());  // it did not run
    kernel.run(run.args, run.memory.get(), 1);
    run.error = error();
    CHECK(run.correct());
    float* const answer = static_cast<float*>(run.memory.get());
    answer[0] += 1;
    run.error = error();
    CHECK_FALSE(run.correct());
  }
}

TEST_CASE("what GPU kernels count") {
  const auto flops = [](const char* id, Args args) { return find(id).flops(args); };
  const auto bytes = [](const char* id, Args args) { return find(id).bytes(args); };
  for (const double chains : {0, 4, 8, 16}) {
    CHECK(flops("gpu.peak.f32", {{1, chains}}) == 256.0 * 4 * 4096 * 2);
    CHECK(flops("gpu.peak.i8dot", {{1, chains}}) == 256.0 * 4096 * 8);
  }
  CHECK(flops("gpu.width", {{1, 2048}}) == 4 * flops("gpu.width", {{1, 0}}));
  const double w = 64.0 * 1024 * 1024;
  CHECK(bytes("gpu.read", {{w}}) == w);
  CHECK(bytes("gpu.copy", {{w}}) == w);
  CHECK(bytes("gpu.triad", {{w}}) <= w);
  CHECK(bytes("gpu.triad", {{w}}) > 0.999 * w);
  CHECK(bytes("gpu.sweep", {{4096}}) == w);
  CHECK(bytes("gpu.sweep", {{4 * w, 3}}) == 12 * w);
  CHECK(bytes("gpu.stride", {{4, w}}) == w / 4);
  CHECK(bytes("gpu.stride", {{64, w}}) == w / 8);  // each lap reads other bytes
  CHECK(bytes("gpu.stride", {{1, w, 5}}) == 5 * w);
  CHECK(bytes("gpu.inflight", {{65536, 1, w}}) == w);
  CHECK(bytes("gpu.inflight", {{32, 8, w}}) == 4.0 * 32 * 32768);
  CHECK(flops("gpu.matmul.tiled", {{512, 0, 0}}) == 2.0 * 512 * 512 * 512);
  CHECK(flops("gpu.matmul.tuned", {{1024, 8, 512, 0}}) == 2.0 * 8 * 1024 * 512);
  CHECK(bytes("gpu.matmul.vec4", {{512, 0, 0}}) == 12.0 * 512 * 512);
  CHECK(bytes("gpu.matmul.f16", {{512, 0, 0}}) == 8.0 * 512 * 512);
  CHECK(bytes("gpu.upload", {{65536}}) == 65536);
}

TEST_CASE("samples of a large output begin with its ends and stay inside") {
  using kernels::webgpu::sample_index;
  CHECK(sample_index(70, 65536) == 70);
  CHECK(sample_index(0, 1 << 20) == 0);
  CHECK(sample_index(1, 1 << 20) == (1 << 20) - 1);
  std::set<std::uint32_t> places;
  for (std::uint32_t k = 0; k < 4096; ++k) places.insert(sample_index(k, 1 << 26));
  CHECK(places.size() > 4090);
  CHECK(*places.rbegin() < (1 << 26));
}
