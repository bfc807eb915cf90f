// The cost of a request: launch.wgsl, and bytes through the browser to the GPU and back.
#include "webgpu.hpp"

namespace kernels {
namespace {

using namespace webgpu;

double nothing(const Args&) { return 4; }
double once(const Args&) { return 1; }

// A counter that starts at 0 and that each run increments.
struct Counter : NoInput {
  static Index outputs(const Args&) { return 1; }
  static float output(const Args&, Index) { return 1; }
};

constexpr Param bytes{"bytes", "B", "of one transfer", 16 * mebibyte, 4096, 64 * mebibyte};

double moved(const Args& args) { return args.value[0]; }
struct Moved : NoInput {
  static Index outputs(const Args& args) { return Index(args.value[0] / 4); }
  static float output(const Args&, Index i) { return value(i); }
};

constexpr Kernel launch(const char* variant, const char* title) {
  return {.id = "gpu.launch",
          .variant = variant,
          .title = title,
          .unit = "ns",
          .roof_class = "latency",
          .element = "u32",
          .source = "wasm_kernels/webgpu/launch.wgsl#launch",
          .bytes_count = "the counter",
          .params = {},
          .flops = once,
          .bytes = nothing};
}
constexpr Kernel transfer(const char* id, const char* title) {
  return {.id = id,
          .title = title,
          .unit = "GB/s",
          .roof_class = "memory",
          .element = "f32",
          .source = "site/runtime/gpu/transfer.js",
          .bytes_count = "each byte once, one way",
          .params = {bytes},
          .flops = no_operations,
          .bytes = moved};
}

}  // namespace

const Kernel gpu_launch_dispatch =
    completed<Counter>(launch("dispatch", "GPU: one more dispatch in a pass"));
const Kernel gpu_launch_submit =
    completed<Counter>(launch("submit", "GPU: one more pass, submitted alone"));
const Kernel gpu_launch_trip =
    completed<Counter>(launch("trip", "GPU: submit a pass and wait for it"));
const Kernel gpu_upload =
    completed<Moved>(transfer("gpu.upload", "GPU: bytes from the page to a buffer"));
const Kernel gpu_download =
    completed<Moved>(transfer("gpu.download", "GPU: bytes from a buffer to the page"));

}  // namespace kernels
